/// How a sentence of Korean or Japanese speaks to its hearer.
enum SpeechLevel: Equatable {
  /// ko 해체, ja plain form.
  case casual
  /// ko 해요체, ja です・ます.
  case polite
  /// ko 합니다체.
  case formal
  /// ko 해라체: how one writes a diary, never a letter.
  case diary
  /// No sentence.
  case fragment
}

/// The sentences of a text, without their end marks; marks inside quotes end nothing.
func sentences(of text: String) -> [Substring] {
  var result: [Substring] = []
  var start = text.startIndex
  var position = text.startIndex
  var openQuotes: [Character] = []
  func close(at end: String.Index) {
    let sentence = trimmingWhitespace(text[start..<end])
    if sentence.contains(where: isReadable) { result.append(sentence) }
  }
  while position < text.endIndex {
    let character = text[position]
    let next = text.index(after: position)
    if let awaited = openQuotes.last, character == awaited {
      openQuotes.removeLast()
    } else if let closer = closer(of: character), text[next...].contains(closer) {
      openQuotes.append(closer)
    } else if character.isNewline
      || (openQuotes.isEmpty && endsSentence(character, before: next < text.endIndex ? text[next] : nil))
    {
      close(at: position)
      start = next
      openQuotes = []
    }
    position = next
  }
  close(at: text.endIndex)
  return result
}

/// What closes something whose marks end no sentence: a quotation or a bracket.
private func closer(of character: Character) -> Character? {
  switch character.unicodeScalars.first {
  case "(": ")"
  case "（": "）"
  default: closingQuote(of: character)
  }
}

/// A narrow mark inside a word or a number (3.5, 3~5) ends nothing.
private func endsSentence(_ character: Character, before next: Character?) -> Bool {
  guard isEndMark(character) else { return false }
  guard character.isASCII, let next else { return true }
  return next.isWhitespace || isEndMark(next) || isClosing(next) || isEmoji(next) || isLoneJamo(next)
}

private func isLoneJamo(_ character: Character) -> Bool {
  character.unicodeScalars.first.map { (0x3131...0x3163).contains($0.value) } ?? false
}

/// The sentence up to its last syllable: without marks, emoji, ㅠㅠ, ㅋㅋ.
func upToLastSyllable(_ sentence: Substring) -> Substring {
  var rest = sentence
  while let last = rest.last, !last.isLetter && !last.isNumber || isLoneJamo(last) { rest.removeLast() }
  return rest
}

/// The level that all sentences of a text share, or nil where they differ.
func commonLevel(of text: String, _ level: (Substring) -> SpeechLevel) -> SpeechLevel? {
  let levels = sentences(of: text).map(level)
  guard let first = levels.first, levels.allSatisfy({ $0 == first }) else { return nil }
  return first
}
