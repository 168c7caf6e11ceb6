/// Bytes from a stream, cut into lines: one JSON text a line, ended by LF; a CR before it is white space to JSON, and blank
/// lines are passed over. A line over the limit is given up as soon as it is too long, and what follows its LF is read on.
public struct LineBuffer: Sendable {
  /// What comes next in the stream.
  public enum Item: Equatable, Sendable {
    /// A line: its place in ``bytes``, without LF.
    case line(Range<Int>)
    /// The beginning of a line longer than the limit; the rest of it is dropped as it comes.
    case oversized
  }

  /// What has been received and not yet taken away.
  public private(set) var bytes: [UInt8] = []
  /// The longest line that is taken, in bytes without its LF.
  public let limit: Int
  private var start = 0
  private var scanned = 0
  private var isSkipping = false

  /// An empty buffer for lines of up to `limit` bytes.
  public init(limit: Int) { self.limit = limit }

  /// How many bytes wait.
  public var count: Int { bytes.count - start }

  /// Whether the beginning of a line waits for its end.
  public var hasPartialLine: Bool { isSkipping || count > 0 }

  /// Whether a complete line waits; ``next()`` then gives one, or passes over blank ones.
  public var hasLine: Bool {
    let from = max(scanned, start)
    return from < bytes.count && bytes.withUnsafeBufferPointer { $0[from...].contains(UInt8(ascii: "\n")) }
  }

  /// Takes over what came from the stream.
  public mutating func append(_ received: some Collection<UInt8>) {
    compact()
    bytes.append(contentsOf: received)
  }

  /// The next line that is complete, or nil until more comes.
  public mutating func next() -> Item? {
    while true {
      guard let end = lineEnd() else {
        if isSkipping {
          start = bytes.count
          scanned = start
        } else if count > limit {
          isSkipping = true
          start = bytes.count
          scanned = start
          return .oversized
        }
        return nil
      }
      let line = start..<end
      start = end + 1
      scanned = start
      if isSkipping {
        isSkipping = false
      } else if line.count > limit {
        return .oversized
      } else if !isBlank(line) {
        return .line(line)
      }
    }
  }

  /// At the stream's end: a last line without LF, or nil if there is none.
  public mutating func last() -> Item? {
    let line = start..<bytes.count
    start = bytes.count
    scanned = start
    if isSkipping || isBlank(line) { return nil }
    return .line(line)
  }

  /// Gives the memory of a past burst back once everything has been taken.
  public mutating func compact() {
    guard start > 0 else { return }
    if start == bytes.count {
      if bytes.capacity > 65_536 { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
    } else if start >= 65_536 || start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
    } else {
      return
    }
    scanned -= start
    start = 0
    if scanned < 0 { scanned = 0 }
  }

  private mutating func lineEnd() -> Int? {
    let from = scanned
    let found = bytes.withUnsafeBufferPointer { buffer in buffer[from...].firstIndex(of: UInt8(ascii: "\n")) }
    scanned = found ?? bytes.count
    return found
  }

  private func isBlank(_ line: Range<Int>) -> Bool {
    for index in line {
      switch bytes[index] {
      case 0x20, 0x09, 0x0D: continue
      default: return false
      }
    }
    return true
  }
}
