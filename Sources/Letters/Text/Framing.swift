/// How a person's text stands in the letter. The first frame whose test passes is taken; note and block are right for every text.
enum Frame: Equatable {
  /// Bare after its lead: it already sounds like the letter.
  case ownVoice
  /// In quotes inside one of our sentences, as a thing.
  case word
  /// In quotes on the lead's line.
  case note
  /// As paragraphs of its own.
  case block
}

/// What framing needs to know of the letter.
struct FramingContext {
  let language: LetterLanguage
  let voice: Voice
  /// Whether a Chinese letter says 您.
  let respectful: Bool
}

/// The frame for a cleaned text.
func frame(for text: String, in context: FramingContext) -> Frame {
  if isOwnVoice(text, in: context) { return .ownVoice }
  if isRightToLeft(text) { return .block }
  if isWord(text, in: context.language) { return .word }
  let quotes = Marks(language: context.language).sentenceQuotes
  let limit = TextLanguage(of: text) == .en ? 160 : 80
  let isOneLine = !text.contains(where: \.isNewline)
  return isOneLine && text.count <= limit && !text.contains(quotes.open) && !text.contains(quotes.close) ? .note : .block
}

/// Whether a text in its own voice is too long for the lead's line.
func needsOwnParagraph(_ text: String, language: LetterLanguage) -> Bool {
  text.contains(where: \.isNewline) || text.count > (language == .en ? 300 : 160)
}

// MARK: - Own voice

private func isOwnVoice(_ text: String, in context: FramingContext) -> Bool {
  guard TextLanguage(of: text) == TextLanguage(context.language), beginsLikeSentence(text) else { return false }
  guard fitsLevel(text, in: context) else { return false }
  return !ThirdPerson.speaks(in: text, language: context.language)
}

private func beginsLikeSentence(_ text: String) -> Bool {
  guard let first = text.first else { return false }
  return first.isLetter || first.isNumber || "“「『\"‘'".contains(first)
}

private func fitsLevel(_ text: String, in context: FramingContext) -> Bool {
  switch context.language {
  case .en: return isEnglishSentence(text)
  case .zhHans: return isChineseSentence(text, respectful: context.respectful)
  case .ko:
    guard let level = commonLevel(of: text, koreanLevel) else { return false }
    switch context.voice {
    case .casual: return level == .casual
    case .polite: return level == .polite
    case .formal: return level == .formal
    }
  case .ja:
    guard let level = commonLevel(of: text, japaneseLevel) else { return false }
    return level == (context.voice == .casual ? .casual : .polite)
  }
}

private let englishSpeakers: Set<String> = ["i", "my", "we", "our", "you", "your"]

private func isEnglishSentence(_ text: String) -> Bool {
  var rest = Substring(text)
  while let last = rest.last, isClosing(last) { rest.removeLast() }
  guard let mark = rest.last, ".!?…".contains(mark) else { return false }
  guard text.split(whereSeparator: \.isWhitespace).count(where: { $0.contains(where: \.isLetter) }) >= 4 else { return false }
  return text.split { !$0.isLetter }.contains { englishSpeakers.contains($0.lowercased()) }
}

private func isChineseSentence(_ text: String, respectful: Bool) -> Bool {
  guard text.count >= 8, text.contains(where: "我你您咱".contains) else { return false }
  // A bare 你 beside our 您 would change the voice in mid-letter; 你们 is the plural of both.
  guard respectful else { return true }
  let said = outsideQuotes(text)
  return !zip(said, said.dropFirst() + ["。"]).contains { $0 == "你" && $1 != "们" }
}

// MARK: - Word

private func isWord(_ text: String, in language: LetterLanguage) -> Bool {
  guard !text.contains(where: { $0.isNewline || isEndMark($0) || isHangingMark($0) || $0 == "“" || $0 == "”" }) else {
    return false
  }
  let marks = Marks(language: language)
  guard !text.contains(marks.wordQuotes.open), !text.contains(marks.wordQuotes.close) else { return false }
  let words = text.split(separator: " ").count
  switch TextLanguage(of: text) {
  case .en: return text.count <= 20 && words <= 3 && !isEnglishClause(text)
  case .ko: return text.count <= 10 && words <= 2 && koreanLevel(of: text[...]) == .fragment
  case .ja: return text.count <= 8 && japaneseLevel(of: text[...]) == .fragment
  case .zh: return text.count <= 6 && !text.contains(where: "我你您咱他她".contains)
  case .none: return text.count <= 8
  case .other: return text.count <= 20 && words <= 3
  }
}

/// "I forgot", "said nothing": short, but a sentence, or one whose subject was left out.
private func isEnglishClause(_ text: String) -> Bool {
  let words = text.split { !$0.isLetter && $0 != "'" && $0 != "’" }.map { $0.lowercased() }
  guard words.count > 1, let first = words.first else { return false }
  return words.contains(where: subjects.contains) || tellingVerbs.contains(first) || first.hasSuffix("ed")
}

private let subjects: Set<String> = ["i", "we", "you", "he", "she", "they", "it", "i'm", "i’m"]

private let tellingVerbs: Set<String> = [
  "said", "told", "did", "didn't", "didn’t", "was", "wasn't", "wasn’t", "were", "had", "forgot", "left", "went", "came", "kept",
  "got", "gave", "took", "made", "lost", "broke", "felt", "saw", "ran", "spoke", "could", "couldn't", "couldn’t", "never", "not",
]
