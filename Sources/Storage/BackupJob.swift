import Glibc
import SQLite

/// A complete copy of the store, made in steps between which the daemon goes on. It appears at its path when it is whole and on
/// disk, and not before; a file that lies there is never overwritten.
public final class BackupJob {
  /// Where it will lie.
  public let path: String
  private let temporary: String
  private let target: Connection
  private var backup: Backup?
  private var isFinished = false

  /// Begins a copy to `path`, whose directory is made (0700) if it is not there.
  public init(_ source: Connection, to path: String) throws(SQLiteError) {
    self.path = path
    let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    mkdir(directory, 0o700)
    temporary = path + ".part"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw SQLiteError(extendedCode: errno == ENOSPC ? 13 : 14, message: "the backup's file cannot be made")
    }
    close(descriptor)
    target = try Connection(path: temporary)
    backup = try Backup(from: source, to: target)
  }

  deinit {
    if !isFinished {
      backup = nil
      target.close()
      unlink(temporary)
    }
  }

  /// Copies up to so many pages; true when all are copied.
  public func step(pages: Int) throws(SQLiteError) -> Bool { try backup?.step(pages: pages) ?? true }

  /// Syncs the copy and gives it its name; answers its size in bytes.
  @discardableResult
  public func finish() throws(SQLiteError) -> Int {
    backup = nil
    // A copy is one file: without a log of its own beside it.
    try target.execute("PRAGMA journal_mode = DELETE")
    target.close()
    let descriptor = open(temporary, O_RDONLY | O_CLOEXEC)
    let isSynced = descriptor >= 0 && fsync(descriptor) == 0
    close(descriptor)
    guard isSynced else { throw SQLiteError(extendedCode: 10, message: "the backup cannot be synced") }
    guard link(temporary, path) == 0 else {
      throw SQLiteError(extendedCode: errno == EEXIST ? Self.existsCode : 10, message: "the backup cannot be named")
    }
    unlink(temporary)
    isFinished = true
    DataDirectory.sync(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The code of "a file lies there already", which SQLite does not use.
  public static let existsCode: Int32 = 201
}

/// The automatic backups of a directory.
public enum BackupFiles {
  /// How many stay.
  public static let kept = 7
  /// Milliseconds from one automatic backup to the next.
  public static let interval: Int64 = 86_400_000

  /// The names of the backups in a directory, oldest first.
  public static func list(_ directory: String) -> [String] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("kindverb-"), name.hasSuffix(".db") { names.append(name) }
    }
    return names.sorted()
  }

  /// `<directory>/kindverb-20260301T071500Z.db`; with a number behind it if there is one of that second.
  public static func name(_ directory: String, at milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let pad = { (number: Int32, width: Int) -> String in
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let stamp =
      pad(parts.tm_year + 1_900, 4) + pad(parts.tm_mon + 1, 2) + pad(parts.tm_mday, 2) + "T"
      + pad(parts.tm_hour, 2) + pad(parts.tm_min, 2) + pad(parts.tm_sec, 2) + "Z"
    var path = "\(directory)/kindverb-\(stamp).db"
    var number = 1
    while access(path, F_OK) == 0 {
      path = "\(directory)/kindverb-\(stamp)-\(pad(Int32(number), 3)).db"
      number += 1
    }
    return path
  }

  /// When the newest backup was made, in milliseconds since 1970; nil if there is none.
  public static func newest(_ directory: String) -> Int64? {
    var status = stat()
    guard let name = list(directory).last, stat("\(directory)/\(name)", &status) == 0 else { return nil }
    return Int64(status.st_mtim.tv_sec) * 1_000
  }

  /// Takes away all but the newest ``kept``.
  public static func prune(_ directory: String) {
    for name in list(directory).dropLast(kept) { unlink("\(directory)/\(name)") }
  }

  /// How long to wait for the next automatic backup, once something has changed: nothing if the last is a day old, or if the clock
  /// was set back so far that the last lies in the future.
  public static func wait(now: Int64, newest: Int64?) -> Int64 {
    guard let newest, newest <= now else { return 0 }
    return max(0, newest + interval - now)
  }
}
