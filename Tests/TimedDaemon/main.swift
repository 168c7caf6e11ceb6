// kindverbd with a clock, a zone and a root of purchases of its own. The clock is ahead of the system's by the milliseconds that stand
// in the file `$TIMED_DIRECTORY/ahead`, which can be written anew at any time; the system's zone is `$TIMED_DIRECTORY/localtime`; and what
// vouches for purchases is the certificate `$TIMED_DIRECTORY/root.der`, where there is one at the start, else Apple's. Where there is
// `$TIMED_DIRECTORY/uncounted`, drafts by an AI have no limits.
import CivilTime
import Daemon
import EventLoop
import Glibc
import Synchronization

private let directory = getenv("TIMED_DIRECTORY").map { String(cString: $0) } ?? "/nowhere"
private let ahead = Atomic<Int64>(0)

/// Reads how far the clock is ahead; whether that is news.
@Sendable private func readClock() -> Bool {
  guard let bytes = bytes(of: directory + "/ahead") else { return false }
  let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
  guard let value = Int64(text) else { return false }
  return ahead.exchange(value, ordering: .relaxed) != value
}

/// The bytes of a file; nil if there is none.
private func bytes(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65_536)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes[..<count])
}

/// Keeps the watch.
@DaemonActor private final class Clock {
  static var watch: DirectoryWatch?
}

_ = readClock()
exit(
  kindverbdMain(
    Array(CommandLine.arguments.dropFirst()),
    world: World(
      clock: WallClock { ahead.load(ordering: .relaxed) }, zones: ZoneSource(localtime: directory + "/localtime"),
      purchaseRoots: bytes(of: directory + "/root.der").map { [$0] } ?? World().purchaseRoots,
      countsDrafts: access(directory + "/uncounted", F_OK) != 0,
      whenClockIsSet: { told in
        Clock.watch = try? DirectoryWatch(directory, mask: UInt32(IN_MOVED_TO)) { _ in
          if readClock() { told() }
        }
      })))
