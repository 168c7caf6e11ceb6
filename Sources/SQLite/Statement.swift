import CSQLite

/// A prepared statement on loan from its connection's cache. At the end of its life it is reset, its bindings are
/// cleared (no bound text stays in memory) and it goes back; so no read transaction outlives the scope that ran it.
public struct Statement: ~Copyable {
  let handle: OpaquePointer
  private let connection: Connection
  /// Where it belongs in the cache; nil for one that is used once.
  private let key: UInt?

  init(handle: OpaquePointer, connection: Connection, key: UInt?) {
    self.handle = handle
    self.connection = connection
    self.key = key
  }

  deinit {
    connection.takeBack(handle, key: key)
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw SQLiteError(connection.handle, code: code) }
  }

  /// Binds an INTEGER; parameters count from 1.
  public func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), value))
  }

  /// Binds a REAL; parameters count from 1.
  public func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, Int32(truncatingIfNeeded: index), value))
  }

  /// Binds a TEXT from the string's own UTF-8; SQLite takes its one copy. A NUL inside is kept.
  public func bind(_ value: String, at index: Int) throws(SQLiteError) {
    var text = value
    try check(
      text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { bytes in
          // An empty string may have no address, which SQLite would read as NULL.
          if let base = bytes.baseAddress, bytes.count > 0 {
            sqlite3_bind_text64(
              handle, Int32(truncatingIfNeeded: index), base, sqlite3_uint64(bytes.count), kv_sqlite_transient(),
              UInt8(truncatingIfNeeded: SQLITE_UTF8))
          } else {
            sqlite3_bind_text(handle, Int32(truncatingIfNeeded: index), "", 0, kv_sqlite_transient())
          }
        }
      })
  }

  /// Binds a BLOB; parameters count from 1.
  public func bind(_ value: [UInt8], at index: Int) throws(SQLiteError) {
    try check(
      value.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress, bytes.count > 0 {
          sqlite3_bind_blob64(
            handle, Int32(truncatingIfNeeded: index), base, sqlite3_uint64(bytes.count), kv_sqlite_transient())
        } else {
          sqlite3_bind_zeroblob(handle, Int32(truncatingIfNeeded: index), 0)
        }
      })
  }

  /// Binds NULL; parameters count from 1.
  public func bindNull(at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index)))
  }

  /// Goes to the next row; false when there is none. After a false or an error, only `reset` may follow.
  public func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteError(connection.handle, code: code)
    }
  }

  /// Makes the statement ready to run again; what was bound stays bound.
  public func reset() {
    // The code only repeats what `step` has already thrown.
    sqlite3_reset(handle)
  }

  /// The row that `step` found. Valid until the next `step` or `reset`.
  public var row: Row { Row(handle: handle) }
}

/// The current row of a statement; columns count from 0. Valid only until the statement moves on.
public struct Row: ~Copyable {
  let handle: OpaquePointer

  /// INTEGER; 0 for NULL.
  public func int64(_ column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  /// INTEGER as `Int`; 0 for NULL.
  public func int(_ column: Int) -> Int {
    Int(int64(column))
  }

  /// REAL; 0 for NULL.
  public func double(_ column: Int) -> Double {
    sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
  }

  /// Whether the column holds NULL.
  public func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  /// INTEGER, or nil for NULL.
  public func optionalInt64(_ column: Int) -> Int64? {
    isNull(column) ? nil : int64(column)
  }

  /// TEXT, made into a string in one step; empty for NULL. Bytes that are not UTF-8 are damage, and thrown as such.
  public func text(_ column: Int) throws(SQLiteError) -> String {
    let index = Int32(truncatingIfNeeded: column)
    guard let base = sqlite3_column_text(handle, index) else { return "" }
    let bytes = UnsafeBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, index)))
    do { return String(copying: try UTF8Span(validating: bytes.span)) } catch {
      throw SQLiteError(extendedCode: SQLITE_CORRUPT, message: "a text is not UTF-8")
    }
  }

  /// TEXT, or nil for NULL.
  public func optionalText(_ column: Int) throws(SQLiteError) -> String? {
    isNull(column) ? nil : try text(column)
  }

  /// TEXT that is one of an enumeration's names. Another is damage, since the schema lets none in, and is thrown as such.
  public func choice<Choice: RawRepresentable<String>>(_ column: Int, _ type: Choice.Type = Choice.self) throws(SQLiteError)
    -> Choice
  {
    guard let choice = Choice(rawValue: try text(column)) else {
      throw SQLiteError(extendedCode: SQLITE_CORRUPT, message: "a text is none of those that are allowed")
    }
    return choice
  }

  /// BLOB; empty for NULL.
  public func bytes(_ column: Int) -> [UInt8] {
    let index = Int32(truncatingIfNeeded: column)
    guard let base = sqlite3_column_blob(handle, index) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, index))))
  }

  /// BLOB, or nil for NULL.
  public func optionalBytes(_ column: Int) -> [UInt8]? {
    isNull(column) ? nil : bytes(column)
  }

  /// Lends the UTF-8 of a TEXT column without making a string; empty for NULL.
  public func withUTF8<Value>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    let index = Int32(truncatingIfNeeded: column)
    guard let base = sqlite3_column_text(handle, index) else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    return body(UnsafeBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, index))))
  }
}
