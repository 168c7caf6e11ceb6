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

  /// A writer with nothing written, and room for so many bytes before it has to grow.
  public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

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

  /// A member's name as it stands between two members, `,"name":`, in one piece; its value must follow. The first of an object goes
  /// without the comma.
  public mutating func member(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: needsComma ? $0 : UnsafeBufferPointer(rebasing: $0.dropFirst())) }
    needsComma = false
  }

  /// The same together with its value.
  public mutating func whole(_ text: StaticString) {
    member(text)
    needsComma = true
  }

  /// A value that is JSON text as it stands in the program.
  public mutating func word(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
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
  public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

  /// `null`.
  public mutating func null() { word("null") }

  /// Bytes that are one JSON value already.
  public mutating func raw(_ value: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: value)
  }

  /// The same for an array, which every reply is made of: copied in one go, not byte by byte through the sequence.
  public mutating func raw(_ value: [UInt8]) {
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
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0xE2 else {
        index = Self.nextSpecial(in: text, from: index + 1)
        continue
      }
      let next = index + 1
      let isLineSeparator = byte == 0xE2 && next + 1 < text.count && text[next] == 0x80 && text[next + 1] & 0xFE == 0xA8
      guard byte != 0xE2 || isLineSeparator else {
        index += 1
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean..<index]))
      if isLineSeparator {
        bytes.append(contentsOf: Array("\\u20".utf8) + hexadecimal(text[next + 1] & 0x0F | 0x20))
      } else {
        appendEscape(of: byte)
      }
      index += isLineSeparator ? 3 : 1
      clean = index
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean...]))
  }

  /// The first place from `start` on where a byte may have to be escaped, or one at most seven bytes before it. Most text has
  /// none, so eight bytes are looked at in one go: with the high bits left out, a byte is below `n` when subtracting `n` from it
  /// borrows, and equal to `n` when it differs from it by less than one.
  private static func nextSpecial(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    func below(_ limit: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* limit) & ~word }
    var index = start
    while index + 8 <= text.count {
      let word = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let quoteOrBackslash = below(1, word ^ ones &* 0x22) | below(1, word ^ ones &* 0x5C)
      let found = below(0x20, word) | quoteOrBackslash | below(1, word ^ ones &* 0xE2)
      if found & high != 0 { break }
      index += 8
    }
    return index
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case 0x22, 0x5C: bytes += [0x5C, byte]
    case 0x0A: bytes += Array("\\n".utf8)
    case 0x0D: bytes += Array("\\r".utf8)
    case 0x09: bytes += Array("\\t".utf8)
    case 0x08: bytes += Array("\\b".utf8)
    case 0x0C: bytes += Array("\\f".utf8)
    default: bytes += Array("\\u00".utf8) + hexadecimal(byte)
    }
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
