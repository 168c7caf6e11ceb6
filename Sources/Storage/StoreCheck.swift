import SQLite

/// A look at every page and every row of a store.
///
/// SQLite's own check finds what does not fit together; the rows' sums find words that changed where the trees still do.
public enum StoreCheck {
  /// Throws, as damage, what is wrong; nothing of what was written stands in the error. With `seconds` it gives up after about so long,
  /// and throws as interrupted.
  public static func run(on connection: Connection, seconds: Int? = nil) throws(SQLiteError) {
    if let seconds {
      let end = ContinuousClock.now + .seconds(seconds)
      connection.onProgress(every: 20_000) { ContinuousClock.now > end }
    }
    defer { connection.onProgress(every: 0, nil) }
    let findings = try connection.all("PRAGMA integrity_check(1)") { (row) throws(SQLiteError) in try row.text(0) }
    // A finding names pages and rows, never values.
    if findings != ["ok"] { throw SQLiteError(extendedCode: 11, message: findings.first ?? "integrity_check failed") }
    let orphans = try connection.all("PRAGMA foreign_key_check") { (row) throws(SQLiteError) in try row.text(0) }
    if !orphans.isEmpty { throw SQLiteError(extendedCode: 11, message: "\(orphans.count) rows refer to rows that are not there") }
    for sum in Schema.sums {
      // A store that has not been upgraded yet is looked through as well.
      let exists = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", sum.table)
      if exists == 0 { continue }
      let wrong = try connection.statement(
        dynamic: "SELECT id FROM \(sum.table) WHERE sum IS NOT rowsum(\(sum.columns)) LIMIT 1")
      if try wrong.step() {
        throw SQLiteError(extendedCode: 11, message: "row \(wrong.row.int64(0)) of \(sum.table) is not as it was written")
      }
    }
  }

  /// The same for a copy in a file of its own, on a thread of the pool: the loop goes on meanwhile.
  @concurrent
  public static func run(onCopy path: String) async throws(SQLiteError) {
    let connection = try Connection(path: path, mode: .readOnly)
    defer { connection.close() }
    try connection.execute("PRAGMA cache_size = -512")
    try run(on: connection)
  }
}
