@_spi(_Unicode) import Swift

/// How a Korean word ends when it is read aloud, which decides its particles.
public enum KoreanEnding: Sendable {
  case vowel
  case rieul
  case consonant
}

/// A particle with two forms.
public enum KoreanParticle: CaseIterable, Sendable {
  /// 은/는
  case topic
  /// 이/가
  case subject
  /// 을/를
  case object
  /// 과/와
  case with
  /// 으로/로
  case toward
  /// 아/야
  case vocative
  /// 이라고/라고
  case quoting
  /// 이라는/라는
  case named
  /// 이랑/랑
  case together
  /// 이나/나
  case alternative
  /// 이야/야
  case copula

  fileprivate var forms: (consonant: String, vowel: String) {
    switch self {
    case .topic: ("은", "는")
    case .subject: ("이", "가")
    case .object: ("을", "를")
    case .with: ("과", "와")
    case .toward: ("으로", "로")
    case .vocative: ("아", "야")
    case .quoting: ("이라고", "라고")
    case .named: ("이라는", "라는")
    case .together: ("이랑", "랑")
    case .alternative: ("이나", "나")
    case .copula: ("이야", "야")
    }
  }
}

/// The form of `particle` after `text`, or nil where it cannot be told (emoji, other scripts, Latin words); then another wording is
/// needed, never 은(는).
public func koreanParticle(_ particle: KoreanParticle, after text: String) -> String? {
  guard let ending = koreanEnding(of: text) else { return nil }
  switch ending {
  case .vowel: return particle.forms.vowel
  case .rieul: return particle == .toward ? particle.forms.vowel : particle.forms.consonant
  case .consonant: return particle.forms.consonant
  }
}

/// How the last thing that is read aloud ends; nil where nothing can be told (only emoji, other scripts, Latin words). Marks,
/// quotes, spaces, emoji and a bracketed remark are not read; digits and short capitals are read the Korean way.
public func koreanEnding(of text: String) -> KoreanEnding? {
  var composed = String.UnicodeScalarView()
  composed.append(contentsOf: text._nfc)  // decomposed Hangul has no final to look at
  let whole = String(composed)
  var rest = Substring(whole)
  while let last = rest.last {
    if let opener = opener(of: last), let start = rest.lastIndex(of: opener), start != rest.startIndex {
      rest = rest[..<start]
    } else if last.isLetter || last.isNumber {
      break
    } else {
      rest.removeLast()
    }
  }
  guard let last = rest.last, let code = last.unicodeScalars.first?.value else { return nil }
  switch code {
  case 0xAC00...0xD7A3:
    let final = (code - 0xAC00) % 28
    return final == 0 ? .vowel : final == 8 ? .rieul : .consonant
  case 0x3131...0x314E: return code == 0x3139 ? .rieul : .consonant  // ㅋ reads 키읔
  case 0x314F...0x3163: return .vowel  // ㅠ reads 유
  case 0x30...0x39: return endingsOfDigits[Int(code - 0x30)]
  default: return endingOfCapitals(rest)
  }
}

/// 영 일 이 삼 사 오 육 칠 팔 구
private let endingsOfDigits: [KoreanEnding] = [
  .consonant, .rieul, .vowel, .consonant, .vowel, .vowel, .consonant, .rieul, .rieul, .vowel,
]

private func opener(of bracket: Character) -> Character? {
  switch bracket {
  case ")": "("
  case "）": "（"
  case "]": "["
  default: nil
  }
}

/// Up to five capitals are read letter by letter: KBS, SM, NHL.
private func endingOfCapitals(_ text: Substring) -> KoreanEnding? {
  let word = text.reversed().prefix { $0.isASCII && $0.isLetter }
  guard let last = word.first, word.count <= 5, word.allSatisfy(\.isUppercase) else { return nil }
  return "LR".contains(last) ? .rieul : "MN".contains(last) ? .consonant : .vowel
}
