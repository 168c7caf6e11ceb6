import SQLite

/// Why the store cannot be used. Nothing was touched.
public enum StoreError: Error, Equatable, Sendable {
  /// The data directory lets other users in; its mode.
  case openToOthers(path: String, mode: UInt32)
  /// The data directory, or the file in it, belongs to another user.
  case notOurs(path: String)
  /// The directory or file cannot be written to.
  case readOnly(path: String)
  /// Something that is no directory or no plain file lies there.
  case wrongKind(path: String)
  /// Another daemon uses the directory; its process id if the lock file tells.
  case alreadyRunning(path: String, pid: Int32?)
  /// Another program holds the database.
  case busy(path: String)
  /// The disk is full.
  case full(path: String)
  /// The database was written by a newer program.
  case newerSchema(path: String, found: Int, known: Int)
  /// The file is a database of another program.
  case foreign(path: String)
  /// The file is damaged; what was found, in SQLite's or our words, without any content.
  case damaged(path: String, detail: String)
  /// A system call failed.
  case failed(call: String, path: String, errno: Int32)
  /// SQLite refused something else.
  case sqlite(SQLiteError)
}
