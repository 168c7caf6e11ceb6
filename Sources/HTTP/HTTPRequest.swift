/// A text that must not be shown, such as a key: it describes itself as withheld.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text itself: for the header that carries it, and for nothing else.
  public let exposed: String

  /// Text to be kept from logs.
  public init(_ text: String) { exposed = text }

  /// Says only that there is text.
  public var description: String { "‹withheld›" }
  /// Says only that there is text.
  public var debugDescription: String { description }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How long the parts of a transfer may take, and how much may come back. Each part has an error of its own.
public struct HTTPLimits: Sendable, Equatable {
  /// Milliseconds until there is a connection: the name, TCP, a proxy and TLS.
  public var connect = 5_000
  /// Milliseconds from the connection to the status line; in them the request goes out.
  public var firstByte: Int
  /// Milliseconds between two pieces of the answer.
  public var idle: Int
  /// Milliseconds for everything.
  public var total: Int
  /// Bytes of the body. Headers may have 64 KiB besides.
  public var responseBytes = 1 << 20

  /// Limits in milliseconds, and bytes for the body.
  public init(connect: Int = 5_000, firstByte: Int, idle: Int, total: Int, responseBytes: Int = 1 << 20) {
    self.connect = connect
    self.firstByte = firstByte
    self.idle = idle
    self.total = total
    self.responseBytes = responseBytes
  }
}

/// A request, over https alone. It describes itself as withheld.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// What may be asked.
  public enum Method: String, Sendable {
    /// Only asks: it is sent again if a kept connection turns out to be dead.
    case get = "GET"
    /// May change something: it leaves once.
    case post = "POST"
  }

  /// GET or POST.
  public let method: Method
  /// The whole URL; see ``HTTPOrigin/init(_:)`` for what it may be.
  public let url: String
  /// Names and values. Libcurl adds `Host`, `Accept: */*` and the length of the body.
  public let headers: [(String, String)]
  /// Headers such as a key's.
  public let secretHeaders: [(String, Secret)]
  /// The body of a POST; a GET has none.
  public let body: [UInt8]
  /// How long it may take and how much may come.
  public let limits: HTTPLimits

  /// A request that has not been sent.
  public init(
    _ method: Method, _ url: String, headers: [(String, String)] = [], secretHeaders: [(String, Secret)] = [], body: [UInt8] = [],
    limits: HTTPLimits
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.secretHeaders = secretHeaders
    self.body = body
    self.limits = limits
  }

  /// Says only the method.
  public var description: String { "\(method.rawValue) ‹withheld›" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The headers as lines, the secret ones too; nil if one would be more than a line, or no header.
  var headerLines: [String]? {
    var lines: [String] = []
    for (name, value) in headers + secretHeaders.map({ ($0.0, $0.1.exposed) }) {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      else { return nil }
      // The semicolon is how libcurl is told of a header without a value.
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    return lines
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
