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
        addressee, createdAt, updatedAt, completedAt, folded, sum)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
        rowsum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12))
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
      UPDATE journal SET conflictType = ?1, status = ?2, situationText = ?3, feelings = ?4, hurtText = ?5, reflectionText = ?6,
        desiredNeedText = ?7, addressee = ?8, updatedAt = ?9, completedAt = ?10, folded = ?11,
        sum = rowsum(uuid, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, createdAt, ?9, ?10) WHERE id = ?12
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

  /// A page, newest first, and whether more follow. `before` is a row. Costs the same however many journals there are.
  public func page(
    limit: Int, before: Int64?, status: JournalStatus?, conflictType: ConflictType?
  ) throws -> (journals: [JournalRecord], hasMore: Bool) {
    let before = before ?? Int64.max
    let rows = Int64(limit + 1)
    var journals: [JournalRecord]
    if status == nil, conflictType == nil {
      journals = try database.all(
        "SELECT * FROM journal WHERE id < ? ORDER BY id DESC LIMIT ?", before, rows, row: Self.record)
    } else {
      let newest = try newestRows(before: before, count: rows, status: status, conflictType: conflictType)
      journals = try newest.map { (row) throws in try get(row: row) }
    }
    let hasMore = journals.count > limit
    if hasMore { journals.removeLast() }
    return (journals, hasMore)
  }

  /// The newest rows of some statuses and kinds: each of their pairs is one stretch of an index that is in order of age, so that
  /// no more than `count` of each are looked at.
  private func newestRows(
    before: Int64, count: Int64, status: JournalStatus?, conflictType: ConflictType?
  ) throws -> [Int64] {
    var rows: [Int64] = []
    for status in status.map({ [$0] }) ?? JournalStatus.allCases {
      for type in conflictType.map({ [$0] }) ?? ConflictType.allCases {
        rows += try database.all(
          "SELECT id FROM journal WHERE status = ? AND conflictType = ? AND id < ? ORDER BY id DESC LIMIT ?", status.rawValue,
          type.rawValue, before, count
        ) { (row) throws(SQLiteError) in row.int64(0) }
      }
    }
    return Array(rows.sorted(by: >).prefix(Int(count)))
  }

  private func get(row: Int64) throws -> JournalRecord {
    guard let journal = try database.first("SELECT * FROM journal WHERE id = ?", row, row: Self.record) else {
      throw APIError(.journalNotFound, field: "id")
    }
    return journal
  }

  /// The newest draft, or nil.
  public func newestDraft() throws -> JournalRecord? {
    try newestRows(before: .max, count: 1, status: .draft, conflictType: nil).first.map { (row) throws in try get(row: row) }
  }

  /// The journal that `journalId` names, which must be complete.
  func completed(_ id: String) throws -> JournalRecord {
    let journal: JournalRecord
    do { journal = try get(id) } catch let error as APIError { throw APIError(error.key, field: "journalId") }
    guard journal.status == .completed else { throw APIError(.journalNotCompleted, field: "journalId") }
    return journal
  }

  /// Deletes a journal with its letters; the letters' ids are told as deleted as well. Answers until when a link to one of them can still
  /// be read, in milliseconds since 1970.
  public func delete(_ id: String) throws -> Int64? {
    let journal = try get(id)
    let letters = try database.all("SELECT id, uuid FROM letter WHERE journalId = ?", journal.row) { (row) throws(SQLiteError) in
      (row: row.int64(0), id: try row.text(1))
    }
    let ends = try letters.map { try ShareStore(store).noteDeletion(ofLetter: $0.row) }
    try database.run("DELETE FROM journal WHERE id = ?", journal.row)
    for letter in letters {
      try store.record(topic: Topic.letter.rawValue, id: letter.id, op: "deleted")
      try store.forgetReplies(about: letter.id)
    }
    try store.record(topic: Topic.journal.rawValue, id: id, op: "deleted")
    try store.forgetReplies(about: id)
    return ends.compactMap { $0 }.max()
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

  private func feelingsText(_ feelings: [String]) -> String {
    feelings.isEmpty ? "[]" : JSON.array(feelings.map { .string($0) }).description
  }

  private static func feelings(_ text: String) throws(SQLiteError) -> [String] {
    if text == "[]" { return [] }
    guard let items = (try? JSON.parse(text))?.arrayValue, case let feelings = items.compactMap(\.stringValue),
      feelings.count == items.count
    else { throw SQLiteError(extendedCode: 11, message: "feelings are no list of texts") }
    return feelings
  }

  /// The columns in the order of the table, which only grows at its end.
  private static func record(_ row: borrowing Row) throws(SQLiteError) -> JournalRecord {
    try row.checkSum(of: 1..<13, keptIn: 14)
    var journal = JournalRecord(
      id: try row.text(1), conflictType: try row.choice(2), createdAt: row.int64(10))
    journal.row = row.int64(0)
    journal.status = try row.choice(3)
    journal.situation = try row.optionalText(4)
    journal.feelings = try feelings(row.text(5))
    journal.hurt = try row.optionalText(6)
    journal.reflection = try row.optionalText(7)
    journal.need = try row.optionalText(8)
    journal.addressee = try row.optionalText(9)
    journal.updatedAt = row.int64(11)
    journal.completedAt = row.optionalInt64(12)
    return journal
  }
}
