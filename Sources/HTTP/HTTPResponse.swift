/// An answer, whatever its status: what a status means is the caller's. It describes itself by its status alone.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
  /// The status, such as 200. A redirect is an answer like any other: it is not followed.
  public let status: Int
  /// The headers, in their order.
  public let headers: HTTPHeaders
  /// The body, as it came: no compression was asked for.
  public let body: [UInt8]

  /// Says only the status.
  public var description: String { "HTTP \(status)" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The server's clock when it answered, in milliseconds since 1970; nil if it did not tell.
  public var serverTime: Int64? { headers.values(of: "date").first.flatMap { HTTPDate.seconds($0[...]) }.map { $0 * 1_000 } }

  /// How long the answer asks to wait; see ``RetryAfter/milliseconds(_:date:now:cap:)``.
  public func retryAfter(now: Int64, cap: Int) -> Int? {
    RetryAfter.milliseconds(headers.values(of: "retry-after"), date: headers.values(of: "date").first, now: now, cap: cap)
  }
}

/// Why there is no answer. It holds no word of the request, of the answer or of the library.
public struct HTTPFailure: Error, Equatable, Sendable {
  /// What went wrong; the raw value may stand in a log.
  public enum Reason: String, Sendable {
    /// No connection within ``HTTPLimits/connect``.
    case connectTimeout
    /// No status line within ``HTTPLimits/firstByte``.
    case firstByteTimeout
    /// The answer stopped for ``HTTPLimits/idle``.
    case idleTimeout
    /// Not done within ``HTTPLimits/total``.
    case totalTimeout
    /// The name could not be resolved: there is none, or nobody to ask.
    case nameNotFound
    /// Nothing answers there: refused, no route, no network. A proxy that cannot be reached is this too.
    case unreachable
    /// No TLS 1.2 or newer, or no certificate that this machine trusts for this host now.
    case tls
    /// The body is larger than ``HTTPLimits/responseBytes``, or the headers are larger than 64 KiB.
    case tooLarge
    /// The connection was reset or cut short, or what came is no HTTP.
    case broken
    /// The caller's task was cancelled, or the client is gone.
    case cancelled
    /// The request may not be sent: its host is not one of the client's, its URL is no plain https one, or a header would be more than one.
    case notAllowed
    /// The proxy of the environment refused, or its name could not be resolved.
    case proxy
    /// There is no libcurl of version 7.87 or newer, no memory or no descriptor.
    case unavailable
  }

  /// What went wrong.
  public let reason: Reason
  /// Whether a byte of the request can have left this machine. Then only the server knows whether it did what it was asked.
  public let mayHaveBeenSent: Bool
  /// The status, if one had come.
  public let status: Int?

  init(_ reason: Reason, mayHaveBeenSent: Bool = false, status: Int? = nil) {
    self.reason = reason
    self.mayHaveBeenSent = mayHaveBeenSent
    self.status = status
  }
}

/// The headers of an answer, fed line by line.
public struct HTTPHeaders: Sendable {
  /// Names and values as they came, in their order.
  public private(set) var fields: [(name: String, value: String)] = []
  private(set) var status: Int?
  private var size = 0
  /// Bytes that the headers of one transfer may have, all answers taken together.
  static let limit = 1 << 16

  /// All values of a header, whatever the case of its name, in their order.
  public func values(of name: String) -> [String] {
    let name = name.lowercased()
    return fields.compactMap { $0.name.lowercased() == name ? $0.value : nil }
  }

  /// Takes a line with its end; whether there was room. A status line begins anew: what came before it belonged to an interim answer.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    size += line.count
    guard size <= Self.limit else { return false }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      fields = []
      status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int(Self.trimmed($0)) }
    } else if let first = line.first, first == 0x20 || first == 0x09 {
      // A folded line: it goes on with the value before it.
      if let last = fields.indices.last { fields[last].value += " " + Self.trimmed(text[...]) }
    } else if let colon = text.firstIndex(of: ":") {
      fields.append((String(text[..<colon]), String(Self.trimmed(text[text.index(after: colon)...]))))
    }
    return true
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isSpace = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\n" }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isSpace($0) }), let last = scalars.lastIndex(where: { !isSpace($0) }) else {
      return ""
    }
    return Substring(scalars[first...last])
  }
}
