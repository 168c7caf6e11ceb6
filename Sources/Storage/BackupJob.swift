import Glibc
import SQLite

/// A complete copy of the store, made in steps between which the daemon goes on. It appears at its path when it is whole and on
/// disk, and not before; a file that lies there is never overwritten. The copy is a store with a name of its own: cursors of the
/// store it was taken from do not fit it, since the two go different ways from here.
public final class BackupJob {
  /// Where it will lie.
  public let path: String
  private let directory: String
  private let temporary: String
  private let name: String
  private let target: Connection
  private let descriptor: Int32
  private var backup: Backup?
  private var isFinished = false

  /// Begins a copy to `path`, whose directory is made (0700) if it is not there and `makesDirectory` says so. `random` gives so many
  /// random bytes.
  public init(
    _ source: Connection, to path: String, makesDirectory: Bool = true, random: (Int) -> [UInt8] = StoreEnvironment.live.random
  ) throws(SQLiteError) {
    self.path = path
    directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    if makesDirectory { mkdir(directory, 0o700) }
    BackupFiles.removeUnfinished(in: directory)
    name = Store.hex(random(8))
    let temporary = "\(directory)/.kindverb-\(name).part"
    let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw SQLiteError(extendedCode: errno == ENOSPC || errno == EDQUOT ? 13 : 14, message: "the backup's file cannot be made")
    }
    // Held for as long as the copy is being made, so that no one takes it for one that was left behind.
    flock(descriptor, LOCK_EX | LOCK_NB)
    do throws(SQLiteError) {
      target = try Connection(path: temporary)
      // Nobody sees the copy before it is whole, and it is synced at the end. Without a journal it is written once.
      try target.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -256")
      backup = try Backup(from: source, to: target)
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    self.temporary = temporary
    self.descriptor = descriptor
  }

  deinit {
    backup = nil
    target.close()
    close(descriptor)
    if !isFinished { unlink(temporary) }
  }

  /// Copies up to so many pages; true when all are copied. What was copied is sent on its way to the disk, so that the sync at the
  /// end, for which the daemon waits, has little left to do.
  public func step(pages: Int) throws(SQLiteError) -> Bool {
    let isDone = try backup?.step(pages: pages) ?? true
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    return isDone
  }

  /// All is copied: what follows is to look through the file, which has this name until ``finish()``. A store that was damaged under
  /// the daemon is found so: what is in its memory may be whole while the file is not.
  public func endCopying() throws(SQLiteError) -> String {
    guard backup != nil else { return temporary }
    backup = nil
    // A copy is one file, without a log of its own beside it.
    try target.execute("PRAGMA journal_mode = DELETE")
    return temporary
  }

  /// Syncs the copy and gives it its name; answers its size in bytes.
  @discardableResult
  public func finish() throws(SQLiteError) -> Int {
    _ = try endCopying()
    try target.run("UPDATE meta SET value = ? WHERE name = 'storeId'", name)
    target.close()
    guard fsync(descriptor) == 0 else {
      throw SQLiteError(extendedCode: errno == ENOSPC || errno == EDQUOT ? 13 : 10, message: "the backup cannot be synced")
    }
    guard takeName() else {
      throw SQLiteError(extendedCode: errno == EEXIST ? Self.existsCode : 10, message: "the backup cannot be named")
    }
    isFinished = true
    DataDirectory.sync(directory)
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Gives the file its name unless one lies there.
  private func takeName() -> Bool {
    if link(temporary, path) == 0 {
      unlink(temporary)
      return true
    }
    guard errno == EPERM || errno == EOPNOTSUPP else { return false }
    // A file system without links (FAT on a memory stick): the name is taken first, which fails if it is taken already.
    let place = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard place >= 0 else { return false }
    close(place)
    if rename(temporary, path) == 0 { return true }
    unlink(path)
    return false
  }

  /// The code of "a file lies there already", which SQLite does not use.
  public static let existsCode: Int32 = 201
}

/// Why a backup was made. Each kind is kept for itself, so that none pushes out another.
public enum BackupKind: String, CaseIterable, Sendable {
  /// Once a day, on its own.
  case daily = ""
  /// A person or a script asked for it, without saying where.
  case asked = "asked-"
  /// Before the schema is upgraded.
  case upgrade = "upgrade-"
}

/// The backups of a directory.
public enum BackupFiles {
  /// How many of each kind stay.
  public static let kept = 7
  /// Milliseconds from one automatic backup to the next.
  public static let interval = Store.dayMilliseconds

  /// The names of all backups in a directory, or of those of one kind, oldest first. Those whose names lie after `now` count as
  /// the oldest: they were made while the clock was ahead, and must not push out what is made after it was set right.
  public static func list(_ directory: String, _ kind: BackupKind? = nil, now: Int64? = nil) -> [String] {
    let present = now.map(stamp)
    let names = entries(directory).filter {
      $0.hasPrefix("kindverb-") && $0.hasSuffix(".db") && (kind == nil || kind == Self.kind(of: $0))
    }
    // Without the ending, since a second one of the same second has a number before it.
    func place(_ name: String) -> (Int, Substring) {
      let isAhead = present.map { moment(of: name) > $0 } ?? false
      return (isAhead ? 0 : 1, name.dropLast(3))
    }
    return names.sorted { place($0) < place($1) }
  }

  /// The moment in a backup's name, to the second.
  private static func moment(of name: String) -> Substring {
    name.drop { !$0.isNumber }.prefix { $0 != "-" && $0 != "." }
  }

  private static func entries(_ directory: String) -> [String] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { buffer in String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  /// Takes away copies that a process which ended could not finish: they may hold words that have been deleted since. One that is
  /// being made is held under a lock, and stays.
  static func removeUnfinished(in directory: String) {
    for name in entries(directory) where name.hasPrefix(".kindverb-") && name.hasSuffix(".part") {
      let path = "\(directory)/\(name)"
      let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
      close(descriptor)
    }
  }

  /// The kind of a backup by its name; nil for a file that has none of our names.
  private static func kind(of name: String) -> BackupKind? {
    BackupKind.allCases.first { kind in
      let rest = name.dropFirst("kindverb-".count)
      return rest.hasPrefix(kind.rawValue) && rest.dropFirst(kind.rawValue.count).first?.isNumber == true
    }
  }

  /// `<directory>/kindverb-20260301T071500Z.db`; with a number behind it if there is one of that second, and with the kind before it
  /// if it is not a daily one.
  public static func name(_ directory: String, _ kind: BackupKind, at milliseconds: Int64) -> String {
    let stem = "kindverb-\(kind.rawValue)\(stamp(milliseconds))"
    // One more than the highest there is: a number that has become free would make the newest look like the oldest.
    let highest = list(directory, kind).filter { $0.hasPrefix(stem) }.map { number(of: $0) }.max()
    return "\(directory)/\(stem)\(highest.map { "-" + pad($0 + 1, 3) } ?? "").db"
  }

  /// The number behind the moment in a backup's name; 0 if there is none.
  private static func number(of name: String) -> Int32 {
    Int32(name.dropLast(3).split(separator: "Z-").dropFirst().first ?? "") ?? 0
  }

  /// `20260301T071500Z`
  private static func stamp(_ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return pad(parts.tm_year + 1_900, 4) + pad(parts.tm_mon + 1, 2) + pad(parts.tm_mday, 2) + "T"
      + pad(parts.tm_hour, 2) + pad(parts.tm_min, 2) + pad(parts.tm_sec, 2) + "Z"
  }

  private static func pad(_ number: Int32, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// When the newest daily backup was made, in milliseconds since 1970; nil if there is none.
  public static func newest(_ directory: String, now: Int64) -> Int64? {
    var status = stat()
    guard let name = list(directory, .daily, now: now).last, stat("\(directory)/\(name)", &status) == 0 else { return nil }
    return Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
  }

  /// Takes away all but the newest ``kept`` of each kind.
  public static func prune(_ directory: String, now: Int64) {
    for kind in BackupKind.allCases {
      for name in list(directory, kind, now: now).dropLast(kept) { unlink("\(directory)/\(name)") }
    }
  }

  /// How long to wait for the next automatic backup, once something has changed: nothing if the last is a day old, or if the clock
  /// was set back so far that the last lies in the future.
  public static func wait(now: Int64, newest: Int64?) -> Int64 {
    guard let newest, newest <= now else { return 0 }
    return max(0, newest + interval - now)
  }
}
