import SQLite

/// Where a cursor leads.
public enum CursorPlace: Equatable, Sendable {
  /// After the change of this number.
  case at(Int64)
  /// Nowhere: the reason, in the contract's words.
  case stale(String)
}

/// What a subscriber missed.
public struct MissedChanges: Sendable {
  /// The changes; only the last of each thing when there were many.
  public var changes: [ChangeRecord] = []
  /// Whether they are all; if not, there are too many to tell.
  public var isComplete = true
  /// How many changes there were before merging.
  public var total = 0
  /// The newest number looked at.
  public var newest: Int64
}

extension Store {
  /// How many changes are kept for subscribers that come back.
  public static let changesKept = 100_000
  /// For how many days.
  public static let changeDaysKept = 30

  /// The number of the newest committed change; 0 if there was none.
  public func newestChange() throws(SQLiteError) -> Int64 { committedSeq }

  /// Only whole beginnings go, so that the history that is kept has no gap even when the clock was set back; and never the newest,
  /// whose number the next one follows.
  func trimChanges(newest: Int64, now: Int64) throws(SQLiteError) {
    let oldest = now - Int64(Self.changeDaysKept) * Self.dayMilliseconds
    let firstKept = try connection.integer(
      """
      SELECT seq FROM (SELECT seq, at FROM change ORDER BY seq LIMIT 4096) WHERE seq > ? AND at >= ? ORDER BY seq LIMIT 1
      """, newest - Int64(Self.changesKept), oldest)
    let end = try connection.integer("SELECT max(seq) FROM (SELECT seq FROM change ORDER BY seq LIMIT 4096)") ?? newest
    try connection.run("DELETE FROM change WHERE seq < ?", min(firstKept ?? end, newest))
  }

  /// The changes of some topics after a number. Up to `limit` they come one by one; more are merged to the last change of each
  /// thing; if those are more than `limit` still, none are given.
  public func mergedChanges(after seq: Int64, topics: [String], limit: Int) throws(SQLiteError) -> MissedChanges {
    var missed = MissedChanges(newest: committedSeq)
    let wanted = Set(topics)
    var last: [String: ChangeRecord] = [:]
    let statement = try connection.statement(
      "SELECT seq, topic, entityId, op, at FROM change WHERE seq > ? AND seq <= ? ORDER BY seq")
    try statement.bind(seq, at: 1)
    try statement.bind(committedSeq, at: 2)
    while try statement.step() {
      let row = statement.row
      let topic = try row.text(1)
      guard wanted.contains(topic) else { continue }
      let change = ChangeRecord(seq: row.int64(0), topic: topic, id: try row.text(2), op: try row.text(3), at: row.int64(4))
      missed.total += 1
      if missed.total <= limit { missed.changes.append(change) }
      last["\(topic) \(change.id)"] = change
      if last.count > limit { missed.isComplete = false }
    }
    if !missed.isComplete {
      missed.changes = []
    } else if missed.total > limit {
      missed.changes = last.values.sorted { $0.seq < $1.seq }
    }
    return missed
  }

  /// The cursor that resumes after a change, for a set of topics: `<number>-<store>-<topics>`.
  public func cursor(at seq: Int64, topics: [String]) -> String { "\(seq)-\(storeID)-\(Self.sum(topics))" }

  /// Where a cursor leads for a set of topics.
  public func resume(_ cursor: String, topics: [String]) throws(SQLiteError) -> CursorPlace {
    let parts = cursor.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let seq = Int64(parts[0]), seq >= 0 else { return .stale("malformed") }
    guard parts[1] == storeID else { return .stale("other_store") }
    guard parts[2] == Self.sum(topics) else { return .stale("other_topics") }
    guard seq <= committedSeq else { return .stale("ahead") }
    if seq == committedSeq { return .at(seq) }
    let oldest = try connection.integer("SELECT min(seq) FROM change") ?? committedSeq + 1
    return oldest <= seq + 1 ? .at(seq) : .stale("history_trimmed")
  }

  /// A short sum of the topics' names in a fixed order (32 bits of FNV-1a).
  private static func sum(_ topics: [String]) -> String {
    let text = topics.sorted().joined(separator: ",")
    return String(text.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }, radix: 16)
  }
}
