import CivilTime
import Testing

@testable import KindVerb

/// A machine whose wall clock can be set, and whose other clock cannot.
private struct Machine {
  var zone: Zone
  var wall: Int64
  var sinceBoot: Int64 = 1_000_000
  var boot = "first"
  var calls: [AICall] = []
  var limit = 1

  init(_ zone: String, _ text: String) throws {
    self.zone = try #require(ZoneSource().named(zone))
    wall = 0
    wall = try instant(text)
  }

  func instant(_ text: String) throws -> Int64 {
    let date = try #require(CivilDate(iso: String(text.prefix(10))))
    let time = try #require(TimeOfDay(String(text.suffix(5))))
    return try #require(zone.instant(of: date, time))
  }

  var now: AIClock { AIClock(wall: wall, sinceBoot: sinceBoot, boot: boot) }
  var allowance: AIAllowance { AIAllowance(calls, now: now, zone: zone, limit: limit) }

  mutating func wait(minutes: Int64) {
    wall += minutes * 60_000
    sinceBoot += minutes * 60_000
  }

  /// Sets the clock on the wall, which the other clock does not see.
  mutating func set(_ text: String) throws { wall = try instant(text) }

  mutating func restart(minutes: Int64 = 1) {
    wall += minutes * 60_000
    sinceBoot = 5_000
    boot += "x"
  }

  /// Asks, if it may; whether it might.
  @discardableResult
  mutating func asks(_ state: AICall.State = .drafted) -> Bool {
    guard (try? allowance.check(now: wall)) != nil else { return false }
    // As the store does it: what seems to lie ahead of an earlier start counts as made now.
    calls = calls.map { call in
      guard call.at.boot != boot, call.at.wall > wall else { return call }
      return AICall(
        id: call.id, at: AIClock(wall: wall, sinceBoot: call.at.sinceBoot, boot: call.at.boot),
        offsetMinutes: call.offsetMinutes, state: call.state)
    }
    calls.append(
      AICall(id: Int64(calls.count), at: now, offsetMinutes: zone.offset(at: wall) / 60, state: state))
    return true
  }
}

@Suite("How many drafts of an AI's there may be") struct AIAllowanceTests {
  @Test("one a day, from midnight where the person is")
  func midnight() throws {
    var machine = try Machine("Asia/Seoul", "2026-05-01 23:58")
    var answer = false
    answer = machine.asks()
    #expect(answer)
    answer = machine.asks()
    #expect(!answer)
    #expect(machine.allowance.renewsAt == (try machine.instant("2026-05-02 00:00")))
    machine.wait(minutes: 1)
    answer = machine.asks()
    #expect(!answer)
    machine.wait(minutes: 1)
    answer = machine.asks()
    #expect(answer)
    answer = machine.asks()
    #expect(!answer)
  }

  @Test("setting the clock is no way around it, in either direction, however often")
  func steps() throws {
    var machine = try Machine("Asia/Seoul", "2026-05-01 10:00")
    var answer = false
    answer = machine.asks()
    #expect(answer)
    for text in [
      "2026-05-02 10:00", "2027-01-01 00:00", "2026-04-01 12:00", "1970-01-02 00:00", "2026-05-03 00:00", "2026-05-03 00:01",
      "2026-05-02 23:59", "2026-05-01 10:05", "2040-12-31 23:59",
    ] {
      try machine.set(text)
      answer = machine.asks()
      #expect(!answer, Comment(rawValue: text))
      #expect(machine.allowance.left == 0)
    }
  }

  @Test("a clock that was wrong and is put right costs nobody a day")
  func mended() throws {
    var machine = try Machine("Asia/Seoul", "2030-01-01 10:00")
    var answer = false
    answer = machine.asks()
    #expect(answer)
    try machine.set("2026-05-01 10:00")
    answer = machine.asks()
    #expect(!answer)
    machine.wait(minutes: 24 * 60)
    answer = machine.asks()
    #expect(answer)
  }

  @Test("another zone is no way around it either, and costs nobody more than the day it was")
  func zones() throws {
    var machine = try Machine("Asia/Seoul", "2026-05-01 10:00")
    var answer = machine.asks()
    #expect(answer)
    machine.wait(minutes: 90)
    for name in [
      "Pacific/Kiritimati", "America/New_York", "Asia/Kolkata", "Pacific/Pago_Pago", "Asia/Kabul", "Atlantic/Azores", "UTC",
    ] {
      machine.zone = try #require(ZoneSource().named(name))
      answer = machine.asks()
      #expect(!answer, Comment(rawValue: name))
    }
    machine.wait(minutes: 24 * 60)
    answer = machine.asks()
    #expect(answer)
  }

  @Test("what is said of when there is more comes true")
  func renewal() throws {
    var machine = try Machine("Asia/Seoul", "2026-05-01 10:00")
    machine.asks()
    for text in ["2026-05-01 10:00", "2026-05-03 00:01", "2026-04-20 23:00"] {
      try machine.set(text)
      let wait = machine.allowance.renewsAt - machine.wall
      var later = machine
      later.wall += wait - 1
      later.sinceBoot += wait - 1
      #expect(later.allowance.left == 0, Comment(rawValue: text))
      later.wall += 1
      later.sinceBoot += 1
      #expect(later.allowance.left == 1, Comment(rawValue: text))
    }
  }

  @Test("over a restart it counts by what the wall showed, and what seems to lie ahead counts as today's, once")
  func restarts() throws {
    var machine = try Machine("Asia/Seoul", "2026-05-01 10:00")
    var answer = false
    answer = machine.asks()
    #expect(answer)
    machine.restart()
    answer = machine.asks()
    #expect(!answer)
    // It had been ahead, and is put right by the time the machine is up again.
    machine = try Machine("Asia/Seoul", "2031-05-01 10:00")
    answer = machine.asks()
    #expect(answer)
    machine.restart()
    try machine.set("2026-05-01 10:00")
    answer = machine.asks()
    #expect(!answer)
  }

  @Test("on the days that clocks change a day is as long as it is", arguments: ["2026-03-29", "2026-10-25"])
  func shortAndLongDays(date: String) throws {
    var machine = try Machine("Europe/Berlin", "\(date) 00:00")
    var answer = false
    answer = machine.asks()
    #expect(answer)
    let length = machine.allowance.renewsAt - machine.wall
    #expect(length == (date == "2026-03-29" ? 23 : 25) * 3_600_000)
    machine.wait(minutes: length / 60_000 - 1)
    answer = machine.asks()
    #expect(!answer)
    machine.wait(minutes: 1)
    answer = machine.asks()
    #expect(answer)
  }

  @Test("what came to nothing counts for the machine alone; what is on its way counts as a draft")
  func states() throws {
    var machine = try Machine("Asia/Seoul", "2026-05-01 10:00")
    var answer = false
    answer = machine.asks(.failed)
    #expect(answer)
    #expect(machine.allowance.left == 1)
    answer = machine.asks(.running)
    #expect(answer)
    #expect(machine.allowance.left == 0)
    answer = machine.asks()
    #expect(!answer)
  }

  @Test("six a minute and twenty a day for the machine, whatever comes of them")
  func machineLimits() throws {
    var machine = try Machine("Asia/Seoul", "2026-05-01 10:00")
    var answer = false
    machine.limit = 10
    for _ in 0..<6 {
      answer = machine.asks(.failed)
      #expect(answer)
    }
    answer = machine.asks(.failed)
    #expect(!answer)
    #expect(machine.allowance.waitForMinute == 60_000)
    machine.wait(minutes: 1)
    for _ in 0..<14 {
      answer = machine.asks(.failed)
      #expect(answer)
      machine.wait(minutes: 1)
    }
    answer = machine.asks()
    #expect(!answer)
    #expect(machine.allowance.left == 0)
    try machine.set("2026-05-02 10:00")
    answer = machine.asks()
    #expect(!answer)
    try machine.set("2026-05-01 10:15")
    machine.wait(minutes: 24 * 60)
    answer = machine.asks()
    #expect(answer)
  }

  @Test("each refusal says for how long")
  func refusals() throws {
    var machine = try Machine("Asia/Seoul", "2026-05-01 22:00")
    machine.asks()
    let failure = #expect(throws: (any Error).self) { try machine.allowance.check(now: machine.wall) }
    #expect("\(String(describing: failure))".contains("retryAfterMs: Optional(7200000)"))
  }
}
