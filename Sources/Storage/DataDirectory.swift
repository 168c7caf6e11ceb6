import Glibc

/// The directory that holds everything the daemon keeps, with its lock. Others have no access to it, and two daemons cannot use it.
public final class DataDirectory: Sendable {
  /// The directory.
  public let path: String
  private let lock: Int32

  /// The database.
  public var database: String { path + "/kindverb.db" }
  /// SQLite's write-ahead log.
  var log: String { database + "-wal" }
  /// What a clean stop leaves behind; see ``Seal``.
  var seal: String { path + "/kindverb.seal" }
  /// The number of the newest acknowledged change; see ``Mark``.
  var mark: String { path + "/kindverb.mark" }
  /// Automatic backups.
  public var backups: String { path + "/backups" }

  /// Takes the directory, making it (0700) if it is not there, or says why not.
  public init(_ path: String) throws(StoreError) {
    self.path = path
    try Self.make(path)
    try Self.check(path)
    lock = try Self.takeLock(path)
  }

  deinit {
    // A child that is just being made holds the lock's descriptor as well, until it becomes another program.
    release()
    close(lock)
  }

  /// Lets go of the directory: another daemon may use it from now on.
  public func release() { flock(lock, LOCK_UN) }

  private static func make(_ path: String) throws(StoreError) {
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += (made.isEmpty && part.isEmpty) || made.hasSuffix("/") || made.isEmpty ? String(part) : "/" + part
      if part.isEmpty {
        made = made.isEmpty ? "/" : made
        continue
      }
      guard mkdir(made, 0o700) != 0 else { continue }
      // What is there already need not be made, even where nothing could be (a read-only file system says so first).
      let reason = errno
      if reason != EEXIST, access(made, F_OK) != 0 { throw failure("mkdir", made, reason) }
    }
  }

  private static func check(_ path: String) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure("stat", path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .wrongKind(path: path) }
    guard status.st_uid == geteuid() else { throw .notOurs(path: path) }
    guard status.st_mode & 0o077 == 0 else { throw .openToOthers(path: path, mode: status.st_mode & 0o777) }
    guard access(path, W_OK | X_OK) == 0 else { throw .readOnly(path: path) }
  }

  private static func takeLock(_ path: String) throws(StoreError) -> Int32 {
    let name = path + "/kindverbd.lock"
    let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure("open", name) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      var text = [UInt8](repeating: 0, count: 32)
      let count = read(lock, &text, text.count)
      close(lock)
      throw .alreadyRunning(
        path: path, pid: Int32(String(decoding: text[..<max(0, count)], as: UTF8.self).prefix { $0.isNumber }))
    }
    let pid = Array("\(getpid())\n".utf8)
    _ = ftruncate(lock, 0)
    _ = pwrite(lock, pid, pid.count, 0)
    return lock
  }

  /// What a system call's error number means here.
  static func failure(_ call: String, _ path: String, _ reason: Int32 = errno) -> StoreError {
    switch reason {
    case EROFS, EACCES, EPERM: .readOnly(path: path)
    case ENOSPC, EDQUOT: .full(path: path)
    case ENOTDIR: .wrongKind(path: path)
    default: .failed(call: call, path: path, errno: reason)
    }
  }

  /// The error number that writing here meets now, tried with a page in a file of its own; 0 if it can be written. A limit on the
  /// length of files counts for one as long as `room`.
  func writeError(room: off_t) -> Int32 {
    let path = path + "/kindverb.probe"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno }
    defer {
      unlink(path)
      close(descriptor)
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < UInt64(room) + 65_536 { return EFBIG }
    let page = [UInt8](repeating: 0, count: 4_096)
    return pwrite(descriptor, page, page.count, 0) == page.count && fdatasync(descriptor) == 0 ? 0 : errno
  }

  /// Makes the entries of a directory durable.
  static func sync(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// What makes a file that one, whatever its name; and how long it is. The same file of another length counts as equal.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let inode: ino_t
  /// Bytes.
  let size: off_t

  /// The file at a path; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
  }

  static func == (left: FileIdentity, right: FileIdentity) -> Bool { left.device == right.device && left.inode == right.inode }
}
