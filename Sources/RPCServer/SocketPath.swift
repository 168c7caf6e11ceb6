import Glibc

/// Why a socket could not be taken. Nothing at the path was touched.
public enum SocketPathError: Error, Equatable, Sendable {
  /// The path is longer than a Unix socket's may be, in bytes.
  case tooLong(path: String, limit: Int)
  /// Another daemon answers there, or holds the lock; its process id if the lock file tells.
  case alreadyRunning(path: String, pid: pid_t?)
  /// Something that is no socket lies at the path.
  case occupied(path: String, kind: String)
  /// The directory, or what lies at the path, is another user's or open to others for writing.
  case notOurs(path: String)
  /// A system call failed.
  case failed(call: String, path: String, errno: Int32)
}

/// A listening Unix socket at a path, held under a lock file beside it (`<path>.lock`).
///
/// Order at the start: the lock, what lies at the path, whether someone answers there, and only then is a socket that nobody
/// answers replaced. The socket has mode 0600 from its first instant, and a directory that must be made has 0700.
public final class SocketPath {
  /// The longest path, in bytes: `sockaddr_un` less its NUL.
  public static let limit = 107

  /// The path.
  public let path: String
  /// The listening descriptor.
  public private(set) var descriptor: Int32
  private let lock: Int32
  /// Which file was made by the last bind.
  private var device: dev_t = 0
  private var inode: ino_t = 0

  /// Takes the path, or says why it cannot.
  public init(_ path: String) throws(SocketPathError) {
    guard path.utf8.count <= Self.limit else { throw .tooLong(path: path, limit: Self.limit) }
    self.path = path
    try Self.prepareDirectory(of: path)
    lock = try Self.takeLock(path)
    do {
      try Self.clear(path)
      descriptor = try Self.bind(path)
    } catch {
      close(lock)
      throw error
    }
    noteFile()
  }

  private func noteFile() {
    var made = stat()
    guard lstat(path, &made) == 0 else { return }
    device = made.st_dev
    inode = made.st_ino
  }

  /// Listens anew after the socket's file was removed; connections that are open go on. The old descriptor is closed: nobody may
  /// wait for it any more.
  public func rebind() throws(SocketPathError) {
    try Self.clear(path)
    let fresh = try Self.bind(path)
    close(descriptor)
    descriptor = fresh
    noteFile()
  }

  /// Whether the file at the path is the socket that this process listens on.
  public func isInPlace() -> Bool {
    var found = stat()
    return lstat(path, &found) == 0 && found.st_dev == device && found.st_ino == inode
  }

  /// Takes the socket's file away, unless another lies there, and lets the lock go. The lock file stays: removing it would let two processes hold "the" lock.
  public func remove() {
    if isInPlace() { unlink(path) }
    close(descriptor)
    flock(lock, LOCK_UN)
    close(lock)
  }

  private static func prepareDirectory(of path: String) throws(SocketPathError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let directory = String(path[..<slash])
    var status = stat()
    if lstat(directory, &status) != 0 {
      guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw .failed(call: "mkdir", path: directory, errno: errno) }
      return
    }
    guard stat(directory, &status) == 0 else { throw .failed(call: "stat", path: directory, errno: errno) }
    // Whoever may rename in the directory could put a socket of theirs in place of ours; a sticky one (as /tmp) forbids that.
    let othersMayWrite = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
    let isForeign = status.st_uid != geteuid() && status.st_uid != 0
    if othersMayWrite || isForeign { throw .notOurs(path: directory) }
  }

  private static func takeLock(_ path: String) throws(SocketPathError) -> Int32 {
    let name = path + ".lock"
    let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .failed(call: "open", path: name, errno: errno) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      var text = [UInt8](repeating: 0, count: 32)
      let count = read(lock, &text, text.count)
      close(lock)
      throw .alreadyRunning(
        path: path, pid: pid_t(String(decoding: text[..<max(0, count)], as: UTF8.self).prefix { $0.isNumber }))
    }
    let pid = Array("\(getpid())\n".utf8)
    ftruncate(lock, 0)
    _ = pwrite(lock, pid, pid.count, 0)
    return lock
  }

  /// Makes sure that nothing lies at the path: a socket that nobody answers goes, anything else is an error.
  private static func clear(_ path: String) throws(SocketPathError) {
    var status = stat()
    if lstat(path, &status) != 0 {
      if errno == ENOENT { return }
      throw .failed(call: "lstat", path: path, errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .occupied(path: path, kind: kind(of: status.st_mode)) }
    guard status.st_uid == geteuid() else { throw .notOurs(path: path) }
    switch answers(path) {
    case nil: throw .alreadyRunning(path: path, pid: nil)
    case ECONNREFUSED?, ENOENT?: break
    case let failure?: throw .failed(call: "connect", path: path, errno: failure)
    }
    guard unlink(path) == 0 || errno == ENOENT else { throw .failed(call: "unlink", path: path, errno: errno) }
  }

  private static func kind(of mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "directory"
    case S_IFREG: "file"
    case S_IFLNK: "symlink"
    default: "other"
    }
  }

  /// nil if someone accepts connections at the path, else the error number.
  private static func answers(_ path: String) -> Int32? {
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard probe >= 0 else { return errno }
    defer { close(probe) }
    // A full backlog (EAGAIN) is a daemon that is alive and busy.
    return withAddress(path) { connect(probe, $0, $1) } == 0 || errno == EAGAIN ? nil : errno
  }

  private static func bind(_ path: String) throws(SocketPathError) -> Int32 {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .failed(call: "socket", path: path, errno: errno) }
    // The file gets the mode of the socket less the process's mask (unix(7)), which stays as it is: other threads make files too.
    fchmod(descriptor, 0o600)
    guard withAddress(path, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
      let failure = errno
      close(descriptor)
      throw .failed(call: "bind", path: path, errno: failure)
    }
    guard Glibc.listen(descriptor, 256) == 0 else {
      let failure = errno
      close(descriptor)
      throw .failed(call: "listen", path: path, errno: failure)
    }
    return descriptor
  }

  private static func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
