import CSystemd
import Glibc

/// Text for the log. It is made of literals and of values that cannot hold what a person wrote: a plain `String` does not fit
/// in, only one that the caller vouches for by `public:`.
public struct LogMessage: ExpressibleByStringInterpolation, Sendable {
  /// Collects the parts.
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    /// Room for the literal parts.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity + 8 * interpolationCount) }
    /// A part of the message's own text.
    public mutating func appendLiteral(_ literal: String) { text += literal }
    /// A number.
    public mutating func appendInterpolation(_ value: some BinaryInteger) { text += String(value) }
    /// A name from the program's own text.
    public mutating func appendInterpolation(_ value: StaticString) { text += value.description }
    /// Text that the caller knows to be none of a person's words: a path, a method's name, an error's key.
    public mutating func appendInterpolation(public value: String) { text += value }
  }

  let text: String

  /// A message without values.
  public init(stringLiteral value: String) { text = value }

  /// A message with values.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

/// A log of one area. Lines go to the systemd journal, with the area as `KINDVERB_CATEGORY`, or to standard error without one.
public struct Log: Sendable {
  /// How much a line matters; syslog's numbers.
  public enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
  }

  /// The area, in lower case: `socket`, `store`, `rpc` …
  public let category: String

  /// A log for an area.
  public init(_ category: String) { self.category = category }

  /// Something failed that a person must look at.
  public func error(_ message: LogMessage) { write(.error, message) }
  /// Something is wrong, and the daemon goes on.
  public func warning(_ message: LogMessage) { write(.warning, message) }
  /// Something worth knowing happened.
  public func notice(_ message: LogMessage) { write(.notice, message) }
  /// The usual course of things.
  public func info(_ message: LogMessage) { write(.info, message) }

  private func write(_ priority: Priority, _ message: LogMessage) {
    if Self.sendsToJournal {
      sendToJournal([
        "MESSAGE=\(message.text)", "PRIORITY=\(priority.rawValue)", "KINDVERB_CATEGORY=\(category)",
        "SYSLOG_IDENTIFIER=kindverbd",
      ])
    } else {
      // One write a line, so that lines of several processes do not mix; line feeds inside cannot forge a second entry.
      let text = message.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
      let line = Array("\(Self.isTerminal ? "kindverbd: " : "<\(priority.rawValue)>")\(category): \(text)\n".utf8)
      _ = Glibc.write(2, line, line.count)
    }
  }

  /// A person reads there: the numbers that tell programs how much a line matters are left out.
  private static let isTerminal = isatty(2) == 1

  /// Whether standard error is the journal's stream, which is when native entries reach the same journal.
  private static let sendsToJournal: Bool = {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var status = stat()
    guard fstat(2, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }()

  private func sendToJournal(_ fields: [String]) {
    let bytes = fields.map { Array($0.utf8) }
    let total = bytes.reduce(0) { $0 + $1.count }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: total) { buffer in
      var vectors: [iovec] = []
      var offset = 0
      for field in bytes {
        for (index, byte) in field.enumerated() { buffer[offset + index] = byte }
        vectors.append(iovec(iov_base: buffer.baseAddress.map { UnsafeMutableRawPointer($0 + offset) }, iov_len: field.count))
        offset += field.count
      }
      _ = sd_journal_sendv(&vectors, Int32(vectors.count))
    }
  }
}
