import KindVerbAPI
import Outbox
import SQLite
import Storage

/// Links in the store. Every method runs inside the caller's transaction; changes are noted in the change log by the outbox.
public struct ShareStore {
  /// What the outbox knows links by: the topic of their changes.
  public static let kind = Topic.share.rawValue
  /// How long a link that has expired stays on the list, in days.
  public static let expiredDays = 30

  private let store: Store
  private let outbox: OutboxStore
  private var database: Connection { store.connection }

  /// Links of this store.
  public init(_ store: Store) {
    self.store = store
    outbox = OutboxStore(store)
  }

  /// Hands a letter in under a new id.
  func insert(letterRow: Int64, contentHash: String, days: Int) throws -> ShareRecord {
    let id = store.newRandomID()
    let outboxRow = try outbox.add(kind: Self.kind, subject: id)
    try database.run(
      "INSERT INTO share (uuid, letterId, outboxId, contentHash, expiresInDays) VALUES (?, ?, ?, ?, ?)", id, letterRow, outboxRow,
      contentHash, days)
    return try get(id)
  }

  /// The link of that id: `error.share.not_found` if there is none.
  func get(_ id: String) throws -> ShareRecord {
    guard let found = try find(id) else { throw APIError(.shareNotFound, field: "id") }
    return found
  }

  /// The link of that id, if there is one.
  public func find(_ id: String) throws -> ShareRecord? {
    try database.first("SELECT * FROM link WHERE uuid = ?", id, row: Self.record)
  }

  /// A letter's newest link.
  func newest(ofLetter row: Int64) throws -> ShareRecord? {
    try database.first("SELECT * FROM link WHERE letterId = ? ORDER BY shareId DESC LIMIT 1", row, row: Self.record)
  }

  /// A page, newest first, and whether more follow.
  func page(
    letterID: String?, status: DeliveryState?, limit: Int, before: Int64?
  ) throws -> (shares: [ShareRecord], hasMore: Bool) {
    var shares = try database.all(
      """
      SELECT * FROM link WHERE shareId < ?1 AND (?2 IS NULL OR letterUuid = ?2) AND (?3 IS NULL OR state = ?3)
      ORDER BY shareId DESC LIMIT ?4
      """, before ?? Int64.max, letterID, status?.rawValue, Int64(limit + 1), row: Self.record)
    let hasMore = shares.count > limit
    if hasMore { shares.removeLast() }
    return (shares, hasMore)
  }

  /// Chooses the days of a link that nobody can have seen.
  func update(_ share: ShareRecord, days: Int) throws {
    try database.run("UPDATE share SET expiresInDays = ? WHERE id = ?", days, share.row)
  }

  /// Fixes what the document says of its end, before it is sent.
  func update(_ share: ShareRecord, expireAt: Int64) throws {
    try database.run("UPDATE share SET expireAt = ? WHERE id = ?", expireAt, share.row)
  }

  /// It is there.
  func update(_ share: ShareRecord, url: String, isConfirmed: Bool) throws {
    try database.run(
      "UPDATE share SET remoteId = uuid, url = ?, expiresAt = expireAt, isConfirmed = ? WHERE id = ?", url, isConfirmed ? 1 : 0,
      share.row)
  }

  /// Forgets a link.
  func delete(_ share: ShareRecord) throws {
    try outbox.remove(share.item.id)
    try store.forgetReplies(about: share.id)
  }

  /// Notes that a letter's links go with it: the table takes them away, and whoever follows links hears of it. Answers until when one of
  /// them can, or may, still be read at the service, in milliseconds since 1970.
  func noteDeletion(ofLetter row: Int64) throws -> Int64? {
    let ids = try database.all("SELECT uuid FROM share WHERE letterId = ? ORDER BY id", row) { (row) throws(SQLiteError) in
      try row.text(0)
    }
    var end: Int64?
    for id in ids {
      end = [end, try find(id)?.livesUntil(store.now())].compactMap { $0 }.max()
      try store.record(topic: Self.kind, id: id, op: "deleted")
      try store.forgetReplies(about: id)
    }
    return end
  }

  /// The ids of links that may be there and have not expired: whoever forgets one of them makes the letter's next link a second one.
  public func unresolved(now: Int64) throws -> Set<String> {
    Set(
      try database.all("SELECT subject FROM link WHERE mayHaveArrived = 1 AND expireAt > ?", now) { (row) throws(SQLiteError) in
        try row.text(0)
      })
  }

  /// Forgets links that expired long ago; answers when there is more to forget, in milliseconds since 1970.
  public func purge(now: Int64) throws -> Int64? {
    let kept = Int64(Self.expiredDays) * 86_400_000
    let old = try database.all("SELECT outboxId FROM share WHERE expiresAt <= ?", now - kept) { (row) throws(SQLiteError) in
      row.int64(0)
    }
    for id in old { try outbox.remove(id) }
    return try database.integer("SELECT min(expiresAt) FROM share").map { $0 + kept }
  }

  /// The outbox's columns, then the link's.
  private static func record(_ row: borrowing Row) throws(SQLiteError) -> ShareRecord {
    let item = try OutboxStore.item(row)
    return ShareRecord(
      row: row.int64(11), id: item.subject, letterRow: row.int64(13), letterID: try row.text(14), item: item,
      contentHash: try row.text(15), expiresInDays: row.int(16), expireAt: row.optionalInt64(17), isConfirmed: row.int(18) != 0,
      url: try row.optionalText(19))
  }
}
