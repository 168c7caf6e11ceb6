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

func isEndMark(_ character: Character) -> Bool { ".!?…。！？~～‼⁉؟۔।｡".contains(character) }

/// A closing quote or bracket.
func isClosing(_ character: Character) -> Bool { "”’\"'」』)）]】»》".contains(character) }

private func isOpenEnd(_ character: Character) -> Bool {
  if ")）^笑♪♡♥★☆".contains(character) || isEmoji(character) { return true }
  guard let scalar = character.unicodeScalars.first else { return false }
  return (0x3131...0x318E).contains(scalar.value)
}

private func isHangingMark(_ character: Character) -> Bool { ",、，;；:：".contains(character) }

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
  let pairs: [Character: Character] = ["“": "”", "「": "」", "『": "』", "«": "»", "\"": "\"", "‘": "’", "《": "》"]
  var result = ""
  var rest = Substring(text)
  while let first = rest.first {
    if let close = pairs[first], let end = rest.dropFirst().firstIndex(of: close) {
      result.append(" ")
      rest = rest[rest.index(after: end)...]
    } else {
      result.append(first)
      rest.removeFirst()
    }
  }
  return result
}
