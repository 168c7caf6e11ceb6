import CivilTime
import KindVerbAPI
import SQLite
import Storage

/// Readings in the store: one row for a date, whose number is the date's. Every method runs inside the caller's transaction; changes
/// are noted in the change log by their date, never by a value.
public struct HealthStore {
  /// How many changes can be taken back.
  public static let undoSteps = 20
  /// For how many hours.
  public static let undoHours = 24
  private static let undoMilliseconds = Int64(undoHours) * 3_600_000

  private let store: Store
  private var database: Connection { store.connection }

  /// Readings of this store.
  public init(_ store: Store) { self.store = store }

  /// Whether a slot's blood pressure is recorded.
  public func isRecorded(_ date: CivilDate, _ slot: Slot) throws -> Bool {
    let parts = try database.integer("SELECT parts FROM dailyHealthRecord WHERE id = ?", date.day) ?? 0
    return parts & (slot == .morning ? 1 : 2) != 0
  }

  /// What is recorded of a date; nil if nothing is.
  public func day(_ date: CivilDate) throws -> DayRecord? {
    try database.first("SELECT * FROM dailyHealthRecord WHERE id = ?", date.day, row: Self.record)
  }

  /// What is recorded from one date to another, both included, in order. It costs what is there between them, however much there is
  /// before and after.
  public func days(from first: CivilDate, to last: CivilDate) throws -> [DayRecord] {
    try database.all(
      "SELECT * FROM dailyHealthRecord WHERE id >= ? AND id <= ? ORDER BY id", first.day, last.day, row: Self.record)
  }

  /// What is recorded of a date, without what was measured.
  struct Marks: Equatable {
    let date: CivilDate
    let morning: Bool
    let evening: Bool
    let weight: Bool
  }

  /// The dates from one to another of which something is recorded, both included, in order. What was measured goes nowhere.
  func marks(from first: CivilDate, to last: CivilDate) throws -> [Marks] {
    try database.all(
      "SELECT id, parts FROM dailyHealthRecord WHERE id >= ? AND id <= ? ORDER BY id", first.day, last.day
    ) { (row) throws(SQLiteError) in
      let parts = row.int64(1)
      return Marks(
        date: CivilDate(day: row.int(0)), morning: parts & 1 != 0, evening: parts & 2 != 0, weight: parts & 4 != 0)
    }
  }

  /// Puts a value into a part of a date, or empties it. What was there can be had back.
  func set(_ part: HealthPart, of date: CivilDate, to value: Measurement?) throws -> DayRecord? {
    let before = try day(date)
    let now = store.now()
    try remember(part, of: date, before?[part], at: now)
    let after = try keep(value, as: part, of: date, in: before, at: now)
    try store.record(topic: Topic.health.rawValue, id: date.iso, op: value == nil ? "cleared" : "updated")
    // What was taken away must not live on in a reply that is kept.
    if value == nil { try store.forgetReplies(about: date.iso) }
    return after
  }

  /// Takes back the last change that is not too old; nil if there is none.
  func undo() throws -> (date: CivilDate, part: HealthPart, record: DayRecord?)? {
    let now = store.now()
    let last = try database.first(
      """
      SELECT id, day, part, first, second, measuredAtEpochMs, offsetMinutes, at FROM healthUndo ORDER BY id DESC LIMIT 1
      """
    ) { (row) throws(SQLiteError) in
      (
        id: row.int64(0), date: CivilDate(day: row.int(1)), part: try row.choice(2, HealthPart.self),
        value: Self.value(row, at: 3), at: row.int64(7)
      )
    }
    // Only ever the newest change: to take back an older one over it would lose both.
    guard let last, last.at > now - Self.undoMilliseconds else { return nil }
    try database.run("DELETE FROM healthUndo WHERE id = ?", last.id)
    let record = try keep(last.value, as: last.part, of: last.date, in: try day(last.date), at: now)
    try store.record(topic: Topic.health.rawValue, id: last.date.iso, op: "undone")
    try store.forgetReplies(about: last.date.iso)
    return (last.date, last.part, record)
  }

  private func remember(_ part: HealthPart, of date: CivilDate, _ value: Measurement?, at now: Int64) throws {
    try database.run(
      """
      INSERT INTO healthUndo (day, part, first, second, measuredAtEpochMs, offsetMinutes, at) VALUES (?, ?, ?, ?, ?, ?, ?)
      """, date.day, part.rawValue, value?.first, value?.second, value?.measured?.atEpochMs, value?.measured?.offsetMinutes, now)
    // By number and not by age: a clock that runs ahead takes nothing away.
    try database.run("DELETE FROM healthUndo WHERE id <= ?", database.lastInsertedRow - Int64(Self.undoSteps))
  }

  private func keep(
    _ value: Measurement?, as part: HealthPart, of date: CivilDate, in before: DayRecord?, at now: Int64
  ) throws -> DayRecord? {
    var day = before ?? DayRecord(date, createdAt: now)
    day[part] = value
    day.updatedAt = now
    if day.isEmpty {
      try database.run("DELETE FROM dailyHealthRecord WHERE id = ?", date.day)
      return nil
    }
    try write(day)
    return day
  }

  private func write(_ day: DayRecord) throws {
    let (morning, evening, weight) = (day.morning, day.evening, day.weight)
    try database.run(
      """
      INSERT OR REPLACE INTO dailyHealthRecord (id, dateIso, morningSystolic, morningDiastolic, morningMeasuredAtEpochMs,
        morningOffsetMinutes, eveningSystolic, eveningDiastolic, eveningMeasuredAtEpochMs, eveningOffsetMinutes, weightTenths,
        weightMeasuredAtEpochMs, weightOffsetMinutes, createdAt, updatedAt, sum)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
        rowsum(?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15))
      """, day.date.day, day.date.iso, morning?.first, morning?.second, morning?.measured?.atEpochMs,
      morning?.measured?.offsetMinutes, evening?.first, evening?.second, evening?.measured?.atEpochMs,
      evening?.measured?.offsetMinutes, weight?.first, weight?.measured?.atEpochMs, weight?.measured?.offsetMinutes,
      day.createdAt, day.updatedAt)
  }

  /// The columns in the order of the table, which only grows at its end.
  private static func record(_ row: borrowing Row) throws(SQLiteError) -> DayRecord {
    try row.checkSum(of: 2..<16, keptIn: 16)
    var day = DayRecord(CivilDate(day: row.int(0)), createdAt: row.int64(14))
    day.morning = value(row, at: 3)
    day.evening = value(row, at: 7)
    if !row.isNull(11) { day.weight = .weight(tenths: row.int(11), measured: measured(row, at: 12)) }
    day.updatedAt = row.int64(15)
    return day
  }

  /// Two values, when and with what offset, in four columns; nil where the first holds nothing.
  private static func value(_ row: borrowing Row, at column: Int) -> Measurement? {
    if row.isNull(column) { return nil }
    return Measurement(
      first: row.int(column), second: row.optionalInt64(column + 1).map { Int($0) }, measured: measured(row, at: column + 2))
  }

  private static func measured(_ row: borrowing Row, at column: Int) -> MeasuredTime? {
    row.optionalInt64(column).map { MeasuredTime(atEpochMs: $0, offsetMinutes: row.int(column + 1)) }
  }
}
