import SQLite

/// Where a cursor leads.
public enum CursorPlace: Equatable, Sendable {
  /// After the change of this number.
  case at(Int64)
  /// Nowhere: the reason, in the contract's words.
  case stale(String)
}

/// What a subscriber missed, read from the log piece by piece. Up to the limit changes come one by one; more are merged to the last
/// change of each thing; once those are more than the limit too, the rest is only counted. So it never holds more than the limit.
public struct MissedChanges: Sendable {
  /// How many changes there were before merging.
  public private(set) var total = 0
  /// The newest number looked at.
  public private(set) var newest: Int64
  /// Whether the changes can be told; if not, there are too many, or some are in the log no more.
  public private(set) var isComplete = true

  private let topics: Set<String>
  private let limit: Int
  private var single: [ChangeRecord] = []
  private var last: [String: ChangeRecord] = [:]

  /// Nothing read yet of what came after a number, of some topics.
  public init(after seq: Int64, topics: [String], limit: Int) {
    newest = seq
    self.topics = Set(topics)
    self.limit = limit
  }

  /// The changes, in order; only the last of each thing when there were many, and none when there are too many to tell.
  public var changes: [ChangeRecord] {
    if !isComplete { return [] }
    return total <= limit ? single : last.values.sorted { $0.seq < $1.seq }
  }

  private mutating func take(_ change: ChangeRecord) {
    newest = change.seq
    guard topics.contains(change.topic) else { return }
    total += 1
    guard isComplete else { return }
    if total <= limit { single.append(change) } else { single = [] }
    last["\(change.topic) \(change.id)"] = change
    if last.count > limit { giveUp() }
  }

  private mutating func giveUp() {
    isComplete = false
    single = []
    last = [:]
  }

  /// Reads up to `rows` more committed changes; true when there are no more.
  mutating func read(_ store: Store, rows: Int) throws(SQLiteError) -> Bool {
    // What was trimmed before it was read, also between two pieces, can only be told as a gap.
    let oldest = try store.connection.integer("SELECT min(seq) FROM change") ?? newest + 1
    if oldest > newest + 1 {
      total += Int(oldest - newest - 1)
      newest = oldest - 1
      giveUp()
    }
    let before = newest
    if isComplete { try readEach(store, rows) } else { try count(store, rows) }
    if newest > before, newest < store.committedSeq { return false }
    newest = max(newest, store.committedSeq)
    return true
  }

  private mutating func readEach(_ store: Store, _ rows: Int) throws(SQLiteError) {
    let statement = try store.connection.statement(
      "SELECT seq, topic, entityId, op, at FROM change WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?")
    try statement.bind(newest, at: 1)
    try statement.bind(store.committedSeq, at: 2)
    try statement.bind(Int64(rows), at: 3)
    while try statement.step() {
      let row = statement.row
      take(
        ChangeRecord(
          seq: row.int64(0), topic: try row.text(1), id: try row.text(2), op: try row.text(3), at: row.int64(4)))
    }
  }

  /// The same for what will be told as a gap, which is much quicker.
  private mutating func count(_ store: Store, _ rows: Int) throws(SQLiteError) {
    let counts = try store.connection.all(
      """
      SELECT topic, count(*), max(seq) FROM (SELECT topic, seq FROM change WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?)
      GROUP BY topic
      """, newest, store.committedSeq, Int64(rows)
    ) { (row) throws(SQLiteError) in (topic: try row.text(0), count: row.int(1), newest: row.int64(2)) }
    for part in counts {
      if topics.contains(part.topic) { total += part.count }
      newest = max(newest, part.newest)
    }
  }
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

  /// When the newest change was made, in milliseconds since 1970; nil if there was none.
  public func newestChangeTime() throws(SQLiteError) -> Int64? {
    try connection.integer("SELECT at FROM change ORDER BY seq DESC LIMIT 1")
  }

  /// Reads up to `rows` more of what a subscriber missed; true when there is no more. Not while a turn has written: only what is
  /// committed may be told.
  public func readOn(_ missed: inout MissedChanges, rows: Int) throws(SQLiteError) -> Bool { try missed.read(self, rows: rows) }

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
