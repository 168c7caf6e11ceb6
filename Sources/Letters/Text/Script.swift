/// The language of a text as far as its script tells; what belongs to no language of ours is `other`.
enum TextLanguage: Equatable {
  case en, ko, ja, zh, other
  /// No letters at all: digits or emoji.
  case none

  init(of text: some StringProtocol) {
    var hangul = 0
    var kana = 0
    var han = 0
    var latin = 0
    var foreign = 0
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0xFF21...0xFF3A, 0xFF41...0xFF5A: latin += 1
      case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: hangul += 1
      case 0x3041...0x3096, 0x30A1...0x30FC, 0xFF66...0xFF9D: kana += 1
      case 0x3005...0x3007, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: han += 1
      case 0..<0x370: break
      default: if scalar.properties.isAlphabetic { foreign += 1 }
      }
    }
    let total = hangul + kana + han + latin + foreign
    if total == 0 {
      self = .none
    } else if hangul * 10 >= total * 4 {
      self = .ko
    } else if kana > 0 && (kana + han) * 2 > total {
      self = .ja
    } else if han > 0 && kana == 0 && hangul == 0 && han * 2 >= latin + foreign {
      self = .zh
    } else if latin * 2 > total {
      self = .en
    } else {
      self = .other
    }
  }

  init(_ language: LetterLanguage) {
    switch language {
    case .en: self = .en
    case .ko: self = .ko
    case .ja: self = .ja
    case .zhHans: self = .zh
    }
  }
}

/// Whether a text is written from right to left, by its first strong letter.
func isRightToLeft(_ text: some StringProtocol) -> Bool {
  for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
    default: return false
    }
  }
  return false
}

/// The language that a text is written in, by its script; nil where that tells none of ours.
public func writtenLanguage(of text: String) -> LetterLanguage? {
  switch TextLanguage(of: text) {
  case .en: .en
  case .ko: .ko
  case .ja: .ja
  case .zh: .zhHans
  case .other, .none: nil
  }
}
