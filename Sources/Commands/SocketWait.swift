import Glibc

/// Waits for a socket to come back: until something appears in its directory, or for a time that grows.
///
/// Made before the first attempt to connect, it misses nothing that happens between an attempt and the wait after it.
final class SocketWait {
  /// How long the next wait lasts if nothing happens.
  private(set) var milliseconds = SocketWait.shortestMilliseconds
  private static let shortestMilliseconds = 50
  private static let longestMilliseconds = 10_000
  private let descriptor: Int32
  private let directory: String

  /// Watches the directory of the socket at `path`. Where that cannot be, only the intervals are left.
  init(for path: String) {
    let slash = path.lastIndex(of: "/")
    directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    watch()
  }

  deinit { close(descriptor) }

  /// The socket is there: the next absence is waited for anew.
  func reset() { milliseconds = Self.shortestMilliseconds }

  /// Waits once.
  func wait() {
    // Anew each time: the directory may have gone and come back. One that is watched already stays as it is.
    watch()
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, Int32(milliseconds)) > 0 else {
      milliseconds = min(milliseconds * 2, Self.longestMilliseconds)
      return
    }
    var events = [UInt8](repeating: 0, count: 4_096)
    while read(descriptor, &events, events.count) > 0 {}
    // A socket that has just been made may not listen yet.
    reset()
  }

  private func watch() { inotify_add_watch(descriptor, directory, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) }
}
