import JSON

/// An error as the wire knows it: a key of the contract, and what helps to mend the call. It never holds what a person wrote.
public struct APIError: Error, Equatable, Sendable {
  /// Which error.
  public let key: ErrorKey
  /// The parameter that is wrong.
  public var field: String?
  /// The limit that was passed.
  public var limit: Int?
  /// What the limit counts: `characters`, `bytes`, `items` …
  public var unit: String?
  /// When the same call may succeed, in milliseconds.
  public var retryAfterMs: Int?
  /// What should stand there.
  public var expected: String?
  /// The type of what stands there.
  public var got: String?
  /// The nearest name that exists.
  public var nearest: String?
  /// Where in the line, in bytes.
  public var offset: Int?
  /// More about the reason: a word of the contract's, or the number under which the log has the details.
  public var reason: String?

  /// An error without details.
  public init(_ key: ErrorKey) { self.key = key }

  /// An error about one parameter.
  public init(_ key: ErrorKey, field: String) {
    self.key = key
    self.field = field
  }

  /// A value of the wrong type.
  static func mismatch(_ field: String, expected: String, got value: JSON) -> APIError {
    var failure = APIError(.rpcInvalidParams)
    failure.field = field
    failure.expected = expected
    failure.got = value.typeName
    return failure
  }

  /// The error's text, with its details where the text has a place for them.
  public func message(in language: Language) -> String { key.messageKey.text(in: language) }

  /// Writes the JSON-RPC error object.
  public func write(to writer: inout JSONWriter, language: Language) {
    writer.beginObject()
    writer.name("code")
    writer.integer(key.code)
    writer.name("message")
    writer.string(message(in: language))
    writer.name("data")
    writer.beginObject()
    let texts: [(StaticString, String?)] = [
      ("domain", key.domain), ("code", key.name), ("messageKey", key.rawValue), ("message", message(in: language)),
      ("field", field), ("unit", unit), ("expected", expected), ("got", got), ("nearest", nearest), ("reason", reason),
    ]
    for (name, text) in texts {
      guard let text else { continue }
      writer.name(name)
      writer.string(text)
    }
    writer.name("retriable")
    writer.bool(key.isRetriable)
    let numbers: [(StaticString, Int?)] = [("limit", limit), ("retryAfterMs", retryAfterMs), ("offset", offset)]
    for (name, number) in numbers {
      guard let number else { continue }
      writer.name(name)
      writer.integer(number)
    }
    writer.endObject()
    writer.endObject()
  }
}
