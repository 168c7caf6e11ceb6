import CSQLite

/// What SQLite refused, without any value that was bound: safe to log.
public struct SQLiteError: Error, Equatable, Sendable {
  /// The primary result code (`SQLITE_BUSY` is 5, `SQLITE_FULL` 13 …).
  public let code: Int32
  /// The extended result code, which says more; its low byte is `code`.
  public let extendedCode: Int32
  /// SQLite's English sentence. Names of tables, columns and constraints may stand in it, values never do.
  public let message: String

  /// An error with a code of SQLite's and a message of the caller's.
  public init(extendedCode: Int32, message: String) {
    self.code = extendedCode & 0xff
    self.extendedCode = extendedCode
    self.message = message
  }

  /// The error that a connection has just met.
  init(_ handle: OpaquePointer?, code: Int32) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    self.init(
      extendedCode: extended & 0xff == code & 0xff ? extended : code, message: text.map { String(cString: $0) } ?? "unknown")
  }
}

extension SQLiteError {
  /// The kinds of failure that a caller treats differently.
  public enum Kind: Sendable, Equatable {
    /// Another program holds a lock.
    case busy
    /// No space is left.
    case full
    /// The bytes are not what SQLite wrote, or not a database at all.
    case damaged
    /// Reading or writing failed below SQLite.
    case inputOutput
    /// The file may not be written.
    case readOnly
    /// A constraint of the schema refused the row.
    case constraint
    /// The call was interrupted.
    case interrupted
    /// No memory was left.
    case outOfMemory
    /// The file could not be opened.
    case cannotOpen
    /// Anything else; as a rule a mistake in a statement.
    case other
  }

  /// Which kind of failure this is.
  public var kind: Kind {
    switch code {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
    // A file that ends too early was cut by someone: the disk answered well.
    case SQLITE_IOERR: extendedCode == SQLITE_IOERR | (2 << 8) ? .damaged : .inputOutput
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_CONSTRAINT: .constraint
    case SQLITE_INTERRUPT, SQLITE_ABORT: .interrupted
    case SQLITE_NOMEM: .outOfMemory
    case SQLITE_CANTOPEN: .cannotOpen
    default: .other
    }
  }

  /// A unique index or primary key refused the row.
  public var isUniqueViolation: Bool {
    extendedCode == SQLITE_CONSTRAINT | (8 << 8) || extendedCode == SQLITE_CONSTRAINT | (6 << 8)
  }
}

extension SQLiteError: CustomStringConvertible {
  /// The message with the extended code, for a log.
  public var description: String { "\(message) (sqlite \(extendedCode))" }
}
