import Glibc
import HTTP
import Systemd

/// Where a key is kept: in a credential of the service manager's, else in a file that is the owner's alone. It is read when it is used,
/// and kept nowhere else: not in the database, not in the environment, not in `system.info`.
struct KeyFile: Equatable, Sendable {
  /// The name of the credential (`LoadCredential=`).
  let credential: String
  /// The file that is looked at where there is no such credential.
  let path: String

  /// What was found.
  enum Finding: Equatable, Sendable {
    case key(Secret)
    /// Neither a credential nor a file is there.
    case absent
    /// Something is there that is not taken for a key.
    case refused(Refusal)
  }

  /// Why what is there is not taken for a key; the words of `data.reason`.
  enum Refusal: String, Sendable {
    /// Others may read it (`chmod 600`).
    case readableByOthers = "readable_by_others"
    /// It belongs to another user.
    case owner
    /// It is a directory, a pipe, or what else has no text to read.
    case noFile = "no_file"
    /// It is longer than a key, or holds more than one word.
    case notOneWord = "not_one_word"
    /// The system does not let it be read.
    case unreadable
  }

  /// The longest key, in bytes.
  private static let limit = 4_096

  /// Looks.
  func read() -> Finding {
    if let bytes = Credentials.read(credential) { return Self.key(bytes) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .absent : .refused(.unreadable) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .refused(.noFile) }
    guard status.st_uid == geteuid() else { return .refused(.owner) }
    guard status.st_mode & 0o077 == 0 else { return .refused(.readableByOthers) }
    var bytes = [UInt8](repeating: 0, count: Self.limit + 1)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return .refused(.unreadable) }
    return Self.key(Array(bytes.prefix(count)))
  }

  /// A key is opaque, but for what no header can hold.
  private static func key(_ bytes: [UInt8]) -> Finding {
    let blank = Set<UInt8>([0x20, 0x09, 0x0A, 0x0D])
    let text = bytes.drop { blank.contains($0) }.reversed().drop { blank.contains($0) }.reversed()
    if text.isEmpty { return .absent }
    guard text.count <= limit, text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return .refused(.notOneWord)
    }
    return .key(Secret(String(decoding: text, as: UTF8.self)))
  }
}
