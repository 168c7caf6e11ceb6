extension String {
  /// Whether two texts are the same bytes. Swift's `==` takes é in one piece and é in two for equal; what a person wrote, and the
  /// names of members (RFC 8259), are compared as they stand.
  public func isExactly(_ other: String) -> Bool {
    // The same bytes are always equal to Swift as well, and for most texts its comparison is the quickest way to find a difference.
    self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

/// A text as a key: equal and hashed by its bytes.
public struct ExactText: Hashable, Sendable {
  /// The text.
  public let text: String

  /// A key of this text.
  public init(_ text: String) { self.text = text }

  /// Whether both are the same bytes.
  public static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

  /// Feeds the bytes, not what Unicode takes them for.
  public func hash(into hasher: inout Hasher) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }
}
