import SQLite

/// The reply that a call with an idempotency key got.
public struct RememberedReply: Equatable, Sendable {
  /// What tells the call apart from others.
  public let fingerprint: [UInt8]
  /// The result as JSON text; nil if what it spoke of has been deleted.
  public let reply: [UInt8]?
}

extension Store {
  /// For how many hours a key is remembered.
  public static let idempotencyHours = 24

  /// What was replied under a key; nil if nothing was, or too long ago.
  public func reply(forKey key: String) throws(SQLiteError) -> RememberedReply? {
    let oldest = now() - Int64(Self.idempotencyHours) * 3_600_000
    return try connection.first(
      "SELECT fingerprint, reply FROM idempotency WHERE key = ? AND createdAt > ?", key, oldest
    ) { (row) throws(SQLiteError) in RememberedReply(fingerprint: row.bytes(0), reply: row.optionalBytes(1)) }
  }

  /// Remembers a reply with the effect it speaks of, in the same transaction; a few that are too old go.
  public func remember(
    key: String, method: String, fingerprint: [UInt8], reply: [UInt8], subjects: [String]
  ) throws(SQLiteError) {
    let now = now()
    let oldest = now - Int64(Self.idempotencyHours) * 3_600_000
    // Only the oldest are looked at: a search for old ones among all would cost more with every key.
    try connection.run(
      """
      DELETE FROM idempotency WHERE id IN
        (SELECT id FROM (SELECT id, createdAt FROM idempotency ORDER BY id LIMIT 32) WHERE createdAt <= ?)
      """, oldest)
    try connection.run("DELETE FROM idempotency WHERE key = ?", key)
    try connection.run(
      "INSERT INTO idempotency (key, method, fingerprint, reply, createdAt) VALUES (?, ?, ?, ?, ?)", key, method, fingerprint,
      reply, now)
    let row = connection.lastInsertedRow
    for subject in subjects {
      try connection.run("INSERT INTO idempotencySubject (subject, replyId) VALUES (?, ?)", subject, row)
    }
  }

  /// Empties the replies that speak of something that is being deleted: its words must not live on in them.
  public func forgetReplies(about subject: String) throws(SQLiteError) {
    try connection.run(
      "UPDATE idempotency SET reply = NULL WHERE id IN (SELECT replyId FROM idempotencySubject WHERE subject = ?)", subject)
  }

  /// A setting's value; nil if it was never chosen.
  public func setting(_ name: String) throws(SQLiteError) -> String? {
    try connection.first("SELECT value FROM setting WHERE name = ?", name) { (row) throws(SQLiteError) in try row.text(0) }
  }

  /// Sets or, with nil, forgets a setting; the change log says that it was updated.
  public func setSetting(_ name: String, _ value: String?) throws(SQLiteError) {
    try keepSetting(name, value)
    try record(topic: "settings", id: name, op: "updated")
  }

  /// Sets or, with nil, forgets a setting of an area that tells its changes itself.
  public func keepSetting(_ name: String, _ value: String?) throws(SQLiteError) {
    if let value {
      try connection.run(
        "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", name, value)
    } else {
      try connection.run("DELETE FROM setting WHERE name = ?", name)
    }
  }
}
