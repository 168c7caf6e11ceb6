import Glibc

/// What a clean stop leaves beside the database: its size, time and inode. A start that finds the file as it was left skips the
/// full check, which costs time with the size; any other start makes it.
struct Seal: Equatable {
  let text: String

  /// The file as it is now; nil if it is not there.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    text = "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ino)"
  }

  /// Leaves the seal; without it the next start only takes longer.
  func leave(at path: String) {
    guard let descriptor = try? DataDirectory.openFile(path, O_WRONLY | O_CREAT | O_TRUNC) else { return }
    _ = write(descriptor, text, text.utf8.count)
    close(descriptor)
  }

  /// Whether the seal at `path` fits.
  func fits(at path: String) -> Bool {
    guard let descriptor = try? DataDirectory.openFile(path, O_RDONLY) else { return false }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &bytes, bytes.count)
    close(descriptor)
    return count > 0 && String(decoding: bytes[..<count], as: UTF8.self) == text
  }
}

/// The number of the newest change whose call was answered, kept outside the database. A database that knows of fewer changes has
/// lost acknowledged writes (its log was cut or taken away, or an old copy was put in its place), which SQLite by itself cannot
/// see and would pass over in silence.
///
/// It is written after each commit and never synced: after a power cut it may be older than the database, never newer.
final class Mark {
  private let descriptor: Int32
  /// Twenty digits and a line feed, written anew in place at each commit.
  private var text = [UInt8](repeating: UInt8(ascii: "\n"), count: 21)

  /// The number in the mark at a path; nil if there is none.
  static func read(_ path: String) -> Int64? {
    guard let descriptor = try? DataDirectory.openFile(path, O_RDONLY) else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 24)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Int64(String(decoding: bytes[..<max(0, count)], as: UTF8.self).prefix { $0.isNumber })
  }

  /// Opens the mark for writing, making it if it is not there.
  init(path: String) throws(StoreError) {
    descriptor = try DataDirectory.openFile(path, O_RDWR | O_CREAT)
  }

  deinit { close(descriptor) }

  /// Notes a committed change. The file keeps its size, so a full disk does not matter.
  func set(_ seq: Int64) {
    var rest = seq.magnitude
    for place in (0..<20).reversed() {
      text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    _ = pwrite(descriptor, text, text.count, 0)
  }
}
