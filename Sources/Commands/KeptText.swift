import Glibc
import JSONRPC
import KindVerbAPI

/// A text of the person in a file that no one else can read, until the daemon has it: if it never comes to that, the file stays and
/// its path is told, also by a signal that ends the program.
final class KeptText {
  /// The file.
  let path: String
  private let directory: String
  private let session: Session
  private let line: UnsafeMutablePointer<CChar>?

  /// Writes a text to a new file; nil, with `errno`, if that cannot be.
  init?(_ text: String, _ session: Session) {
    guard let directory = Self.privateDirectory() else { return nil }
    self.directory = directory
    self.session = session
    path = directory + "/letter.txt"
    line = strdup(session.text(.cliTextKept, path) + "\n")
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let isWritten = descriptor >= 0 && write(text + "\n", to: descriptor)
    let number = errno
    close(descriptor)
    guard isWritten else {
      Self.removeAll(in: directory)
      errno = number
      return nil
    }
    Parting.tells(line)
  }

  deinit {
    Parting.tells(nil)
    free(line)
  }

  /// The daemon has the text, or there is nothing in it: the file goes, with all that an editor left beside it.
  func remove() {
    Parting.tells(nil)
    Self.removeAll(in: directory)
  }

  /// The text stays where it is: says where.
  func stay() {
    Parting.tells(nil)
    session.terminal.complain(session.text(.cliTextKept, path))
  }

  /// What stands in the file, without white space around it; nil if it is gone.
  func contents() throws(Failure) -> String? {
    // An editor may have put another file in its place.
    chmod(path, 0o600)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    repeat {
      // More than a call takes cannot be kept whatever it is.
      guard max(Int(status.st_size), bytes.count) <= Client.lineLimit else { throw .usage(session.text(.cliErrorLargeFile)) }
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno != EINTR { return nil }
      if count == 0 { break }
      bytes += chunk[..<max(0, count)]
    } while true
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .usage(session.text(.cliErrorNotTextFile)) }
    return Wizard.trimmed(text)
  }

  private static func privateDirectory() -> String? {
    let places = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { OutsideText.variable($0) } + ["/tmp"]
    for place in places where place.hasPrefix("/") {
      var template = Array("\(place)/kindverb-XXXXXX".utf8CString)
      if mkdtemp(&template) != nil {
        return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    return nil
  }

  private static func removeAll(in directory: String) {
    guard let entries = opendir(directory) else { return }
    // Names are bytes: one that is no text goes too.
    while let entry = readdir(entries) { unlinkat(dirfd(entries), &entry.pointee.d_name.0, 0) }
    closedir(entries)
    rmdir(directory)
  }
}
