@_spi(_Unicode) import Swift

/// A text as it is compared, unit by unit, with the range of the original that each unit stands for. Composed, narrow, white space
/// and dashes made plain; what is invisible has no unit, but a range covers it.
struct Reading {
  /// The original.
  let scalars: [Unicode.Scalar]
  /// The folded units with their case.
  private(set) var codes: [UInt32] = []
  /// The same in lower case.
  private(set) var lower: [UInt32] = []
  private var starts: [Int] = []
  private var ends: [Int] = []

  var count: Int { codes.count }

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    codes.reserveCapacity(scalars.count)
    lower.reserveCapacity(scalars.count)
    starts.reserveCapacity(scalars.count)
    ends.reserveCapacity(scalars.count)
    var position = 0
    while position < scalars.count {
      var end = position + 1
      if end < scalars.count, joinsTheOneBefore(scalars[end].value) {
        while end < scalars.count, joinsTheOneBefore(scalars[end].value) { end += 1 }
        appendCluster(position, end)
      } else {
        append(plain(scalars[position].value), position, end)
      }
      position = end
    }
  }

  /// What a span of units stands for in the original.
  func range(_ start: Int, _ end: Int) -> Range<Int> { starts[start]..<ends[end - 1] }

  /// The unit, or 0 outside of the text.
  func code(_ position: Int) -> UInt32 { position >= 0 && position < codes.count ? codes[position] : 0 }

  private mutating func append(_ code: UInt32?, _ start: Int, _ end: Int) {
    guard var code else { return }
    if code == 0x30FC, let last = codes.last, isDigit(last) { code = 0x2D }  // 090ー1234ー5678
    codes.append(code)
    lower.append(lowered(code))
    starts.append(start)
    ends.append(end)
  }

  /// A base with what is written onto it: é, が or 한 in pieces.
  private mutating func appendCluster(_ start: Int, _ end: Int) {
    var view = String.UnicodeScalarView()
    for scalar in scalars[start..<end] {
      switch scalar.value {
      case 0xFF9E: view.append("\u{3099}")
      case 0xFF9F: view.append("\u{309A}")
      default: view.append(plain(scalar.value).flatMap(Unicode.Scalar.init) ?? scalar)
      }
    }
    // Only the base counts; a mark that it cannot be composed with does not hide a name.
    var isFirst = true
    for scalar in String(view)._nfc where isFirst || !joinsTheOneBefore(scalar.value) {
      append(plain(scalar.value), start, end)
      isFirst = false
    }
  }
}

/// Marks and the later letters of a Hangul syllable in pieces.
private func joinsTheOneBefore(_ value: UInt32) -> Bool {
  guard value >= 0x300 else { return false }
  switch value {
  case 0x300...0x36F, 0x1161...0x11A7, 0x11A8...0x11FF, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x3099, 0x309A,
    0xFE20...0xFE2F, 0xFF9E, 0xFF9F:
    return true
  default: return false
  }
}

/// Half-width kana U+FF66–U+FF9D in full width.
private let halfWidthKana = Array(
  "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars)

/// The plain form of a scalar; nil for what cannot be seen.
private func plain(_ value: UInt32) -> UInt32? {
  if value < 0x80 { return value == 0x09 || value == 0x0B || value == 0x0C ? 0x20 : value == 0x0D ? 0x0A : value }
  switch value {
  case 0xAC00...0xD7A3, 0x4E00...0x9FFF, 0x3041...0x3096: return value
  case 0xFF01...0xFF5E: return value - 0xFEE0
  case 0xFF66...0xFF9D: return halfWidthKana[Int(value - 0xFF66)].value
  case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: return 0x20
  case 0x85, 0x2028, 0x2029: return 0x0A
  case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x115F, 0x1160, 0x3164, 0xFEFF, 0xFE00...0xFE0F, 0xFFA0, 0x180E:
    return nil
  case 0x2010...0x2015, 0x2212, 0xFE63, 0xFE58, 0x2500: return 0x2D
  case 0x301C, 0x223C, 0x2053: return 0x7E
  case 0x2018, 0x2019, 0x02BC, 0x2032: return 0x27
  case 0x660...0x669: return value - 0x660 + 0x30
  case 0x6F0...0x6F9: return value - 0x6F0 + 0x30
  case 0x966...0x96F: return value - 0x966 + 0x30
  case 0x1D7CE...0x1D7FF: return (value - 0x1D7CE) % 10 + 0x30
  default: return value
  }
}

private func lowered(_ code: UInt32) -> UInt32 {
  if code < 0x80 { return code >= 0x41 && code <= 0x5A ? code | 0x20 : code }
  guard code < 0x2000, let scalar = Unicode.Scalar(code) else { return code }
  let mapping = scalar.properties.lowercaseMapping.unicodeScalars
  return mapping.count == 1 ? mapping.first?.value ?? code : code
}
