/// Why a text is not the one JSON value that was asked for. Nothing is ever repaired.
public struct JSONError: Error, Equatable, Sendable {
  /// The kinds of refusal; the raw value is the name on the wire.
  public enum Kind: String, Sendable, CaseIterable {
    /// A character that cannot stand here.
    case unexpectedCharacter = "unexpected_character"
    /// The text ends inside a value.
    case unexpectedEnd = "unexpected_end"
    /// Something other than white space after the value.
    case trailingText = "trailing_text"
    /// Bytes that are not UTF-8 (RFC 3629).
    case invalidUTF8 = "invalid_utf8"
    /// Half of a surrogate pair, written as an escape.
    case loneSurrogate = "lone_surrogate"
    /// A raw control character (U+0000…U+001F) inside a string.
    case controlCharacter = "control_character"
    /// A backslash followed by something that is no escape.
    case invalidEscape = "invalid_escape"
    /// A number outside RFC 8259's grammar (`01`, `+1`, `.5`, `1.`).
    case invalidNumber = "invalid_number"
    /// A name that stands twice in one object.
    case duplicateName = "duplicate_name"
    /// Arrays and objects nested deeper than allowed.
    case depth
  }

  /// What is wrong.
  public let kind: Kind
  /// Where: the number of bytes before the offending one.
  public let offset: Int

  /// A refusal of `kind` at `offset` bytes.
  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}
