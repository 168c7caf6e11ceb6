/// Something that writes itself as one JSON value.
public protocol JSONEncodable {
  /// Writes exactly one value.
  func write(to writer: inout JSONWriter)
}

/// Writes compact JSON: commas are the writer's business, text stays UTF-8, and nothing but what RFC 8259 demands is escaped
/// (besides U+2028 and U+2029, which some line readers take for line ends). The output never contains a raw line feed.
public struct JSONWriter {
  /// What has been written.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// A writer with nothing written.
  public init() {}

  /// Keeps the allocation and forgets what was written.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ byte: UInt8) {
    separate()
    bytes.append(byte)
    needsComma = false
  }

  private mutating func close(_ byte: UInt8) {
    bytes.append(byte)
    needsComma = true
  }

  /// `{`; members follow as ``name(_:)-(String)`` and one value each.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  /// `}`
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  /// `[`
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  /// `]`
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// A member's name; its value must follow.
  public mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member's name that is known to need no escapes.
  public mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A string.
  public mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { escape($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// An integer.
  public mutating func integer(_ value: Int) { raw(String(value).utf8) }

  /// A finite number, in the shortest text that reads back the same; a value that is not finite becomes `null`.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    let text = value.description
    raw((text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
  }

  /// `true` or `false`.
  public mutating func bool(_ value: Bool) { raw((value ? "true" : "false").utf8) }

  /// `null`.
  public mutating func null() { raw("null".utf8) }

  /// Bytes that are one JSON value already.
  public mutating func raw(_ value: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: value)
  }

  /// A value as it is.
  public mutating func value(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value): raw(value.text.utf8)
    case .string(let value): string(value)
    case .array(let items):
      beginArray()
      for item in items { self.value(item) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        name(member.name)
        self.value(member.value)
      }
      endObject()
    }
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    var clean = 0
    for (index, byte) in text.enumerated() {
      let replacement: [UInt8]
      var length = 1
      switch byte {
      case 0x22: replacement = [0x5C, 0x22]
      case 0x5C: replacement = [0x5C, 0x5C]
      case 0x0A: replacement = Array("\\n".utf8)
      case 0x0D: replacement = Array("\\r".utf8)
      case 0x09: replacement = Array("\\t".utf8)
      case 0x08: replacement = Array("\\b".utf8)
      case 0x0C: replacement = Array("\\f".utf8)
      case 0x00..<0x20: replacement = Array("\\u00".utf8) + hexadecimal(byte)
      case 0xE2 where index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8:
        replacement = Array("\\u20".utf8) + hexadecimal(text[index + 2] & 0x0F | 0x20)
        length = 3
      default: continue
      }
      bytes.append(contentsOf: text[clean..<index])
      bytes.append(contentsOf: replacement)
      clean = index + length
    }
    bytes.append(contentsOf: text[clean...])
  }

  private func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}

extension JSON: JSONEncodable, CustomStringConvertible {
  /// Writes the value as it is.
  public func write(to writer: inout JSONWriter) { writer.value(self) }

  /// The value as compact JSON text.
  public var description: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
