/// The marks of a letter's language: quotes, stops and the room between sentences.
struct Marks {
  let language: LetterLanguage

  /// The quotes around a sentence that is told, not said.
  var sentenceQuotes: (open: Character, close: Character) {
    language == .ja ? ("「", "」") : ("“", "”")
  }

  /// The quotes around a word or a feeling.
  var wordQuotes: (open: Character, close: Character) {
    switch language {
    case .en, .zhHans: ("“", "”")
    case .ko: ("‘", "’")
    case .ja: ("「", "」")
    }
  }

  /// Quotes for a word that already contains the usual ones.
  var otherWordQuotes: (open: Character, close: Character) {
    switch language {
    case .en, .zhHans: ("‘", "’")
    case .ko: ("“", "”")
    case .ja: ("『", "』")
    }
  }

  /// What stands between two sentences of one paragraph, the first of which ends in `last`.
  func space(after last: Character?) -> String {
    switch language {
    case .en, .ko: " "
    case .ja: last.map("？！?!".contains) == true ? "\u{3000}" : ""
    case .zhHans: ""
    }
  }
}

/// How a text of the person's ends, which decides what may follow it.
enum TextEnd {
  /// In a mark that closes a sentence.
  case mark
  /// In something after which nothing is added: emoji, ㅠㅠ, ^^, a bracket.
  case open
  /// In a letter.
  case bare

  init(of text: some StringProtocol) {
    var rest = Substring(text)
    guard let last = rest.last else {
      self = .bare
      return
    }
    while let closer = rest.last, isClosing(closer) { rest.removeLast() }
    if let mark = rest.last, isEndMark(mark) {
      self = .mark
    } else if isOpenEnd(last) {
      self = .open
    } else {
      self = .bare
    }
  }
}

// Scalars are compared here, not Characters: these run over every Character of every answer.

/// A mark that ends a sentence.
func isEndMark(_ character: Character) -> Bool {
  switch character.unicodeScalars.first {
  case ".", "!", "?", "…", "。", "！", "？", "~", "～", "‼", "⁉", "؟", "۔", "।", "｡": true
  default: false
  }
}

/// A closing quote or bracket.
func isClosing(_ character: Character) -> Bool {
  switch character.unicodeScalars.first {
  case "”", "’", "\"", "'", "」", "』", ")", "）", "]", "】", "»", "》": true
  default: false
  }
}

private func isOpenEnd(_ character: Character) -> Bool {
  if ")）^笑♪♡♥★☆".contains(character) || isEmoji(character) { return true }
  guard let scalar = character.unicodeScalars.first else { return false }
  return (0x3131...0x318E).contains(scalar.value)
}

/// A mark after which a sentence would go on.
func isHangingMark(_ character: Character) -> Bool {
  switch character.unicodeScalars.first {
  case ",", "、", "，", ";", "；", ":", "：": true
  default: false
  }
}

/// The person's text with what its end still needs. A stop that is added follows the script of the text, not of the letter.
func withStop(_ text: String, quotedIn language: LetterLanguage?) -> String {
  var rest = Substring(text)
  while let last = rest.last, isHangingMark(last) || last.isWhitespace { rest.removeLast() }
  if language == .ja { return String(withoutLoneStop(rest, "。")) }
  guard TextEnd(of: rest) == .bare else { return String(rest) }
  switch TextLanguage(of: rest) {
  case .ja, .zh: return rest + "。"
  case .en, .ko, .other, .none: return rest + "."
  }
}

/// Takes one of `stops` from the end, unless it is part of a row of marks.
func withoutLoneStop(_ text: Substring, _ stops: String) -> Substring {
  guard let last = text.last, stops.contains(last) else { return text }
  let rest = text.dropLast()
  guard let before = rest.last, !isEndMark(before) else { return text }
  return rest
}

/// The text without what stands between quotation marks, where other people may be speaking.
func outsideQuotes(_ text: some StringProtocol) -> String {
  var result = ""
  var rest = Substring(text)
  while let start = rest.firstIndex(where: { closingQuote(of: $0) != nil }) {
    let after = rest.index(after: start)
    result += rest[..<start]
    if let close = closingQuote(of: rest[start]), let end = rest[after...].firstIndex(of: close) {
      result.append(" ")
      rest = rest[rest.index(after: end)...]
    } else {
      rest = rest[after...]
    }
  }
  return result + rest
}

/// What closes an opening quotation mark; nil for anything else.
func closingQuote(of character: Character) -> Character? {
  switch character.unicodeScalars.first {
  case "“": "”"
  case "「": "」"
  case "『": "』"
  case "«": "»"
  case "\"": "\""
  case "‘": "’"
  case "《": "》"
  default: nil
  }
}
