import CivilTime
import Glibc
import KindVerbAPI
import Storage
import Synchronization
import Testing

@testable import PulseLog

/// A store of a test's own, with a clock and a zone that the test moves.
private final class Home {
  let path: String
  let store: Store
  let clock: Clock
  var zone = Zone.fixed(9 * 3_600)

  final class Clock: Sendable {
    let now = Mutex<Int64>(1_777_600_000_000)
  }

  init() throws {
    var template = Array("/tmp/kindverb-pulse-XXXXXX".utf8CString)
    path = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
    let clock = Clock()
    self.clock = clock
    var world = StoreEnvironment.live
    world.now = { clock.now.withLock { $0 } }
    store = try StoreOpening(directory: path, environment: world).open()
  }

  deinit {
    store.close()
    for name in ["kindverb.db", "kindverb.mark", "kindverb.seal", "kindverbd.lock"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var health: HealthHandlers { HealthHandlers(store) { [unowned self] in self.zone } }

  func pass(hours: Int) { clock.now.withLock { $0 += Int64(hours) * 3_600_000 } }

  @discardableResult
  func call<Value>(_ body: (HealthHandlers) throws -> Value) throws -> Value {
    try store.begin()
    do {
      let value = try body(health)
      _ = try store.commit()
      return value
    } catch {
      store.rollback()
      throw error
    }
  }

  @discardableResult
  func set(_ slot: Slot, _ systolic: Int, _ diastolic: Int, _ date: String?, replace: Bool? = nil, at: Int? = nil) throws
    -> HealthChange
  {
    try call {
      try $0.setRecord(
        .init(slot: slot, systolic: systolic, diastolic: diastolic, dateIso: date, measuredAtEpochMs: at, replace: replace))
    }
  }

  func day(_ date: String?) throws -> HealthDay { try call { try $0.day(.init(dateIso: date)) } }
}

private func key(_ body: () throws -> Void) -> ErrorKey? {
  do {
    try body()
    return nil
  } catch { return (error as? APIError)?.key }
}

@Suite("Readings in the store")
struct HealthHandlersTests {
  @Test("a slot that holds another reading is replaced on demand alone; the same again changes nothing")
  func replacing() throws {
    let home = try Home()
    #expect(try home.set(.morning, 128, 82, "2026-05-01").replaced == false)
    let seq = home.store.committedSeq
    #expect(key { try home.set(.morning, 130, 82, "2026-05-01") } == .healthSlotTaken)
    #expect(try home.set(.morning, 128, 82, "2026-05-01").replaced == false)
    #expect(try home.set(.morning, 128, 82, "2026-05-01", at: 1_777_000_000_000).replaced == false)
    #expect(home.store.committedSeq == seq, "nothing changed, so nothing is told")
    #expect(try home.day("2026-05-01").record?.morningSystolic == 128)
    let change = try home.set(.morning, 130, 82, "2026-05-01", replace: true)
    #expect(change.replaced && change.record?.morningSystolic == 130)
    #expect(home.store.committedSeq == seq + 1)
    let timed = try home.set(.morning, 130, 82, "2026-05-01", replace: true, at: 1_777_000_000_000)
    #expect(timed.replaced && timed.record?.morningMeasuredAtEpochMs == 1_777_000_000_000)
    #expect(key { try home.call { _ = try $0.setWeight(.init(weightKg: 68.45)) } } == .healthWeightTooPrecise)
    try home.call { _ = try $0.setWeight(.init(weightKg: 68.4)) }
    #expect(key { try home.call { _ = try $0.setWeight(.init(weightKg: 68.5)) } } == .healthSlotTaken)
  }

  @Test("whatever was done, taking back as many changes leads back through every state")
  func undoing() throws {
    let home = try Home()
    var random = SystemRandomNumberGenerator()
    var states: [[DailyHealthRecord?]] = []
    let dates = ["2026-04-29", "2026-04-30", "2026-05-01"]
    func state() throws -> [DailyHealthRecord?] {
      try dates.map { date in
        // When a row was made and changed is not what is taken back.
        var record = try home.day(date).record
        record?.createdAt = ""
        record?.updatedAt = ""
        return record
      }
    }
    while states.count < 20 {
      let before = try state()
      let seq = home.store.committedSeq
      let date = dates[Int.random(in: 0..<3, using: &random)]
      let slot = Slot.allCases[Int.random(in: 0..<2, using: &random)]
      do {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try home.call { _ = try $0.clearRecord(.init(dateIso: date, slot: slot)) }
        case 1:
          let weight = Double(Int.random(in: 680...690, using: &random)) / 10
          try home.call { _ = try $0.setWeight(.init(weightKg: weight, dateIso: date, replace: true)) }
        case 2: try home.call { _ = try $0.clearWeight(.init(dateIso: date)) }
        default: try home.set(slot, Int.random(in: 110...150, using: &random), 80, date, replace: true)
        }
      } catch is APIError {}
      if home.store.committedSeq != seq { states.append(before) }
    }
    for before in states.reversed() {
      try home.call { _ = try $0.undo() }
      #expect(try state() == before)
    }
    #expect(key { try home.call { _ = try $0.undo() } } == .healthNothingToUndo)
  }

  @Test("twenty changes are kept, for a day")
  func bounds() throws {
    let home = try Home()
    for systolic in 101...130 { try home.set(.morning, systolic, 80, "2026-05-01", replace: true) }
    #expect(try home.store.connection.integer("SELECT count(*) FROM healthUndo") == 20)
    for _ in 0..<20 { try home.call { _ = try $0.undo() } }
    #expect(key { try home.call { _ = try $0.undo() } } == .healthNothingToUndo)
    #expect(try home.day("2026-05-01").record?.morningSystolic == 110)
    try home.set(.evening, 120, 80, "2026-05-01")
    home.pass(hours: 24)
    #expect(key { try home.call { _ = try $0.undo() } } == .healthNothingToUndo)
    try home.set(.evening, 121, 80, "2026-05-01", replace: true)
    // A clock that was set back takes nothing away.
    home.pass(hours: -200)
    try home.call { _ = try $0.undo() }
    #expect(try home.day("2026-05-01").record?.eveningSystolic == 120)
  }

  @Test("what was recorded keeps its date, its slot and its time when the zone changes")
  func travelling() throws {
    let home = try Home()
    let seoul = try #require(ZoneSource().named("Asia/Seoul"))
    home.zone = seoul
    let date = try #require(CivilDate(iso: "2026-05-01"))
    let instant = try #require(TimeOfDay("07:30").flatMap { seoul.instant(of: date, $0) })
    home.clock.now.withLock { $0 = instant }
    let recorded = try #require(try home.set(.morning, 128, 82, nil).record)
    #expect(recorded.dateIso == "2026-05-01" && recorded.morningMeasuredOffsetMinutes == 540)
    for name in ["America/Los_Angeles", "Pacific/Kiritimati", "UTC"] {
      home.zone = try #require(ZoneSource().named(name))
      #expect(try home.day("2026-05-01").record == recorded)
      let month = try home.call { try $0.calendar(.init(month: "2026-05")) }
      #expect(month.days.filter { $0.status != .none }.map(\.dateIso) == ["2026-05-01"])
      let series = try home.call { try $0.series(.init(days: 3, until: "2026-05-02")) }
      #expect(series.days.map(\.morningSystolic) == [nil, 128, nil])
    }
  }

  @Test("a month has all its days, a series every day asked for, and gaps stay gaps")
  func spans() throws {
    let home = try Home()
    for offset in [0, 1, 19, 20] {
      try home.set(.morning, 120 + offset, 80, CivilDate(day: 20_544).adding(days: offset).iso)
    }
    for (month, days) in [("2026-02", 28), ("2028-02", 29), ("2026-04", 30), ("1900-01", 31)] {
      let calendar = try home.call { try $0.calendar(.init(month: month)) }
      #expect(calendar.days.count == days && calendar.days.allSatisfy { $0.dateIso.hasPrefix(month + "-") })
      #expect(calendar.days.last?.dateIso == "\(month)-\(days)")
    }
    let first = CivilDate(day: 20_544)
    let series = try home.call { try $0.series(.init(days: 30, until: first.adding(days: 29).iso)) }
    #expect(series.days.count == 30 && series.from == first.iso)
    #expect(series.days.enumerated().filter { $0.element.morningSystolic != nil }.map(\.offset) == [0, 1, 19, 20])
    #expect(series.means.morning == PressureMean(systolic: 130, diastolic: 80, count: 4))
    #expect(series.means.evening == nil && series.means.weight == nil)
    let today = try home.call { try $0.calendar(.init()) }
    #expect(today.days.filter(\.isToday).map(\.dateIso) == [today.today])
  }

  @Test("a slot is recorded or not, by its date and slot alone")
  func recorded() throws {
    let home = try Home()
    let records = HealthStore(home.store)
    let date = try #require(CivilDate(iso: "2026-05-01"))
    #expect(try !records.isRecorded(date, .morning))
    try home.call { _ = try $0.setWeight(.init(weightKg: 68.4, dateIso: date.iso)) }
    #expect(try !records.isRecorded(date, .morning) && !records.isRecorded(date, .evening))
    try home.set(.evening, 128, 82, date.iso)
    #expect(try !records.isRecorded(date, .morning) && records.isRecorded(date, .evening))
    try home.call { _ = try $0.clearRecord(.init(dateIso: date.iso, slot: .evening)) }
    #expect(try !records.isRecorded(date, .evening))
  }

  @Test("a clock of another age erases nothing", arguments: [0, 2_082_758_400_000, -1] as [Int64])
  func wrongClock(_ wrong: Int64) throws {
    let home = try Home()
    try home.set(.morning, 128, 82, "2026-05-01")
    let recorded = try home.day("2026-05-01").record
    home.clock.now.withLock { $0 = wrong }
    #expect(try home.set(.evening, 121, 81, nil).dateIso == home.zone.date(at: wrong).iso)
    home.clock.now.withLock { $0 = 1_777_600_000_000 }
    #expect(try home.day("2026-05-01").record == recorded)
  }

  @Test("nothing measured is in a description")
  func descriptions() throws {
    var day = DayRecord(CivilDate(day: 0), createdAt: 0)
    day.morning = .pressure(128, 82)
    for text in ["\(day)", String(reflecting: day), "\(day.morning as Any)", String(reflecting: Measurement.weight(tenths: 684))]
    {
      #expect(!text.contains("128") && !text.contains("684"))
    }
    var dumped = ""
    dump(day, to: &dumped)
    #expect(!dumped.contains("128"))
  }
}
