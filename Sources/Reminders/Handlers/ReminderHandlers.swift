import CivilTime
import KindVerbAPI
import SQLite
import Storage

/// The `reminder.` methods that need no notification service: from the wire to the rule to the store and back. Each runs inside the
/// caller's transaction.
public struct ReminderHandlers {
  /// Reminders to come where a call names no limit: two days of them.
  static let upcomingItems = 4
  /// Items of a page of the history where a call names no limit.
  static let pageItems = 20

  private let store: Store
  private let reminders: ReminderStore
  private let zone: Zone
  private let problem: ZoneSource.Problem?
  private let isRecorded: (CivilDate, Slot) throws -> Bool

  /// Handlers on a store, with the zone in force and what tells whether a slot is recorded.
  public init(
    _ store: Store, zone: (zone: Zone, problem: ZoneSource.Problem?), isRecorded: @escaping (CivilDate, Slot) throws -> Bool
  ) {
    self.store = store
    reminders = ReminderStore(store)
    self.zone = zone.zone
    problem = zone.problem
    self.isRecorded = isRecorded
  }

  /// `reminder.settings.get`
  public func settings() throws -> ReminderSettings {
    let schedules = try reminders.schedules()
    let updatedAt = schedules.map(\.editedAt).max() ?? 0
    guard let morning = schedules.first(where: { $0.slot == .morning }),
      let evening = schedules.first(where: { $0.slot == .evening })
    else { throw SQLiteError(extendedCode: 11, message: "a slot has no schedule") }
    return ReminderSettings(
      morningEnabled: morning.isEnabled, morningTime: morning.time.text, eveningEnabled: evening.isEnabled,
      eveningTime: evening.time.text, updatedAt: updatedAt == 0 ? nil : Instant.text(updatedAt))
  }

  /// `reminder.settings.set`
  public func set(_ params: Methods.ReminderSettingsSet.Params) throws -> ReminderSettings {
    let morning = try Self.time(params.morningTime, "morningTime")
    let evening = try Self.time(params.eveningTime, "eveningTime")
    let now = store.now()
    for schedule in try reminders.schedules() {
      let isMorning = schedule.slot == .morning
      let edited = schedule.edited(
        isEnabled: isMorning ? params.morningEnabled : params.eveningEnabled, time: isMorning ? morning : evening, now: now,
        zone: zone)
      if edited != schedule { try reminders.update(edited) }
    }
    return try settings()
  }

  private static func time(_ text: String?, _ field: String) throws(APIError) -> TimeOfDay? {
    guard let text else { return nil }
    guard let time = TimeOfDay(text) else {
      var failure = APIError(.reminderTimeInvalid, field: field)
      failure.expected = "HH:MM"
      throw failure
    }
    return time
  }

  /// `reminder.upcoming`
  public func upcoming(_ params: Methods.ReminderUpcoming.Params) throws -> UpcomingReminders {
    let limit = params.limit ?? Self.upcomingItems
    let now = store.now()
    let rule = ReminderRule(try reminders.schedules(), zone: zone)
    let waiting = try rule.verdict(at: now, kept: reminders.kept, isRecorded: isRecorded).ring
    let items =
      try waiting.map { item($0, .waiting) }
      + rule.upcoming(after: now, limit: limit).map { try item($0, state(of: $0)) }
    return UpcomingReminders(
      items: Array(items.prefix(limit)), today: zone.date(at: now).iso, utcOffsetMinutes: zone.offset(at: now) / 60,
      zoneProblem: problem.flatMap(Self.problem))
  }

  private func state(of occurrence: Occurrence) throws -> ReminderState {
    if try reminders.kept(occurrence.date, occurrence.slot)?.outcome == .shown { return .shown }
    return try isRecorded(occurrence.date, occurrence.slot) ? .recorded : .scheduled
  }

  private func item(_ occurrence: Occurrence, _ state: ReminderState) -> UpcomingReminder {
    UpcomingReminder(
      slot: occurrence.slot, dateIso: occurrence.date.iso,
      localTime: TimeOfDay(minute: zone.civil(at: occurrence.dueAt).second / 60)?.text ?? "",
      dueAt: Instant.text(occurrence.dueAt),
      endsAt: Instant.text(occurrence.endsAt), state: state)
  }

  private static func problem(_ problem: ZoneSource.Problem) -> ZoneProblem? {
    switch problem {
    case .unknownZone: .unknownZone
    case .unreadableFile: .unreadableFile
    case .missingFile: nil
    }
  }

  /// `reminder.history`
  public func history(_ params: Methods.ReminderHistory.Params) throws -> PastReminders {
    let page = try reminders.history(limit: params.limit ?? Self.pageItems, before: try PageCursor.row(params.before))
    return PastReminders(items: page.items, next: page.next.map(String.init))
  }
}
