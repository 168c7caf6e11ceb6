import Glibc
import SQLite

/// A committed change, as the change log keeps it.
public struct ChangeRecord: Equatable, Sendable {
  /// Its number; numbers only grow.
  public let seq: Int64
  /// The area.
  public let topic: String
  /// What changed.
  public let id: String
  /// What happened.
  public let op: String
  /// When, in milliseconds since 1970.
  public let at: Int64
}

/// What the store takes from the outside world.
public struct StoreEnvironment: Sendable {
  /// The wall clock, in milliseconds since 1970.
  public var now: @Sendable () -> Int64
  /// Random bytes, so many.
  public var random: @Sendable (Int) -> [UInt8]

  /// A world of these parts.
  public init(now: @escaping @Sendable () -> Int64, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.now = now
    self.random = random
  }

  /// The real world.
  public static let live = StoreEnvironment(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    },
    random: { count in
      var generator = SystemRandomNumberGenerator()
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count + 7)
      while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
      bytes.removeSubrange(count...)
      return bytes
    })
}

/// The one store: a database in WAL mode that this process holds exclusively, its change log, and what makes a turn one
/// transaction. Used on one thread at a time.
public final class Store {
  /// The connection, for the SQL of the domains.
  public let connection: Connection
  /// Where it lies.
  public let directory: DataDirectory
  /// The number of the newest committed change.
  public private(set) var committedSeq: Int64
  /// A random name of this store, part of every cursor.
  public let storeID: String

  let environment: StoreEnvironment
  private let mark: Mark
  /// The database's file as it was last seen. It never becomes shorter by our own doing.
  private var file: FileIdentity?
  private let logFile: FileIdentity?
  /// When the history was last looked through for what is too old: at the first change after the start, and once a day.
  private var trimmedAt: Int64 = 0
  static let dayMilliseconds: Int64 = 86_400_000
  private var pending: [ChangeRecord] = []
  private var pendingAtSavepoint = 0
  /// What ``Connection/totalChangedRows`` was when the turn's transaction began.
  private var rowsAtBegin: Int64 = 0
  /// Whether the call under way is the turn's first to write. It has no savepoint: to undo it is to undo the turn.
  private var isFirstWrite = false
  /// Why SQLite undid the turn's transaction of its own accord; nil while it stands.
  private var lostTo: SQLiteError?
  /// Whether the log may still hold words that have been deleted.
  public private(set) var logHoldsDeletions = false

  init(connection: Connection, directory: DataDirectory, mark: Mark, environment: StoreEnvironment) throws(SQLiteError) {
    self.connection = connection
    self.directory = directory
    self.environment = environment
    self.mark = mark
    committedSeq = try connection.integer("SELECT max(seq) FROM change") ?? 0
    let name = try connection.first("SELECT value FROM meta WHERE name = 'storeId'") { (row) throws(SQLiteError) in
      try row.text(0)
    }
    guard let name else { throw SQLiteError(extendedCode: 11, message: "the store has no name") }
    storeID = name
    file = FileIdentity(directory.database)
    logFile = FileIdentity(directory.log)
    // Whoever wrote it may not have come to take out what was deleted.
    logHoldsDeletions = logFile.map { $0.size > 0 } ?? false
  }

  /// The time, in milliseconds since 1970.
  public func now() -> Int64 { environment.now() }

  /// A fresh id: a UUID of version 7 in lower case (RFC 9562, 5.7), the time in milliseconds and 74 random bits. Rows that are made
  /// one after the other lie side by side in the index of ids, so that a commit writes one page of it and not one for each row.
  public func newID() -> String {
    var bytes = environment.random(16)
    let now = UInt64(clamping: environment.now())
    for place in 0..<6 { bytes[place] = UInt8(truncatingIfNeeded: now >> UInt64(8 * (5 - place))) }
    bytes[6] = bytes[6] & 0x0F | 0x70
    bytes[8] = bytes[8] & 0x3F | 0x80
    return Self.hex(bytes, dashBefore: [4, 6, 8, 10])
  }

  /// An id that tells nothing and that nobody can guess: a UUID of version 4 in lower case, 122 random bits.
  public func newRandomID() -> String {
    var bytes = environment.random(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return Self.hex(bytes, dashBefore: [4, 6, 8, 10])
  }

  /// Bytes as lower-case hexadecimal digits, with a dash before some of them.
  static func hex(_ bytes: [UInt8], dashBefore dashes: [Int] = []) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2 + dashes.count) { buffer in
      var end = 0
      for (index, byte) in bytes.enumerated() {
        if dashes.contains(index) {
          buffer[end] = UInt8(ascii: "-")
          end += 1
        }
        buffer[end] = digit(byte >> 4)
        buffer[end + 1] = digit(byte & 15)
        end += 2
      }
      return end
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value }
}

// MARK: - Turns

extension Store {
  /// Whether a transaction is open.
  public var isInTransaction: Bool { connection.isInTransaction }

  /// Begins a turn's transaction.
  public func begin() throws(SQLiteError) {
    pending.removeAll(keepingCapacity: true)
    lostTo = nil
    try beginTransaction()
  }

  private func beginTransaction() throws(SQLiteError) {
    rowsAtBegin = connection.totalChangedRows
    try connection.run("BEGIN")
  }

  /// Whether something has been written in the turn under way that is not undone.
  var turnHasWritten: Bool { isInTransaction && connection.totalChangedRows != rowsAtBegin }

  /// Begins what a call does as something that can be undone by itself. It throws when SQLite has undone the turn: a savepoint outside a transaction would be a transaction
  /// of its own, and commit what the turn's end then reports as undone.
  public func beginSavepoint() throws(SQLiteError) {
    try checkTurn()
    // A savepoint copies every page that is changed under it, which the first call of a turn, often the only one, need not pay for.
    isFirstWrite = !turnHasWritten
    if !isFirstWrite { try connection.beginSavepoint() }
    pendingAtSavepoint = pending.count
  }

  /// Keeps what the call did, as part of the turn.
  public func releaseSavepoint() throws(SQLiteError) {
    if !isFirstWrite { try connection.releaseSavepoint() }
  }

  /// Undoes what the call did. A full or a failing disk can make SQLite undo the whole turn; then it throws why, as all that
  /// follows in this turn does, to the commit.
  public func rollbackSavepoint(after error: (any Error)? = nil) throws(SQLiteError) {
    guard connection.isInTransaction else {
      lostTo = error as? SQLiteError
      pending.removeAll()
      return try checkTurn()
    }
    pending.removeSubrange(pendingAtSavepoint...)
    guard isFirstWrite else { return try connection.rollbackSavepoint() }
    try connection.rollback()
    try beginTransaction()
  }

  private func checkTurn() throws(SQLiteError) {
    if !connection.isInTransaction { throw lostTo ?? SQLiteError(extendedCode: 4, message: "the transaction was undone") }
  }

  /// Makes the turn durable and answers the changes it made. When it throws, nothing of the turn has happened once
  /// ``rollback()`` was called.
  public func commit() throws(SQLiteError) -> [ChangeRecord] {
    try checkTurn()
    // What is written into a file that was moved away, replaced or cut is not stored: nobody finds it again. (Only the file is looked
    // at: asking for the log's times before each write makes the file system keep finer ones, which slows the sync down.)
    if !pending.isEmpty, !isFileWhole() {
      throw SQLiteError(extendedCode: 8 | 4 << 8, message: "the file was moved, replaced or cut")
    }
    try connection.commit()
    guard let last = pending.last else { return [] }
    committedSeq = last.seq
    mark.set(last.seq)
    let changes = pending
    if changes.contains(where: { $0.op == "deleted" }) { logHoldsDeletions = true }
    pending.removeAll(keepingCapacity: changes.count <= 64)
    return changes
  }

  /// Why a write failed, as far as it can be found out: SQLite knows one of the ways in which a disk refuses to write, and calls the
  /// others by one name.
  public func cause(of error: SQLiteError) -> SQLiteError {
    guard error.kind == .inputOutput else { return error }
    switch directory.writeError(room: FileIdentity(directory.log)?.size ?? 0) {
    case EROFS: return SQLiteError(extendedCode: 8, message: "the disk is read-only")
    case ENOSPC, EDQUOT, EFBIG: return SQLiteError(extendedCode: 13, message: "there is no space, or no more is allowed")
    default: return error
    }
  }

  /// Undoes the turn.
  public func rollback() {
    pending.removeAll()
    try? connection.rollback()
  }

  /// Notes a change in the log, as part of the transaction.
  public func record(topic: String, id: String, op: String) throws(SQLiteError) {
    let at = now()
    try connection.run("INSERT INTO change (topic, entityId, op, at) VALUES (?, ?, ?, ?)", topic, id, op, at)
    let seq = connection.lastInsertedRow
    pending.append(ChangeRecord(seq: seq, topic: topic, id: id, op: op, at: at))
    if seq % 1_024 == 0 || abs(at - trimmedAt) >= Self.dayMilliseconds {
      trimmedAt = at
      try trimChanges(newest: seq, now: at)
    }
  }

  /// How long a stop looks through the store before it leaves that to the next start.
  private static let checkSeconds = 5

  /// Ends the store and lets go of its directory: the log is merged into the file, and a seal says that nothing was left half
  /// done. Of a file that is not in its place any more nothing is touched. Answers the damage that was found, if any: a seal on a file
  /// that was damaged while it was open would keep the next start from looking.
  @discardableResult
  public func close() -> SQLiteError? {
    // A second time there is nothing to end, and what ended must not be asked anything.
    defer { directory.release() }
    guard connection.isOpen else { return nil }
    rollback()
    guard isFileWhole() else {
      abandon()
      connection.close()
      return nil
    }
    let isMerged = (try? connection.checkpoint(.truncate)) != nil
    // What is in memory says nothing of what is in the file.
    connection.releaseMemory()
    var failure: SQLiteError?
    do { try StoreCheck.run(on: connection, seconds: Self.checkSeconds) } catch { failure = error }
    connection.close()
    if isMerged, failure == nil, let seal = Seal(of: directory.database) { seal.leave(at: directory.seal) }
    return failure?.kind == .damaged ? failure : nil
  }

  /// Takes words that were deleted out of the log, where they stay until they are written over: the log is merged and cut to
  /// nothing. A few milliseconds; meant for a quiet moment after a deletion.
  public func scrubLog() {
    guard logHoldsDeletions, !isInTransaction, isInPlace() else { return }
    if (try? connection.checkpoint(.truncate)) != nil { logHoldsDeletions = false }
  }

  /// Bytes that SQLite holds for this store.
  public var memoryUsed: Int { connection.memoryUsed }

  /// Gives back cached pages that are not needed.
  public func releaseMemory() { connection.releaseMemory() }

  /// The log and the file stay as they are when the store is closed: what is on disk is no longer ours to change.
  public func abandon() { connection.keepLogOnClose(true) }

  /// Takes what is in the log over into the file, as long as that is in its place. For a log that was taken away: what was
  /// acknowledged is saved so, but nothing more may be written.
  public func saveLog() {
    if isFileWhole() { _ = try? connection.checkpoint(.passive) }
  }

  /// Whether the file that is open, and its log, are still the ones at their paths, and no shorter than they were.
  public func isInPlace() -> Bool { isFileWhole() && logFile == FileIdentity(directory.log) }

  private func isFileWhole() -> Bool {
    guard let found = FileIdentity(directory.database), let known = file, found == known, found.size >= known.size else {
      return false
    }
    file = found
    return true
  }

  /// The schema's version.
  public func schemaVersion() -> Int { Int((try? connection.integer("PRAGMA user_version")) ?? 0) }
}
