import CSQLite

/// What belongs to SQLite as a whole and not to one connection.
public enum SQLiteLibrary {
  /// SQLite's version, such as `3.40.1`.
  public static var version: String { String(cString: sqlite3_libversion()) }

  /// Settings that must come before the first connection: a small lookaside buffer (many connections never fill the
  /// default one) and no mutex on what a single thread uses. Whatever is not compiled in is left out silently.
  private static let configured: Int32 = {
    let code = kv_sqlite_configure(512, 64)
    // Someone in this process was faster: SQLite runs with its own defaults, which are correct, only larger.
    return code == SQLITE_MISUSE ? SQLITE_OK : code
  }()

  static func prepare() throws(SQLiteError) {
    let code = configured
    if code != SQLITE_OK { throw SQLiteError(nil, code: code) }
  }
}
