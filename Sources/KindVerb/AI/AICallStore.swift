import CivilTime
import KindVerbAPI
import SQLite
import Storage

/// Calls of the AI and what came of them, in the store. Every method runs inside the caller's transaction.
public struct AICallStore {
  /// Calls that are remembered: more than a day has.
  private static let kept: Int64 = 64

  private let store: Store
  private var database: Connection { store.connection }

  /// Calls of this store.
  public init(_ store: Store) { self.store = store }

  /// What is left by a clock and in a zone.
  func allowance(_ now: AIClock, _ zone: Zone, limit: Int, underway: Set<Int64>) throws -> AIAllowance {
    AIAllowance(try calls(underway), now: now, zone: zone, limit: limit)
  }

  /// One that is said to be on its way and is not has come to nothing, whatever kept that from being noted.
  private func calls(_ underway: Set<Int64>) throws -> [AICall] {
    let found = try database.all("SELECT id, boot, sinceBoot, at, offsetMinutes, state FROM aiCall ORDER BY id") {
      (row) throws(SQLiteError) in
      AICall(
        id: row.int64(0), at: AIClock(wall: row.int64(3), sinceBoot: row.int64(2), boot: try row.text(1)),
        offsetMinutes: row.int(4),
        state: try row.choice(5))
    }
    return found.map { call in
      guard call.state == .running, !underway.contains(call.id) else { return call }
      return AICall(id: call.id, at: call.at, offsetMinutes: call.offsetMinutes, state: .failed)
    }
  }

  /// A call begins. It is on disk before a byte leaves, so that no crash makes room for another.
  public func begin(_ now: AIClock, offsetMinutes: Int) throws -> Int64 {
    // What seems to lie ahead, of an earlier start, was made by a clock that was wrong: from now on it counts as made now.
    try database.run("UPDATE aiCall SET at = ?1 WHERE at > ?1 AND boot <> ?2", now.wall, now.boot)
    try database.run(
      "INSERT INTO aiCall (boot, sinceBoot, at, offsetMinutes, state) VALUES (?, ?, ?, ?, 'running')", now.boot, now.sinceBoot,
      now.wall,
      offsetMinutes)
    let id = database.lastInsertedRow
    try database.run("DELETE FROM aiCall WHERE id <= ?", id - Self.kept)
    return id
  }

  /// A call made a draft.
  public func drafted(_ id: Int64) throws {
    try database.run("UPDATE aiCall SET state = 'drafted' WHERE id = ?", id)
    try store.record(topic: Topic.ai.rawValue, id: "status", op: "updated")
  }

  /// A call came to nothing.
  public func failed(_ id: Int64) throws { try database.run("UPDATE aiCall SET state = 'failed' WHERE id = ?", id) }

  // MARK: Drafts

  /// The letter that the same input has been given; nil if there is none, or it was deleted.
  func letterID(ofInput sum: String) throws -> String? {
    try database.first(
      "SELECT letter.uuid FROM aiDraft JOIN letter ON letter.id = aiDraft.letterId WHERE aiDraft.input = ?", sum
    ) { (row) throws(SQLiteError) in try row.text(0) }
  }

  /// Remembers which input a letter was made of, and what the person should know of it.
  func remember(letterRow: Int64, input sum: String, marks: [AILetter.Mark]) throws {
    // The input of a letter that was deleted went with it; one that is there twice belongs to the newer.
    try database.run("DELETE FROM aiDraft WHERE input = ?", sum)
    try database.run(
      "INSERT INTO aiDraft (letterId, input, marks) VALUES (?, ?, ?)", letterRow, sum,
      marks.map(\.rawValue).joined(separator: " "))
  }
}
