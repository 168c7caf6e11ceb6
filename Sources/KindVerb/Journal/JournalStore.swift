import JSON
import KindVerbAPI
import SQLite
import Storage

/// Journals in the store. Every method runs inside the caller's transaction; changes are noted in the change log.
public struct JournalStore {
  private let store: Store
  private var database: Connection { store.connection }

  /// Journals of this store.
  public init(_ store: Store) { self.store = store }

  /// Keeps a new journal.
  public func insert(_ journal: JournalRecord) throws {
    try database.run(
      """
      INSERT INTO journal (uuid, conflictType, status, situationText, feelings, hurtText, reflectionText, desiredNeedText,
        addressee, createdAt, updatedAt, completedAt, folded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, journal.id, journal.conflictType.rawValue, journal.status.rawValue, journal.situation, feelingsText(journal.feelings),
      journal.hurt, journal.reflection, journal.need, journal.addressee, journal.createdAt, journal.updatedAt,
      journal.completedAt,
      SearchText.folded(journal))
    try store.record(topic: Topic.journal.rawValue, id: journal.id, op: "created")
  }

  /// Replaces a journal; `operation` is what the change log says of it.
  public func update(_ journal: JournalRecord, operation: String) throws {
    try database.run(
      """
      UPDATE journal SET conflictType = ?, status = ?, situationText = ?, feelings = ?, hurtText = ?, reflectionText = ?,
        desiredNeedText = ?, addressee = ?, updatedAt = ?, completedAt = ?, folded = ? WHERE id = ?
      """, journal.conflictType.rawValue, journal.status.rawValue, journal.situation, feelingsText(journal.feelings),
      journal.hurt,
      journal.reflection, journal.need, journal.addressee, journal.updatedAt, journal.completedAt, SearchText.folded(journal),
      journal.row)
    try store.record(topic: Topic.journal.rawValue, id: journal.id, op: operation)
  }

  /// The journal of that id: `error.journal.not_found` if there is none.
  public func get(_ id: String) throws -> JournalRecord {
    guard let journal = try database.first("SELECT * FROM journal WHERE uuid = ?", id, row: Self.record) else {
      throw APIError(.journalNotFound, field: "id")
    }
    return journal
  }

  /// A page, newest first, and whether more follow. `before` is a row.
  public func page(
    limit: Int, before: Int64?, status: JournalStatus?, conflictType: ConflictType?
  ) throws -> (journals: [JournalRecord], hasMore: Bool) {
    var journals = try database.all(
      """
      SELECT * FROM journal WHERE id < ?1 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR conflictType = ?3)
      ORDER BY id DESC LIMIT ?4
      """, before ?? Int64.max, status?.rawValue, conflictType?.rawValue, Int64(limit + 1), row: Self.record)
    let hasMore = journals.count > limit
    if hasMore { journals.removeLast() }
    return (journals, hasMore)
  }

  /// The newest draft, or nil.
  public func newestDraft() throws -> JournalRecord? {
    try database.first(
      "SELECT * FROM journal WHERE status = 'draft' ORDER BY id DESC LIMIT 1", row: Self.record)
  }

  /// Deletes a journal with its letters; the letters' ids are told as deleted as well.
  public func delete(_ id: String) throws {
    let journal = try get(id)
    let letters = try database.all("SELECT uuid FROM letter WHERE journalId = ?", journal.row) { (row) throws(SQLiteError) in
      try row.text(0)
    }
    try database.run("DELETE FROM journal WHERE id = ?", journal.row)
    for letter in letters {
      try store.record(topic: Topic.letter.rawValue, id: letter, op: "deleted")
      try store.forgetReplies(about: letter)
    }
    try store.record(topic: Topic.journal.rawValue, id: id, op: "deleted")
    try store.forgetReplies(about: id)
  }

  /// One slice of a search: looks at up to `rows` journals older than `position`, newest first, for `folded`, until `limit` are
  /// found. The answer's position is where the next slice begins; nil when nothing is left.
  public func search(
    folded: String, before position: Int64, rows: Int, limit: Int
  ) throws -> (found: [JournalRecord], next: Int64?) {
    let floor = try database.first(
      "SELECT id FROM journal WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?", position,
      Int64(rows - 1)
    ) { (row) throws(SQLiteError) in row.int64(0) }
    let found = try database.all(
      """
      SELECT * FROM journal WHERE id < ? AND id >= ? AND instr(folded, ?) > 0 ORDER BY id DESC LIMIT ?
      """, position, floor ?? 0, folded, Int64(limit), row: Self.record)
    return (found, found.count == limit ? nil : floor)
  }

  private func feelingsText(_ feelings: [String]) -> String { JSON.array(feelings.map { .string($0) }).description }

  /// The columns in the order of the table, which only grows at its end.
  private static func record(_ row: borrowing Row) throws(SQLiteError) -> JournalRecord {
    var journal = JournalRecord(
      id: try row.text(1), conflictType: ConflictType(rawValue: try row.text(2)) ?? .friends, createdAt: row.int64(10))
    journal.row = row.int64(0)
    journal.status = JournalStatus(rawValue: try row.text(3)) ?? .draft
    journal.situation = try row.optionalText(4)
    journal.feelings = ((try? JSON.parse(try row.text(5)))?.arrayValue ?? []).compactMap(\.stringValue)
    journal.hurt = try row.optionalText(6)
    journal.reflection = try row.optionalText(7)
    journal.need = try row.optionalText(8)
    journal.addressee = try row.optionalText(9)
    journal.updatedAt = row.int64(11)
    journal.completedAt = row.optionalInt64(12)
    return journal
  }
}
