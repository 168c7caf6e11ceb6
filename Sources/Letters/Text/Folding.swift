@_spi(_Unicode) import Swift

/// A text made comparable: canonical composition, full-width forms narrowed, half-width kana widened, lower case, typographic
/// apostrophes straightened, white space as single spaces, and nothing invisible that could hide a word.
func folded(_ text: some StringProtocol) -> [Unicode.Scalar] {
  var result: [Unicode.Scalar] = []
  result.reserveCapacity(text.utf8.count)
  for raw in String(text)._nfc {
    let scalar = plainForm(of: raw)
    if scalar.value < 0x80 {
      if scalar.value <= 0x20 || scalar.value == 0x7F {
        if result.last != " " { result.append(" ") }
      } else {
        result.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
      }
    } else if (0x1100...0x11FF).contains(scalar.value) || (0x2E80...0xD7FF).contains(scalar.value) {
      appendEastAsian(scalar, to: &result)
    } else if scalar.properties.isWhitespace {
      if result.last != " " { result.append(" ") }
    } else if !isInvisible(scalar) {
      result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    }
  }
  return result
}

/// The same text without spaces, for scripts in which a space is a matter of taste.
func withoutSpaces(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
  scalars.filter { $0 != " " }
}

/// Appends a kana, joining it with a voicing mark that half-width writing keeps apart (ﾊﾞ → バ).
private func appendEastAsian(_ scalar: Unicode.Scalar, to result: inout [Unicode.Scalar]) {
  switch scalar.value {
  case 0x3000:
    if result.last != " " { result.append(" ") }
  case 0x3099, 0x309A:
    if let last = result.last, let voiced = Unicode.Scalar(last.value + (scalar.value - 0x3098)),
      (0x30A0...0x30FF).contains(last.value)
    {
      result[result.count - 1] = voiced
    }
  default: result.append(scalar)
  }
}

private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format: true
  default: (0xFE00...0xFE0F).contains(scalar.value)
  }
}

/// Half-width kana U+FF66–U+FF9F in full width; the last two are the voicing marks.
private let halfWidthKana = Array(
  "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}".unicodeScalars)

private func plainForm(of scalar: Unicode.Scalar) -> Unicode.Scalar {
  switch scalar.value {
  case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  case 0xFF66...0xFF9F: return halfWidthKana[Int(scalar.value - 0xFF66)]
  case 0x2018, 0x2019, 0x02BC: return "'"
  default: return scalar
  }
}
