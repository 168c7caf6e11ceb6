import KindVerbAPI
import SQLite
import Storage

/// What must leave the machine, in the store. Every method runs inside the caller's transaction; changes are noted in the change log
/// under the item's kind.
public struct OutboxStore {
  private let store: Store
  private var database: Connection { store.connection }

  /// The outbox of this store.
  public init(_ store: Store) { self.store = store }

  /// Hands something in; answers its row. `error.outbox.full` if too many wait.
  public func add(kind: String, subject: String) throws -> Int64 {
    try checkRoom()
    let now = store.now()
    try database.run(
      "INSERT INTO outbox (kind, subject, state, createdAt, updatedAt) VALUES (?, ?, 'queued', ?, ?)", kind, subject, now, now)
    let row = database.lastInsertedRow
    try store.record(topic: kind, id: subject, op: "queued")
    return row
  }

  private func checkRoom() throws {
    guard try waiting() >= OutboxRule.capacity else { return }
    var failure = APIError(.outboxFull)
    failure.limit = OutboxRule.capacity
    failure.unit = "items"
    throw failure
  }

  /// How many are not there yet.
  public func waiting() throws -> Int {
    Int(try database.integer("SELECT count(*) FROM outbox WHERE state = 'queued' OR state = 'uploading'") ?? 0)
  }

  /// The item of that row; nil if it is gone.
  public func item(_ id: Int64) throws -> OutboxItem? {
    try database.first("SELECT * FROM outbox WHERE id = ?", id, row: Self.item)
  }

  /// What waits to be sent, in the order in which it was handed in.
  public func queued() throws -> [OutboxItem] {
    try database.all("SELECT * FROM outbox WHERE state = 'queued' ORDER BY id", row: Self.item)
  }

  // MARK: Attempts

  /// An attempt begins. It is on disk before a byte leaves, so that no crash can make it forgotten.
  public func begin(_ item: OutboxItem) throws {
    try database.run(
      "UPDATE outbox SET state = 'uploading', attempts = attempts + 1, nextAttemptAt = NULL, updatedAt = ? WHERE id = ?",
      store.now(), item.id)
    if !item.isSearching { try store.record(topic: item.kind, id: item.subject, op: "uploading") }
  }

  /// An attempt has ended; false if it is no longer this item's own: it was taken back, or is gone.
  func end(_ item: OutboxItem, _ delivery: Delivery, _ step: OutboxRule.Step) throws -> Bool {
    guard let now = try self.item(item.id), now.subject == item.subject, now.attempts == item.attempts + 1 else { return false }
    guard now.state == .uploading else {
      // It was taken back in between, and counted as what may have arrived: now it is known that nothing has left.
      if case .notReached = delivery { try clear(now, mayHaveArrived: item.mayHaveArrived) }
      return false
    }
    var changed = now
    switch delivery {
    case .unconfirmed(_, let mayHaveArrived, _):
      changed.tries += 1
      if mayHaveArrived { changed.mayHaveArrived = true }
    case .refused(_, let isAbsent): if isAbsent { changed.mayHaveArrived = false }
    case .delivered, .notReached: break
    }
    switch step {
    case .done:
      changed.state = .succeeded
      changed.lastError = nil
    case .giveUp(let error):
      changed.state = .failed
      changed.lastError = error
    case .again(let error, let wait):
      changed.state = .queued
      changed.lastError = error
      changed.nextAttemptAt = store.now() + Int64(wait)
    }
    // Still no network: nothing that anybody has not been told.
    let isNews = !(item.isSearching && changed.isSearching && changed.lastError == item.lastError)
    try keep(changed, op: isNews ? changed.state.rawValue : nil)
    return true
  }

  private func clear(_ item: OutboxItem, mayHaveArrived: Bool) throws {
    var changed = item
    changed.mayHaveArrived = mayHaveArrived
    try keep(changed, op: nil)
  }

  /// What was being sent when the daemon ended may have arrived.
  func recover() throws {
    let cut = try database.all("SELECT * FROM outbox WHERE state = 'uploading' ORDER BY id", row: Self.item)
    for var item in cut {
      item.state = .queued
      item.mayHaveArrived = true
      try keep(item, op: DeliveryState.queued.rawValue)
    }
  }

  // MARK: A person's wishes

  /// Puts something that failed or was taken back in the queue again; what waits has its waiting over. Nothing happens to what is on its
  /// way, nor to what is there, unless that is only believed: then it `isDoubtful`.
  public func retry(_ id: Int64, isDoubtful: Bool = false) throws {
    guard var item = try item(id) else { return }
    if item.state == .failed || item.state == .canceled || isDoubtful && item.state == .succeeded {
      try checkRoom()
      item.state = .queued
    }
    guard item.state == .queued else { return }
    item.tries = 0
    item.nextAttemptAt = nil
    try keep(item, op: "retried")
  }

  /// Takes something back. What is on its way may have arrived; what is there, or has failed, stays as it is.
  public func cancel(_ id: Int64) throws {
    guard var item = try item(id), item.state == .queued || item.state == .uploading else { return }
    if item.state == .uploading { item.mayHaveArrived = true }
    item.state = .canceled
    item.nextAttemptAt = nil
    try keep(item, op: DeliveryState.canceled.rawValue)
  }

  /// Takes back all of a kind that is not there yet.
  public func cancelAll(kind: String) throws {
    let waiting = try database.all(
      "SELECT id FROM outbox WHERE kind = ? AND (state = 'queued' OR state = 'uploading') ORDER BY id", kind
    ) { (row) throws(SQLiteError) in row.int64(0) }
    for id in waiting { try cancel(id) }
  }

  /// Removes an item.
  public func remove(_ id: Int64) throws {
    guard let item = try item(id) else { return }
    try database.run("DELETE FROM outbox WHERE id = ?", id)
    try store.record(topic: item.kind, id: item.subject, op: "deleted")
  }

  /// Removes what failed or was taken back so long ago, but for what is known to be `recent` whatever the clock shows; answers when there
  /// is more to remove, in milliseconds since 1970.
  public func purge(now: Int64, recent: Set<String> = []) throws -> Int64? {
    let kept = Int64(OutboxRule.failedDays) * 86_400_000
    let ended = try database.all(
      "SELECT id, subject, updatedAt FROM outbox WHERE state = 'failed' OR state = 'canceled'"
    ) { (row) throws(SQLiteError) in (id: row.int64(0), subject: try row.text(1), at: row.int64(2)) }
    for one in ended where one.at + kept <= now && !recent.contains(one.subject) { try remove(one.id) }
    return ended.map { $0.at + kept }.filter { $0 > now }.min()
  }

  private func keep(_ item: OutboxItem, op: String?) throws {
    try database.run(
      """
      UPDATE outbox SET state = ?, attempts = ?, tries = ?, mayHaveArrived = ?, lastError = ?, nextAttemptAt = ?, updatedAt = ?
      WHERE id = ?
      """, item.state.rawValue, item.attempts, item.tries, item.mayHaveArrived ? 1 : 0, item.lastError?.rawValue,
      item.nextAttemptAt, store.now(), item.id)
    if let op { try store.record(topic: item.kind, id: item.subject, op: op) }
  }

  // MARK: Looking

  /// `outbox.status`
  public func status(_ language: Language) throws -> OutboxStatus {
    let counts = try database.all("SELECT state, count(*) FROM outbox GROUP BY state") { (row) throws(SQLiteError) in
      (state: try row.text(0), count: row.int(1))
    }
    func count(_ state: DeliveryState) -> Int { counts.first { $0.state == state.rawValue }?.count ?? 0 }
    let oldest = try database.integer("SELECT min(createdAt) FROM outbox WHERE state = 'queued' OR state = 'uploading'")
    let next = try database.integer("SELECT min(coalesce(nextAttemptAt, 0)) FROM outbox WHERE state = 'queued'")
    let error = try database.first(
      """
      SELECT lastError FROM outbox WHERE lastError IS NOT NULL AND (state = 'queued' OR state = 'uploading' OR state = 'failed')
      ORDER BY updatedAt DESC, id DESC LIMIT 1
      """
    ) { (row) throws(SQLiteError) in try row.text(0) }
    return OutboxStatus(
      queued: count(.queued), uploading: count(.uploading), failed: count(.failed), capacity: OutboxRule.capacity,
      oldestAt: oldest.map(Instant.text), nextAttemptAt: next.map { Instant.text($0 == 0 ? store.now() : $0) },
      lastError: error.flatMap(ErrorKey.init(rawValue:)).map { DeliveryError($0, language) })
  }

  /// The columns in the order of the table.
  public static func item(_ row: borrowing Row) throws(SQLiteError) -> OutboxItem {
    OutboxItem(
      id: row.int64(0), kind: try row.text(1), subject: try row.text(2), state: try row.choice(3), attempts: row.int(4),
      tries: row.int(5), mayHaveArrived: row.int(6) != 0, lastError: try row.optionalText(7).flatMap(ErrorKey.init(rawValue:)),
      nextAttemptAt: row.optionalInt64(8), createdAt: row.int64(9), updatedAt: row.int64(10))
  }
}

extension DeliveryError {
  /// An error as the wire shows it.
  public init(_ key: ErrorKey, _ language: Language) {
    self.init(messageKey: key.rawValue, message: APIError(key).message(in: language), retriable: key.isRetriable)
  }
}
