import CSQLite

extension Connection {
  /// Opens a transaction that takes the write lock at once, so that it cannot fail as busy half-way.
  public func begin() throws(SQLiteError) {
    try run("BEGIN IMMEDIATE")
  }

  /// Makes the transaction durable. On failure it may still be open: `isInTransaction` tells.
  public func commit() throws(SQLiteError) {
    try run("COMMIT")
  }

  /// Undoes the transaction; does nothing when SQLite has already done so.
  public func rollback() throws(SQLiteError) {
    if isInTransaction { try run("ROLLBACK") }
  }

  /// Runs a body in a transaction of its own: all of it, or nothing.
  public func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    try begin()
    do throws(SQLiteError) {
      let result = try body()
      try commit()
      return result
    } catch {
      // The first failure is the one to tell; a failing rollback leaves a transaction that closing undoes.
      try? rollback()
      throw error
    }
  }

  /// Opens a savepoint inside the transaction. They nest; the two calls below always mean the innermost.
  public func beginSavepoint() throws(SQLiteError) {
    try run("SAVEPOINT request")
  }

  /// Keeps what was done since the innermost savepoint, as part of what surrounds it.
  public func releaseSavepoint() throws(SQLiteError) {
    try run("RELEASE request")
  }

  /// Undoes what was done since the innermost savepoint, and ends it.
  public func rollbackSavepoint() throws(SQLiteError) {
    try run("ROLLBACK TO request")
    try run("RELEASE request")
  }
}

// MARK: - The write-ahead log

extension Connection {
  /// How thorough a checkpoint is.
  public enum Checkpoint: Sendable {
    /// What can be merged without waiting; the next writer starts the log over in the same file.
    case passive
    /// Everything, and the log's file is cut to nothing.
    case truncate
  }

  /// Merges the write-ahead log into the file. Answers how many frames the log holds and how many are merged.
  @discardableResult
  public func checkpoint(_ mode: Checkpoint) throws(SQLiteError) -> (logged: Int, merged: Int) {
    var logged: Int32 = 0
    var merged: Int32 = 0
    let how = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
    let code = sqlite3_wal_checkpoint_v2(handle, "main", how, &logged, &merged)
    if code != SQLITE_OK { throw SQLiteError(handle, code: code) }
    return (Int(logged), Int(merged))
  }
}
