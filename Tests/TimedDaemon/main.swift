// kindverbd with a clock and a zone of its own. The clock is ahead of the system's by the milliseconds that stand in the file
// `$TIMED_DIRECTORY/ahead`, which can be written anew at any time; the system's zone is `$TIMED_DIRECTORY/localtime`.
import CivilTime
import Daemon
import EventLoop
import Glibc
import Synchronization

private let directory = getenv("TIMED_DIRECTORY").map { String(cString: $0) } ?? "/nowhere"
private let ahead = Atomic<Int64>(0)

/// Reads how far the clock is ahead; whether that is news.
@Sendable private func readClock() -> Bool {
  guard let file = fopen(directory + "/ahead", "r") else { return false }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 64)
  let count = fread(&bytes, 1, bytes.count, file)
  let text = String(decoding: bytes[..<count], as: UTF8.self).filter { !$0.isWhitespace }
  guard let value = Int64(text) else { return false }
  return ahead.exchange(value, ordering: .relaxed) != value
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
      whenClockIsSet: { told in
        Clock.watch = try? DirectoryWatch(directory, mask: UInt32(IN_MOVED_TO)) { _ in
          if readClock() { told() }
        }
      })))
