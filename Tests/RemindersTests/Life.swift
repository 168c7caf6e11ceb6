import CivilTime
import KindVerbAPI
import Reminders
import Testing

/// A person's days: a clock, a zone, settings and readings, and what the rule makes of them. It does what the daemon does, without
/// a store and a screen.
struct Life {
  var zone: Zone
  var now: Int64
  var schedules: [SlotSchedule]
  var kept: [Occurrence.Name: Kept] = [:]
  var recorded: Set<Occurrence.Name> = []
  /// Whether a notification service is there.
  var hasService = true
  /// Every reminder that was shown, in order, with when.
  var shown: [(name: Occurrence.Name, at: Int64)] = []
  private var tried: Set<Occurrence.Name> = []
  /// When the timer goes off.
  private(set) var next: Int64?

  /// Both slots, off, at 08:00 and 21:00.
  init(_ zone: String, _ now: String) throws {
    self.zone = try #require(ZoneSource().named(zone))
    self.now = 0
    let epoch = CivilDate(day: 0)
    schedules = try [(.morning, "08:00"), (.evening, "21:00")].map { slot, time in
      SlotSchedule(slot: slot, isEnabled: false, time: try #require(TimeOfDay(time)), editedAt: 0, decided: epoch)
    }
    self.now = try instant(now)
    look()
  }

  /// When the wall shows `2026-05-01 08:00` (or `…:30`, with seconds) first.
  func instant(_ text: String) throws -> Int64 {
    let date = try #require(CivilDate(iso: String(text.prefix(10))))
    let time = try #require(TimeOfDay(String(text.dropFirst(11).prefix(5))))
    let seconds = try text.count > 16 ? #require(Int64(text.suffix(2))) : 0
    return try #require(zone.instant(of: date, time)) + seconds * 1_000
  }

  mutating func set(_ slot: Slot, _ time: String?) throws {
    let parsed = try time.map { try #require(TimeOfDay($0)) }
    for index in schedules.indices where schedules[index].slot == slot {
      schedules[index] = schedules[index].edited(isEnabled: time != nil, time: parsed, now: now, zone: zone)
      for (name, found) in kept where name.slot == slot && found.outcome == .notShown { kept[name]?.outcome = .missed }
    }
    look()
  }

  mutating func record(_ slot: Slot, _ date: String) throws {
    recorded.insert(.init(date: try #require(CivilDate(iso: date)), slot: slot))
    look()
  }

  mutating func clear(_ slot: Slot, _ date: String) throws {
    recorded.remove(.init(date: try #require(CivilDate(iso: date)), slot: slot))
    look()
  }

  mutating func serviceAppears() {
    hasService = true
    tried = []
    look()
  }

  /// What the daemon does whenever something may have changed.
  mutating func look() {
    for (name, found) in kept where found.outcome != .shown && found.dueAt > now { kept[name] = nil }
    let rule = ReminderRule(schedules, zone: zone)
    let verdict = rule.verdict(
      at: now, kept: { kept[.init(date: $0, slot: $1)] }, isRecorded: { recorded.contains(.init(date: $0, slot: $1)) })
    for occurrence in verdict.miss { kept[occurrence.name] = Kept(outcome: .missed, dueAt: occurrence.dueAt) }
    for occurrence in verdict.suppress { kept[occurrence.name] = Kept(outcome: .suppressed, dueAt: occurrence.dueAt) }
    for occurrence in verdict.ring where !tried.contains(occurrence.name) {
      kept[occurrence.name] = Kept(outcome: hasService ? .shown : .notShown, dueAt: occurrence.dueAt)
      if hasService { shown.append((occurrence.name, now)) } else { tried.insert(occurrence.name) }
    }
    for index in schedules.indices {
      if let decided = verdict.decided[schedules[index].slot] { schedules[index].decided = decided }
    }
    next = verdict.next
    if let next { #expect(next > now) }
  }

  /// Time goes on to an instant, and the timer goes off whenever it should.
  mutating func live(until end: Int64) {
    while let wanted = next, wanted <= end {
      now = max(now, wanted)
      look()
    }
    now = end
  }

  mutating func live(until text: String) throws { live(until: try instant(text)) }

  /// The machine sleeps, or the daemon is stopped, or the clock is set: nothing goes off on the way.
  mutating func jump(to text: String) throws {
    now = try instant(text)
    look()
  }

  /// What was shown, as `2026-05-01/morning 08:00`, by the zone of now.
  var story: [String] {
    shown.map { name, at in
      let second = zone.civil(at: at).second
      return "\(name.id) \(TimeOfDay(minute: second / 60)?.text ?? "?")"
    }
  }

  func outcome(_ slot: Slot, _ date: String) -> ReminderOutcome? {
    CivilDate(iso: date).flatMap { kept[.init(date: $0, slot: slot)]?.outcome }
  }
}
