import CivilTime
import KindVerbAPI
import Testing

@testable import KindVerb

/// Numbers that look random and are the same in every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

private let hour: Int64 = 3_600_000
private let day = 24 * hour

/// Nothing in a life breaks a limit. `isSteady` where the clock only went forward.
private func check(_ life: QuietLife, isSteady: Bool, _ comment: Comment) {
  let shown = life.shown
  #expect(Set(shown.map(\.kept.date)).count == shown.count, comment)
  for (occurrence, kept) in shown {
    #expect((0...hour).contains(kept.at - occurrence.at), comment)
    if kept.type == .draftFollowUp { #expect((9..<21).contains(life.zone.civil(at: kept.at).second / 3_600), comment) }
  }
  let letters = shown.compactMap(\.occurrence.letter)
  #expect(Set(letters).count == letters.count, comment)
  guard isSteady else { return }
  for (index, one) in shown.enumerated() {
    let before = shown[..<index].map(\.kept)
    if let last = before.last(where: { $0.type == one.kept.type }) { #expect(one.kept.at - last.at >= day, comment) }
    #expect(before.filter { one.kept.at - $0.at < 7 * day }.count < QuietRule.perWeek, comment)
  }
}

@Suite struct QuietPropertyTests {
  static let zones = [
    "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo",
    "Asia/Kathmandu", "Africa/Casablanca", "Antarctica/Troll",
  ]

  /// One thing that a person, or their machine, does.
  private func step(_ life: inout QuietLife, _ dice: inout Dice) throws {
    switch Int.random(in: 0..<12, using: &dice) {
    case 0..<5:
      let end = life.now + Int64.random(in: 0...3 * day, using: &dice)
      var late = dice
      life.wake(until: end) { Int64.random(in: 0...900, using: &late) }
    case 5, 6: life.sleep(until: life.now + Int64.random(in: 0...2 * day, using: &dice))
    case 7:
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        life.leaveLetter()
        life.now += Int64.random(in: 0...hour, using: &dice)
      }
    case 8:
      let type = try #require(QuietType.allCases.randomElement(using: &dice))
      let time = TimeOfDay(minute: Int.random(in: 0..<1_440, using: &dice))
      try life.choose(type, Int.random(in: 0..<4, using: &dice) > 0, time?.text)
    case 9: life.hasPro = Bool.random(using: &dice)
    case 10: life.hasService = Int.random(in: 0..<4, using: &dice) > 0
    default: if let letter = life.letters.randomElement(using: &dice) { life.letters.removeAll { $0 == letter } }
    }
  }

  @Test(arguments: zones) func noLimitIsBroken(zone: String) throws {
    for seed in 0..<4 {
      var dice = Dice(state: UInt64(seed) &* 7_919)
      var life = try QuietLife(zone, "2026-\(["01", "03", "06", "10"][seed])-20 08:00")
      for _ in 0..<250 { try step(&life, &dice) }
      check(life, isSteady: true, "\(zone), \(seed)")
      #expect(life.shown.count > 20, "\(zone), \(seed)")
    }
  }

  @Test(arguments: zones) func noClockFloodsOrSilences(zone: String) throws {
    for seed in 0..<3 {
      var dice = Dice(state: 1 &+ UInt64(seed) &* 104_729)
      var life = try QuietLife(zone, "2026-05-01 08:00")
      for _ in 0..<40 {
        let jumps = [hour, day, 3 * day, 30 * day, 3_650 * day]
        let most = jumps[Int.random(in: 0..<jumps.count, using: &dice)]
        life.now = max(0, life.now + Int64.random(in: -most...most, using: &dice))
        life.look()
        for _ in 0..<4 { try step(&life, &dice) }
      }
      check(life, isSteady: false, "\(zone), \(seed)")
      // Wherever the clock has gone, a week or two later all is as ever.
      life.hasService = true
      life.hasPro = false
      try life.choose(.dailyReflection, true, "20:00")
      let start = life.shown.count
      life.wake(until: life.now + 16 * day)
      check(life, isSteady: false, "\(zone), \(seed)")
      #expect((1...12).contains(life.shown.count - start), "\(zone), \(seed)")
    }
  }
}
