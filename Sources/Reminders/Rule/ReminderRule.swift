import CivilTime
import KindVerbAPI

/// When a reminder is due, and whether it is shown. No clock, no store: an instant, a zone and what is known go in, decisions come
/// out. Wall-clock times are turned into instants anew each time, so nothing that was decided in another zone, or before the
/// clock was set, is taken for true.
public struct ReminderRule: Sendable {
  /// The longest that a reminder may come late, in milliseconds: 4 hours (product rule 8).
  public static let longestDelay: Int64 = 4 * 3_600_000
  /// How far an edit may lie ahead before it counts as made by a clock that ran ahead, in milliseconds: 5 minutes.
  static let editAhead: Int64 = 5 * 60_000
  /// Dates in the past that are told as missed one by one, after a long time off or a clock that ran ahead.
  public static let longestPast = 400

  /// The zone in force.
  public let zone: Zone
  /// The schedules, one for each slot.
  public let schedules: [SlotSchedule]

  /// A rule of these schedules in a zone.
  public init(_ schedules: [SlotSchedule], zone: Zone) {
    self.schedules = schedules
    self.zone = zone
  }

  /// What must be done now.
  public struct Verdict: Equatable, Sendable {
    /// Due, within their window and not recorded: to be shown unless that was tried in vain and nothing has changed since.
    public var ring: [Occurrence] = []
    /// Recorded when they were due: nothing is shown, which is kept.
    public var suppress: [Occurrence] = []
    /// Not recorded, and too late: kept as missed.
    public var miss: [Occurrence] = []
    /// How far each slot is decided once this is done.
    public var decided: [Slot: CivilDate] = [:]
    /// When to look again, in milliseconds since 1970, always later than now; nil while nothing is switched on.
    public var next: Int64?
  }

  /// What must be done at an instant, from what became of earlier dates and what is recorded.
  public func verdict(
    at now: Int64, kept: (CivilDate, Slot) throws -> Kept?, isRecorded: (CivilDate, Slot) throws -> Bool
  ) rethrows -> Verdict {
    var verdict = Verdict()
    let today = zone.date(at: now)
    for schedule in schedules where schedule.isEnabled {
      var isContiguous = true
      for date in stride(from: firstOpen(schedule, today, now), through: today.day, by: 1) {
        let date = CivilDate(day: date)
        if let dueAt = schedule.due(on: date, in: zone) {
          if dueAt > now { break }
          if counts(dueAt, schedule, now) {
            let isDecided = try decide(occurrence(schedule.slot, date, dueAt), now, kept, isRecorded, &verdict)
            isContiguous = isContiguous && isDecided
          }
        }
        if isContiguous { verdict.decided[schedule.slot] = date }
      }
    }
    verdict.next = nextLook(after: now, verdict.ring)
    return verdict
  }

  /// Puts an occurrence that is due where it belongs; whether that is the last word on it.
  private func decide(
    _ occurrence: Occurrence, _ now: Int64, _ kept: (CivilDate, Slot) throws -> Kept?,
    _ isRecorded: (CivilDate, Slot) throws -> Bool, _ verdict: inout Verdict
  ) rethrows -> Bool {
    let before = try kept(occurrence.date, occurrence.slot)
    let isInTime = now < occurrence.endsAt
    switch before?.outcome {
    case .shown: return true
    // The decision was taken when it was due. Another time, after an edit or in another zone, is another decision.
    case .suppressed where !isInTime || before?.dueAt == occurrence.dueAt: return true
    // A clock that ran ahead told it as missed: nothing was shown, and there still is time.
    case .missed where !isInTime: return true
    default: break
    }
    if try isRecorded(occurrence.date, occurrence.slot) {
      verdict.suppress.append(occurrence)
      return true
    }
    if isInTime {
      verdict.ring.append(occurrence)
      return false
    }
    verdict.miss.append(occurrence)
    return true
  }

  /// The first date that may still be open, as a day's number: always yesterday and today, in case the clock or the zone went back.
  private func firstOpen(_ schedule: SlotSchedule, _ today: CivilDate, _ now: Int64) -> Int {
    let open = min(schedule.decided.day + 1, today.day - 1)
    let edited = isByClockAhead(schedule, now) ? today.day : zone.date(at: schedule.editedAt).day - 1
    return max(open, edited, today.day - Self.longestPast)
  }

  /// Whether a schedule was set by a clock that ran ahead: until the clock gets there, every day from today on counts.
  private func isByClockAhead(_ schedule: SlotSchedule, _ now: Int64) -> Bool { schedule.editedAt > now + Self.editAhead }

  /// Whether what is due then is due by the schedule as it is now.
  private func counts(_ dueAt: Int64, _ schedule: SlotSchedule, _ now: Int64) -> Bool {
    dueAt > schedule.editedAt || isByClockAhead(schedule, now)
  }

  /// A date's reminder of a slot with its window.
  private func occurrence(_ slot: Slot, _ date: CivilDate, _ dueAt: Int64) -> Occurrence {
    var endsAt = dueAt + Self.longestDelay
    // No slot's time can come within the longest delay but those of the dates around.
    for other in schedules where other.isEnabled {
      for day in -1...1 {
        guard let due = other.due(on: date.adding(days: day), in: zone), due > dueAt else { continue }
        endsAt = min(endsAt, due)
      }
    }
    return Occurrence(date: date, slot: slot, dueAt: dueAt, endsAt: endsAt)
  }

  /// The reminders that may stand on the screen at an instant: due, and not too late.
  func open(at now: Int64) -> Set<Occurrence.Name> {
    var names: Set<Occurrence.Name> = []
    let today = zone.date(at: now)
    for schedule in schedules where schedule.isEnabled {
      for day in -1...0 {
        let date = today.adding(days: day)
        guard let dueAt = schedule.due(on: date, in: zone), dueAt <= now else { continue }
        let occurrence = occurrence(schedule.slot, date, dueAt)
        if now < occurrence.endsAt { names.insert(occurrence.name) }
      }
    }
    return names
  }

  private func nextLook(after now: Int64, _ open: [Occurrence]) -> Int64? {
    let today = zone.date(at: now)
    var next: Int64?
    for schedule in schedules where schedule.isEnabled {
      if let due = dues(of: schedule, after: now, today, limit: 1).first { next = min(next ?? due.dueAt, due.dueAt) }
    }
    for occurrence in open { next = min(next ?? occurrence.endsAt, occurrence.endsAt) }
    return next
  }

  /// The next dates of a slot that are due later than an instant, in order, with when.
  private func dues(
    of schedule: SlotSchedule, after now: Int64, _ today: CivilDate, limit: Int
  ) -> [(date: CivilDate, dueAt: Int64)] {
    var found: [(CivilDate, Int64)] = []
    // The evening of yesterday may be due by night.
    var date = today.adding(days: -1)
    // A date or two may be left out by the zone.
    for _ in 0..<limit + 4 where found.count < limit {
      if let dueAt = schedule.due(on: date, in: zone), dueAt > now, counts(dueAt, schedule, now) { found.append((date, dueAt)) }
      date = date.adding(days: 1)
    }
    return found
  }

  /// The next occurrences that are due later than an instant, in order; of two at the same instant the morning's comes first.
  public func upcoming(after now: Int64, limit: Int) -> [Occurrence] {
    let today = zone.date(at: now)
    let found = schedules.filter(\.isEnabled).flatMap { schedule in
      dues(of: schedule, after: now, today, limit: limit).map { occurrence(schedule.slot, $0.date, $0.dueAt) }
    }
    let ordered = found.sorted { ($0.dueAt, $0.slot == .morning ? 0 : 1) < ($1.dueAt, $1.slot == .morning ? 0 : 1) }
    return Array(ordered.prefix(limit))
  }
}
