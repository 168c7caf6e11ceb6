import CivilTime
import KindVerbAPI
import Reminders
import Testing

@Suite("Nobody there to show it") struct ServiceTests {
  @Test("what nobody could show is shown when somebody can, while there is time")
  func appears() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    life.hasService = false
    try life.live(until: "2026-05-01 10:00")
    #expect(life.outcome(.morning, "2026-05-01") == .notShown)
    life.serviceAppears()
    #expect(life.story == ["2026-05-01/morning 10:00"])
    life.serviceAppears()
    #expect(life.shown.count == 1)
  }

  @Test("too late it was missed, and recorded meanwhile it is done")
  func tooLate() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    life.hasService = false
    try life.live(until: "2026-05-01 13:00")
    #expect(life.outcome(.morning, "2026-05-01") == .missed)
    life.serviceAppears()
    #expect(life.story.isEmpty)
    life.hasService = false
    try life.live(until: "2026-05-02 09:00")
    try life.record(.morning, "2026-05-02")
    life.serviceAppears()
    #expect(life.story.isEmpty && life.outcome(.morning, "2026-05-02") == .suppressed)
  }

  @Test("an edit takes what waits with it")
  func editWhileWaiting() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    life.hasService = false
    try life.live(until: "2026-05-01 08:30")
    try life.set(.morning, "07:00")
    life.serviceAppears()
    #expect(life.story.isEmpty && life.outcome(.morning, "2026-05-01") == .missed)
    try life.live(until: "2026-05-02 07:00")
    #expect(life.story == ["2026-05-02/morning 07:00"])
  }
}

/// Numbers that come in the same order each time.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
