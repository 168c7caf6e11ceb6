import CivilTime
import KindVerbAPI
import SQLite
import Storage

/// Schedules and what became of their reminders, in the store. Every method runs inside the caller's transaction; changes are noted
/// in the change log.
public struct ReminderStore {
  /// What became of this many dates and slots is kept: eleven years of two a day, half of them such as were shown. By number and not by
  /// age, so that a clock that runs ahead takes nothing away.
  public static let kept = 8_000

  private let store: Store
  private var database: Connection { store.connection }

  /// Reminders of this store.
  public init(_ store: Store) { self.store = store }

  // MARK: Schedules

  /// Both schedules, the morning's first.
  public func schedules() throws -> [SlotSchedule] {
    try database.all(
      "SELECT slot, enabled, minuteOfDay, editedAt, decidedDay FROM reminderSlot ORDER BY slot DESC"
    ) { (row) throws(SQLiteError) -> SlotSchedule in
      guard let time = TimeOfDay(minute: row.int(2)) else { throw SQLiteError(extendedCode: 11, message: "no time of day") }
      return SlotSchedule(
        slot: try row.choice(0), isEnabled: row.int(1) != 0, time: time, editedAt: row.int64(3),
        decided: CivilDate(day: row.int(4)))
    }
  }

  /// Keeps an edited schedule. What waits to be shown by the old one waits no longer, unless the new one asks for it.
  public func update(_ schedule: SlotSchedule) throws {
    try database.run(
      "UPDATE reminderSlot SET enabled = ?, minuteOfDay = ?, editedAt = ?, decidedDay = ? WHERE slot = ?",
      schedule.isEnabled ? 1 : 0, schedule.time.minute, schedule.editedAt, schedule.decided.day, schedule.slot.rawValue)
    let waiting = try database.all(
      "SELECT day, dueAt FROM reminder WHERE slot = ? AND outcome = 'notShown'", schedule.slot.rawValue
    ) { (row) throws(SQLiteError) in (date: CivilDate(day: row.int(0)), dueAt: row.int64(1)) }
    for one in waiting { try keep(.missed, Occurrence.Name(date: one.date, slot: schedule.slot), dueAt: one.dueAt) }
    try store.record(topic: Topic.reminder.rawValue, id: "settings", op: "updated")
  }

  /// Notes how far a slot is decided; no change that anybody is told of.
  func decide(_ slot: Slot, _ date: CivilDate) throws {
    try database.run("UPDATE reminderSlot SET decidedDay = ? WHERE slot = ?", date.day, slot.rawValue)
  }

  // MARK: What became of them

  /// What became of a date's reminder; nil if nothing has yet.
  public func kept(_ date: CivilDate, _ slot: Slot) throws -> Kept? {
    try database.first("SELECT outcome, dueAt FROM reminder WHERE day = ? AND slot = ?", date.day, slot.rawValue) {
      (row) throws(SQLiteError) in Kept(outcome: try row.choice(0), dueAt: row.int64(1))
    }
  }

  /// Keeps what became of a date's reminder, in the place of what was kept before. `isTold` is whether subscribers hear of it.
  func keep(_ outcome: ReminderOutcome, _ name: Occurrence.Name, dueAt: Int64, isTold: Bool = true) throws {
    let handed = try handed(name)
    // In a row of its own, so that the newest decision is the newest row.
    try database.run("DELETE FROM reminder WHERE day = ? AND slot = ?", name.date.day, name.slot.rawValue)
    try database.run(
      "INSERT INTO reminder (day, slot, outcome, dueAt, at, handovers, handedTo) VALUES (?, ?, ?, ?, ?, ?, ?)", name.date.day,
      name.slot.rawValue, outcome.rawValue, dueAt, store.now(), handed.times, handed.to)
    if database.lastInsertedRow % 64 == 0 { try trim() }
    if isTold { try store.record(topic: Topic.reminder.rawValue, id: name.id, op: outcome.rawValue) }
  }

  /// The oldest beyond ``kept`` go: of those that were shown and of the others each for itself, so that no flood of what was missed
  /// by a clock that ran ahead makes anybody forget what was shown.
  private func trim() throws {
    try database.run(
      """
      DELETE FROM reminder WHERE outcome = 'shown' AND id <=
        (SELECT id FROM reminder WHERE outcome = 'shown' ORDER BY id DESC LIMIT 1 OFFSET ?)
      """, Self.kept / 2)
    try database.run(
      """
      DELETE FROM reminder WHERE outcome <> 'shown' AND id <=
        (SELECT id FROM reminder WHERE outcome <> 'shown' ORDER BY id DESC LIMIT 1 OFFSET ?)
      """, Self.kept / 2)
  }

  /// How often a date's reminder was handed to a service, and to which one last.
  func handed(_ name: Occurrence.Name) throws -> (times: Int, to: String?) {
    try database.first("SELECT handovers, handedTo FROM reminder WHERE day = ? AND slot = ?", name.date.day, name.slot.rawValue) {
      (row) throws(SQLiteError) in (row.int(0), try row.optionalText(1))
    } ?? (0, nil)
  }

  /// Notes that the service that had it has refused it, and shows it surely not.
  func noteRefusal(_ name: Occurrence.Name) throws {
    try database.run("UPDATE reminder SET handedTo = NULL WHERE day = ? AND slot = ?", name.date.day, name.slot.rawValue)
  }

  /// Notes that it is about to be handed to a service.
  func noteHandover(_ name: Occurrence.Name, to service: String) throws {
    try database.run(
      "UPDATE reminder SET handovers = handovers + 1, handedTo = ? WHERE day = ? AND slot = ?", service, name.date.day,
      name.slot.rawValue)
  }

  /// Takes back what was decided of reminders that are not due yet, as a clock that ran ahead had it. What was shown was shown, and to
  /// whom one was handed over stays known.
  func forgetUndue(at now: Int64) throws {
    try database.run("DELETE FROM reminder WHERE outcome <> 'shown' AND dueAt > ? AND handovers = 0", now)
    let forgotten = database.changedRows
    try database.run(
      "UPDATE reminder SET outcome = 'notShown' WHERE outcome <> 'shown' AND outcome <> 'notShown' AND dueAt > ?", now)
    if forgotten + database.changedRows > 0 { try store.record(topic: Topic.reminder.rawValue, id: "history", op: "revised") }
  }

  /// Notes that a reminder was clicked; false if that is known already, or the reminder is not.
  @discardableResult
  public func activate(_ name: Occurrence.Name) throws -> Bool {
    try database.run(
      "UPDATE reminder SET activatedAt = ? WHERE day = ? AND slot = ? AND activatedAt IS NULL", store.now(), name.date.day,
      name.slot.rawValue)
    guard database.changedRows > 0 else { return false }
    try store.record(topic: Topic.reminder.rawValue, id: name.id, op: "activated")
    return true
  }

  /// A page of the history, the newest decision first, and where the next begins.
  public func history(limit: Int, before: Int64?) throws -> (items: [PastReminder], next: Int64?) {
    let rows = try database.all(
      "SELECT id, day, slot, outcome, dueAt, at, activatedAt FROM reminder WHERE id < ? ORDER BY id DESC LIMIT ?",
      before ?? .max, Int64(limit + 1)
    ) { (row) throws(SQLiteError) -> (Int64, PastReminder) in
      let (dueAt, at) = (row.int64(4), row.int64(5))
      let item = PastReminder(
        slot: try row.choice(2), dateIso: CivilDate(day: row.int(1)).iso, outcome: try row.choice(3),
        dueAt: Instant.text(dueAt), at: Instant.text(at), lateBySeconds: Int(max(0, at - dueAt) / 1_000),
        activatedAt: row.optionalInt64(6).map(Instant.text))
      return (row.int64(0), item)
    }
    let page = rows.prefix(limit)
    return (page.map(\.1), rows.count > limit ? page.last?.0 : nil)
  }
}
