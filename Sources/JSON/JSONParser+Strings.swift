// Strings: UTF-8 is checked as it is read, escapes are decoded, halves of surrogate pairs are refused.

extension JSONParser {
  /// Reads a string, from its opening quote to after its closing one.
  mutating func string() throws(JSONError) -> String {
    position += 1
    let first = position
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = String(decoding: bytes[first..<position], as: UTF8.self)
        position += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: first) }
      try skipCharacter(byte)
    }
    throw failure(.unexpectedEnd)
  }

  /// The rest of a string that has escapes; what stands before `position` is taken over as it is.
  private mutating func escapedString(from first: Int) throws(JSONError) -> String {
    var decoded = Array(bytes[first..<position])
    while position < end {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"):
        try escape(into: &decoded)
      default:
        let here = position
        try skipCharacter(byte)
        decoded.append(contentsOf: bytes[here..<position])
      }
    }
    throw failure(.unexpectedEnd)
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(JSONError) {
    let here = position
    guard position + 1 < end else { throw failure(.unexpectedEnd, at: end) }
    position += 2
    switch bytes[here + 1] {
    case UInt8(ascii: "\""): decoded.append(0x22)
    case UInt8(ascii: "\\"): decoded.append(0x5C)
    case UInt8(ascii: "/"): decoded.append(0x2F)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try unicodeEscape(at: here)
      decoded.append(contentsOf: String(scalar).utf8)
    default: throw failure(.invalidEscape, at: here)
    }
  }

  /// The scalar of `\uXXXX`, or of two that make a surrogate pair; `position` stands after the first `\u`.
  private mutating func unicodeEscape(at here: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try hexadecimal(at: here)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, position + 1 < end, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    else { throw failure(.loneSurrogate, at: here) }
    position += 2
    let low = try hexadecimal(at: here)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
    else { throw failure(.loneSurrogate, at: here) }
    return scalar
  }

  private mutating func hexadecimal(at here: Int) throws(JSONError) -> UInt32 {
    guard position + 4 <= end else { throw failure(.unexpectedEnd, at: end) }
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: throw failure(.invalidEscape, at: here)
      }
      position += 1
    }
    return value
  }

  /// Steps over one character that stands raw in a string, by RFC 3629's table of well-formed sequences.
  private mutating func skipCharacter(_ byte: UInt8) throws(JSONError) {
    switch byte {
    case 0x20...0x7F: position += 1
    case 0x00...0x1F: throw failure(.controlCharacter)
    case 0xC2...0xDF: try skip(continuations: 1, first: 0x80...0xBF)
    case 0xE0: try skip(continuations: 2, first: 0xA0...0xBF)
    case 0xED: try skip(continuations: 2, first: 0x80...0x9F)
    case 0xE1...0xEF: try skip(continuations: 2, first: 0x80...0xBF)
    case 0xF0: try skip(continuations: 3, first: 0x90...0xBF)
    case 0xF1...0xF3: try skip(continuations: 3, first: 0x80...0xBF)
    case 0xF4: try skip(continuations: 3, first: 0x80...0x8F)
    default: throw failure(.invalidUTF8)
    }
  }

  private mutating func skip(continuations count: Int, first: ClosedRange<UInt8>) throws(JSONError) {
    guard position + count < end, first.contains(bytes[position + 1]) else { throw failure(.invalidUTF8) }
    for index in 1..<count {
      guard bytes[position + 1 + index] & 0xC0 == 0x80 else { throw failure(.invalidUTF8) }
    }
    position += 1 + count
  }
}
