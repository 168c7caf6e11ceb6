import CSQLite

/// One connection to one database file. Used on one thread at a time; it may be handed to another thread as a whole.
public final class Connection {
  /// How a file is opened.
  public enum Mode: Sendable {
    /// An existing file, for reading and writing.
    case readWrite
    /// A file that is created when it is not there.
    case create
    /// An existing file, for reading only.
    case readOnly
  }

  let handle: OpaquePointer
  /// Prepared statements that nobody uses at the moment, by the address of their SQL literal.
  private var idle: [UInt: OpaquePointer] = [:]
  /// Whether it has not been closed.
  public private(set) var isOpen = true
  var progress: ProgressBox?

  /// Opens a file. `":memory:"` is a database of its own that ends with the connection.
  public init(path: String, mode: Mode = .readWrite) throws(SQLiteError) {
    try SQLiteLibrary.prepare()
    let flags: Int32 =
      switch mode {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    var opened: OpaquePointer?
    // One thread at a time uses a connection, so its own mutex is left out; SQLite's global ones stay.
    // Links are followed: SQLite would refuse one anywhere in the path, and a home directory is often reached through one.
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteError(opened, code: code)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(opened, 1)
    RowSum.define(on: opened)
  }

  deinit {
    close()
  }

  /// Ends the connection; everything that was not committed is undone. A second call does nothing.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    for statement in idle.values { sqlite3_finalize(statement) }
    idle = [:]
    // The last connection to a file in WAL mode merges the log into it here, unless `keepLogOnClose` was set.
    sqlite3_close_v2(handle)
  }

  /// Runs one or more statements that take no parameters and answer no rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteError(handle, code: code) }
  }

  /// Lends the prepared statement for a literal, kept for the next time.
  public func statement(_ sql: StaticString) throws(SQLiteError) -> Statement {
    let key = UInt(bitPattern: sql.utf8Start)
    if let kept = idle.removeValue(forKey: key) {
      return Statement(handle: kept, connection: self, key: key)
    }
    // The literal lives as long as the program.
    let text = UnsafeBufferPointer(start: sql.utf8Start, count: sql.utf8CodeUnitCount)
    let prepared = try prepare(text, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    return Statement(handle: prepared, connection: self, key: key)
  }

  /// Prepares a statement that is built at run time and used once.
  public func statement(dynamic sql: String) throws(SQLiteError) -> Statement {
    let bytes = Array(sql.utf8)
    let prepared = try bytes.withUnsafeBufferPointer { (buffer) throws(SQLiteError) in try prepare(buffer, flags: 0) }
    return Statement(handle: prepared, connection: self, key: nil)
  }

  private func prepare(_ sql: UnsafeBufferPointer<UInt8>, flags: UInt32) throws(SQLiteError) -> OpaquePointer {
    var prepared: OpaquePointer?
    let code = sql.withMemoryRebound(to: CChar.self) {
      sqlite3_prepare_v3(handle, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), flags, &prepared, nil)
    }
    guard code == SQLITE_OK else { throw SQLiteError(handle, code: code) }
    guard let prepared else { throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "an empty statement") }
    return prepared
  }

  /// A statement comes back from its loan.
  func takeBack(_ statement: OpaquePointer, key: UInt?) {
    sqlite3_reset(statement)
    guard isOpen, let key, idle[key] == nil else {
      sqlite3_finalize(statement)
      return
    }
    sqlite3_clear_bindings(statement)
    idle[key] = statement
  }
}

// MARK: - Whole statements in one call

extension Connection {
  /// Runs a statement to its end; rows that it answers are passed over.
  @inlinable
  public func run<each Value: Bindable>(_ sql: StaticString, _ values: repeat each Value) throws(SQLiteError) {
    let statement = try statement(sql)
    var index = 1
    for value in repeat each values {
      try value.bind(to: statement, at: index)
      index += 1
    }
    while try statement.step() {}
  }

  /// Makes a value of the first row; nil when there is none.
  @inlinable
  public func first<Result, each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value, row: (borrowing Row) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    let statement = try statement(sql)
    var index = 1
    for value in repeat each values {
      try value.bind(to: statement, at: index)
      index += 1
    }
    guard try statement.step() else { return nil }
    return try row(statement.row)
  }

  /// Makes a value of every row, in the statement's order.
  @inlinable
  public func all<Result, each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value, row: (borrowing Row) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> [Result] {
    let statement = try statement(sql)
    var index = 1
    for value in repeat each values {
      try value.bind(to: statement, at: index)
      index += 1
    }
    var results: [Result] = []
    while try statement.step() { results.append(try row(statement.row)) }
    return results
  }

  /// The integer in the first column of the first row; nil when there is no row or it holds NULL.
  @inlinable
  public func integer<each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value
  ) throws(SQLiteError) -> Int64? {
    let found: Int64?? = try first(sql, repeat each values) { (row) throws(SQLiteError) in row.optionalInt64(0) }
    return found ?? nil
  }
}

// MARK: - What SQLite tells about itself

extension Connection {
  /// Rows that the last INSERT, UPDATE or DELETE touched.
  public var changedRows: Int { Int(sqlite3_changes64(handle)) }

  /// Rows that were touched since the connection was opened, those of undone transactions among them.
  public var totalChangedRows: Int64 { sqlite3_total_changes64(handle) }

  /// The rowid of the last INSERT.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether a transaction is open. Some failures end one without being asked.
  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether SQLite could open the file for reading only, although writing was asked for.
  public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Bytes that this connection's page cache, schema and prepared statements take together.
  public var memoryUsed: Int { cacheBytes + schemaAndStatementBytes }

  /// Bytes that this connection's page cache takes.
  public var cacheBytes: Int { status(SQLITE_DBSTATUS_CACHE_USED) }

  /// Bytes that this connection's schema and prepared statements take.
  public var schemaAndStatementBytes: Int { status(SQLITE_DBSTATUS_SCHEMA_USED) + status(SQLITE_DBSTATUS_STMT_USED) }

  private func status(_ what: Int32) -> Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    guard sqlite3_db_status(handle, what, &current, &highest, 0) == SQLITE_OK else { return 0 }
    return Int(current)
  }

  /// Gives back the pages that are cached and not needed at the moment, and the prepared statements.
  public func releaseMemory() {
    for statement in idle.values { sqlite3_finalize(statement) }
    idle = [:]
    sqlite3_db_release_memory(handle)
  }

  /// How long a locked file is waited for before a call fails as busy, in milliseconds.
  public func setBusyTimeout(milliseconds: Int) {
    sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }

  /// With true, closing leaves the write-ahead log and the file exactly as they are.
  public func keepLogOnClose(_ keep: Bool) {
    _ = kv_sqlite_keep_log_on_close(handle, keep ? 1 : 0)
  }
}
