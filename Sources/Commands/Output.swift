import Glibc
import KindVerbAPI

/// Standard output. What cannot be written ends the program at once: what came after it would be lost as well, and a script must
/// not take a part for the whole.
final class Output {
  /// The language in which it is said that something was wrong.
  var language = Language.en

  /// Writes a text. A closed pipe ends the program silently (SIGPIPE).
  func write(_ text: String) {
    if Commands.write(text, to: 1) { return }
    fail(errno)
  }

  /// Some file systems tell only at the end that there was no room.
  func close() {
    // A terminal and a pipe have nothing to tell; and who tests this program still needs its own.
    var status = stat()
    guard fstat(1, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    if Glibc.close(1) != 0 { fail(errno) }
  }

  private func fail(_ number: Int32) -> Never {
    Parting.giveTerminalBack()
    let text = MessageKey.cliErrorOutput.text(in: language, String(cString: strerror(number)))
    Commands.write("kindverb: " + text + "\n", to: 2)
    Parting.tellKept()
    exit(ExitCode.failed.rawValue)
  }

  /// Opens what the parent closed, the wrong way round: else a socket would become standard output, and get what is written there.
  static func secureStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == 1 ? O_RDONLY : O_WRONLY)
    }
  }
}

/// Writes all of a text to a descriptor, waiting where that does not wait itself; false, with `errno`, if that cannot be.
@discardableResult
func write(_ text: String, to descriptor: Int32) -> Bool {
  let bytes = Array(text.utf8)
  var sent = 0
  while sent < bytes.count {
    let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      sent += count
    } else if count < 0, errno == EAGAIN {
      waitUntilReady(descriptor, POLLOUT)
    } else if count == 0 || errno != EINTR {
      return false
    }
  }
  return true
}

/// Waits until a descriptor that does not wait itself can be read or written.
func waitUntilReady(_ descriptor: Int32, _ events: Int32) {
  var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  poll(&waiting, 1, -1)
}
