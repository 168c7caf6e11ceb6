import KindVerbAPI
import SQLite
import Storage

/// Letters in the store. Every method runs inside the caller's transaction; changes are noted in the change log.
public struct LetterStore {
  private let store: Store
  private var database: Connection { store.connection }

  /// Letters of this store.
  public init(_ store: Store) { self.store = store }

  /// The number that the next draft of a tone gets: one more than the highest there is.
  public func nextIteration(journalRow: Int64, tone: Tone) throws -> Int {
    Int(
      try database.integer("SELECT max(iteration) FROM letter WHERE journalId = ? AND tone = ?", journalRow, tone.rawValue) ?? 0)
      + 1
  }

  /// Whether a journal has one letter and no more.
  func isOnly(ofJournal row: Int64) throws -> Bool {
    try database.integer("SELECT count(*) FROM (SELECT 1 FROM letter WHERE journalId = ? LIMIT 2)", row) == 1
  }

  /// Keeps a new letter.
  public func insert(_ letter: LetterRecord) throws {
    try database.run(
      """
      INSERT INTO letter (uuid, journalId, status, content, tone, register, language, source, aiModel, promptVersion, iteration,
        createdAt, updatedAt, finalizedAt, sum)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, NULL,
        rowsum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, NULL))
      """, letter.id, letter.journalRow, letter.status.rawValue, letter.content, letter.tone.rawValue, letter.register.rawValue,
      letter.language.rawValue, letter.source.rawValue, letter.aiModel, Int64(letter.promptVersion), Int64(letter.iteration),
      letter.createdAt, letter.updatedAt)
    try store.record(topic: Topic.letter.rawValue, id: letter.id, op: "created")
  }

  /// Keeps the new text and status of a letter; `operation` is what the change log says of it.
  public func update(_ letter: LetterRecord, operation: String) throws {
    try database.run(
      """
      UPDATE letter SET status = ?1, content = ?2, updatedAt = ?3, finalizedAt = ?4,
        sum = rowsum(uuid, journalId, ?1, ?2, tone, register, language, source, aiModel, promptVersion, iteration, createdAt, ?3, ?4)
      WHERE id = ?5
      """, letter.status.rawValue, letter.content, letter.updatedAt, letter.finalizedAt, letter.row)
    try store.record(topic: Topic.letter.rawValue, id: letter.id, op: operation)
  }

  /// The letter of that id: `error.letter.not_found` if there is none.
  public func get(_ id: String) throws -> LetterRecord {
    let found = try database.first(
      """
      SELECT letter.*, journal.uuid, aiDraft.marks FROM letter JOIN journal ON journal.id = letter.journalId
        LEFT JOIN aiDraft ON aiDraft.letterId = letter.id
      WHERE letter.uuid = ?
      """, id,
      row: Self.record)
    guard let found else { throw APIError(.letterNotFound, field: "id") }
    return found
  }

  /// A page, newest first, of one journal or of all, and whether more follow.
  public func page(journalID: String?, limit: Int, before: Int64?) throws -> (letters: [LetterRecord], hasMore: Bool) {
    var letters: [LetterRecord]
    if let journalID {
      letters = try database.all(
        """
        SELECT letter.*, journal.uuid, aiDraft.marks FROM journal JOIN letter ON letter.journalId = journal.id
          LEFT JOIN aiDraft ON aiDraft.letterId = letter.id
        WHERE journal.uuid = ?1 AND letter.id < ?2 ORDER BY letter.id DESC LIMIT ?3
        """, journalID, before ?? Int64.max, Int64(limit + 1), row: Self.record)
    } else {
      letters = try database.all(
        """
        SELECT letter.*, journal.uuid, aiDraft.marks FROM letter JOIN journal ON journal.id = letter.journalId
          LEFT JOIN aiDraft ON aiDraft.letterId = letter.id
        WHERE letter.id < ?1 ORDER BY letter.id DESC LIMIT ?2
        """, before ?? Int64.max, Int64(limit + 1), row: Self.record)
    }
    let hasMore = letters.count > limit
    if hasMore { letters.removeLast() }
    return (letters, hasMore)
  }

  /// Deletes a letter; answers until when a link to it can still be read, in milliseconds since 1970.
  public func delete(_ id: String) throws -> Int64? {
    let row = try get(id).row
    let end = try ShareStore(store).noteDeletion(ofLetter: row)
    try database.run("DELETE FROM letter WHERE id = ?", row)
    try store.record(topic: Topic.letter.rawValue, id: id, op: "deleted")
    try store.forgetReplies(about: id)
    return end
  }

  /// The columns in the order of the table; then the journal's id, and what is known of an AI's draft.
  private static func record(_ row: borrowing Row) throws(SQLiteError) -> LetterRecord {
    try row.checkSum(of: 1..<15, keptIn: 15)
    return LetterRecord(
      row: row.int64(0), id: try row.text(1), journalRow: row.int64(2), journalID: try row.text(16),
      status: try row.choice(3), content: try row.text(4), tone: try row.choice(5), register: try row.choice(6),
      language: try row.choice(7), source: try row.choice(8),
      aiModel: try row.optionalText(9), marks: try row.optionalText(17)?.split(separator: " ").map(String.init) ?? [],
      promptVersion: row.int(10), iteration: row.int(11), createdAt: row.int64(12), updatedAt: row.int64(13),
      finalizedAt: row.optionalInt64(14))
  }
}
