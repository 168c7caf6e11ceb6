import JSON

/// A request's id as its bytes on the wire, so that it comes back as it came (`1.0`, `"\u0061"` and `null` stay what they are).
public struct RequestID: Hashable, Sendable {
  /// The JSON text of the id.
  public let bytes: [UInt8]

  /// An id of this JSON text.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The id that answers what cannot be told apart: `null`.
  public static let null = RequestID(bytes: Array("null".utf8))
}

/// One call, by JSON-RPC 2.0.
public struct Request: Sendable {
  /// The call's id; nil for a notification, which gets no answer whatever happens.
  public let id: RequestID?
  /// The method's name.
  public let method: String
  /// The parameters: an object, an array, or nil when absent.
  public let params: JSON?

  /// A call of `method`.
  public init(id: RequestID?, method: String, params: JSON?) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// Why a JSON value is no request (−32600).
public struct InvalidRequest: Error, Equatable, Sendable {
  /// The member that is wrong (`jsonrpc`, `method`, `params`, `id`), or nil if the whole value is.
  public let member: String?
  /// What should stand there.
  public let expected: String
  /// What stands there: a type, or `absent`.
  public let got: String
  /// The id to answer with.
  public let id: RequestID

  /// A refusal answered with `id`.
  public init(member: String?, expected: String, got: String, id: RequestID = .null) {
    self.member = member
    self.expected = expected
    self.got = got
    self.id = id
  }
}

/// What one line is.
public enum Envelope: Sendable {
  /// One call or notification.
  case single(Request)
  /// One value that is no request; its answer is an object.
  case invalid(InvalidRequest)
  /// A batch; each item is answered by itself, in order. Never empty.
  case batch([Result<Request, InvalidRequest>])

  /// Reads one line.
  ///
  /// - Throws: ``JSONError`` when the text is not one JSON value; nothing of it is then executed.
  public init(parsing bytes: [UInt8], in range: Range<Int>) throws(JSONError) {
    var parser = JSONParser(bytes, in: range)
    if parser.peek() == UInt8(ascii: "[") {
      var items: [Result<Request, InvalidRequest>] = []
      try parser.elements { (parser) throws(JSONError) in items.append(try Self.item(&parser, depth: 1)) }
      self =
        items.isEmpty
        ? .invalid(InvalidRequest(member: nil, expected: "at least one request", got: "an empty batch")) : .batch(items)
    } else {
      switch try Self.item(&parser, depth: 0) {
      case .success(let request): self = .single(request)
      case .failure(let failure): self = .invalid(failure)
      }
    }
    try parser.finish()
  }

  private static func item(_ parser: inout JSONParser, depth: Int) throws(JSONError) -> Result<Request, InvalidRequest> {
    guard parser.peek() == UInt8(ascii: "{") else {
      let value = try parser.value(depth: depth)
      return .failure(InvalidRequest(member: nil, expected: "a request object", got: value.typeName))
    }
    var members = Members()
    try parser.members(depth: depth) { (name, parser) throws(JSONError) in
      _ = parser.peek()
      let start = parser.position
      let value = try parser.value(depth: depth + 1)
      members.take(name, value, parser.text(from: start))
    }
    return members.request
  }
}

/// The members of a request object while it is read.
private struct Members {
  private var version: JSON?
  private var method: JSON?
  private var params: JSON?
  private var id: (value: JSON, bytes: [UInt8])?

  mutating func take(_ name: String, _ value: JSON, _ bytes: @autoclosure () -> [UInt8]) {
    switch name {
    case "jsonrpc": version = value
    case "method": method = value
    case "params": params = value
    case "id": id = (value, bytes())
    default: break  // The specification asks to pass over unknown members.
    }
  }

  var request: Result<Request, InvalidRequest> {
    switch id?.value {
    case nil, .null?, .string?, .number?: break
    case let value?:
      return .failure(InvalidRequest(member: "id", expected: "string, number or null", got: value.typeName))
    }
    let answer = id.map { RequestID(bytes: $0.bytes) }
    func failure(_ member: String, _ expected: String, _ got: String) -> Result<Request, InvalidRequest> {
      .failure(InvalidRequest(member: member, expected: expected, got: got, id: answer ?? .null))
    }
    guard let version else { return failure("jsonrpc", "\"2.0\"", "absent") }
    guard version == "2.0" else {
      return failure("jsonrpc", "\"2.0\"", version.stringValue == nil ? version.typeName : "another string")
    }
    guard let method else { return failure("method", "string", "absent") }
    guard let name = method.stringValue else { return failure("method", "string", method.typeName) }
    switch params {
    case nil, .object?, .array?: return .success(Request(id: answer, method: name, params: params))
    case let value?: return failure("params", "object or array", value.typeName)
    }
  }
}
