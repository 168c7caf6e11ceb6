import CSQLite

/// A copy of one database into another, made in steps between which the source may be read and written on its own
/// connection: what is written meanwhile gets into the copy too.
public struct Backup: ~Copyable {
  private let handle: OpaquePointer
  private let target: Connection
  private let source: Connection

  /// Begins a copy of the source over whatever the target holds.
  public init(from source: Connection, to target: Connection) throws(SQLiteError) {
    guard let handle = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw SQLiteError(target.handle, code: sqlite3_errcode(target.handle))
    }
    self.handle = handle
    self.source = source
    self.target = target
  }

  deinit {
    // An unfinished copy is undone in the target; a finished one is already committed there.
    sqlite3_backup_finish(handle)
  }

  /// Copies up to so many pages; true when the copy is complete.
  public func step(pages: Int) throws(SQLiteError) -> Bool {
    switch sqlite3_backup_step(handle, Int32(clamping: pages)) {
    case SQLITE_DONE: return true
    case SQLITE_OK: return false
    // The backup reports through its code alone; the connections' own last errors may be older ones.
    case let code: throw SQLiteError(nil, code: code)
    }
  }

  /// Pages that were still to be copied after the last step.
  public var remainingPages: Int { Int(sqlite3_backup_remaining(handle)) }

  /// Pages of the source as of the last step; 0 before the first.
  public var totalPages: Int { Int(sqlite3_backup_pagecount(handle)) }
}
