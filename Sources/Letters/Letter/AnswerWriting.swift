/// The slots that lead an answer, by its frame.
struct AnswerSlots {
  let own: Slot
  let quoted: Slot
  let word: Slot
}

extension Composer {
  var framing: FramingContext {
    FramingContext(language: language, voice: bank.voice, respectful: bank.respectful)
  }

  private var marks: Marks { Marks(language: language) }

  /// Writes an answer behind its lead; nothing at all if there is none.
  func writeAnswer(_ answer: String?, _ slots: AnswerSlots, on page: inout Page) {
    guard let answer else { return }
    write(answer, in: frame(for: answer, in: framing), slots, on: &page)
  }

  private func write(_ answer: String, in frame: Frame, _ slots: AnswerSlots, on page: inout Page) {
    switch frame {
    case .word:
      say(slots.word, on: &page) { sentence($0, around: quotedWords([answer]), slot: slots.word) }
    case .ownVoice:
      say(slots.own, on: &page)
      if needsOwnParagraph(answer, language: language) { page.beginParagraph() }
      page.add([Page.Piece(text: inOwnVoice(answer), source: .person)])
    case .note:
      say(slots.quoted, on: &page)
      page.add(quoted(answer, slot: slots.quoted))
    case .block:
      say(slots.quoted, on: &page)
      page.beginParagraph()
      let quotes = marks.sentenceQuotes
      if answer.contains(quotes.open) || answer.contains(quotes.close) {
        page.add([Page.Piece(text: withStop(answer, quotedIn: nil), source: .person)])
      } else {
        page.add(quoted(answer, slot: slots.quoted))
      }
    }
  }

  /// Writes the own part with its after-line, which is the only thing that may follow a person's text.
  func writeOwnPart(on page: inout Page) {
    guard let reflection else { return }
    let frame = frame(for: reflection, in: framing)
    write(reflection, in: frame, AnswerSlots(own: .own, quoted: .own, word: .ownWord), on: &page)
    guard isSafe else { return }
    let slot: Slot
    switch AfterLine(reflection: reflection, feelings: feelings) {
    case .apology: slot = .sorry
    case .neutral: slot = .said
    case .none: return
    }
    let standsAlone = frame == .block || (frame == .ownVoice && needsOwnParagraph(reflection, language: language))
    let isClosed = frame == .word || TextEnd(of: withStop(reflection, quotedIn: nil)) == .mark
    if standsAlone || !isClosed {
      page.beginParagraph()
    } else if language == .ja && frame == .note {
      page.breakLine()
    }
    say(slot, on: &page)
  }

  private func inOwnVoice(_ text: String) -> String {
    let closed = withStop(text, quotedIn: nil)
    guard language == .en, closed.dropFirst().first?.isUppercase != true else { return closed }
    return closed.prefix(1).uppercased() + closed.dropFirst()
  }

  private func quoted(_ text: String, slot: Slot) -> [Page.Piece] {
    let quotes = marks.sentenceQuotes
    return [
      Page.Piece(text: String(quotes.open), source: .phrase(slot)),
      Page.Piece(text: withStop(text, quotedIn: language), source: .person),
      Page.Piece(text: String(quotes.close), source: .phrase(slot)),
    ]
  }

  /// One of our sentences around what stands in its `{Q}`.
  func sentence(_ phrase: String, around inner: [Page.Piece], slot: Slot) -> [Page.Piece] {
    let sides = sides(of: phrase, around: "{Q}")
    return [Page.Piece(text: sides.before, source: .phrase(slot))] + inner + [
      Page.Piece(text: sides.after, source: .phrase(slot))
    ]
  }

  /// Words in quotes, listed as the language lists quoted words.
  func quotedWords(_ words: [String]) -> [Page.Piece] {
    var pieces: [Page.Piece] = []
    for (index, word) in words.enumerated() {
      if index > 0 { pieces.append(Page.Piece(text: wordSeparator(before: index, of: words.count), source: .room)) }
      pieces += quotedWord(word)
    }
    return pieces
  }

  private func wordSeparator(before index: Int, of count: Int) -> String {
    switch language {
    case .en: count == 2 ? " and " : index == count - 1 ? ", and " : ", "
    case .ko: ", "
    case .ja, .zhHans: ""
    }
  }

  private func quotedWord(_ word: String) -> [Page.Piece] {
    let isolated = isRightToLeft(word) ? "\u{2068}" + word + "\u{2069}" : word
    if isQuotedAlready(word) { return [Page.Piece(text: isolated, source: .person)] }
    let usual = marks.wordQuotes
    let quotes = word.contains(usual.open) || word.contains(usual.close) ? marks.otherWordQuotes : usual
    return [
      Page.Piece(text: String(quotes.open), source: .room), Page.Piece(text: isolated, source: .person),
      Page.Piece(text: String(quotes.close), source: .room),
    ]
  }

  /// Typed in quotes: they are enough.
  private func isQuotedAlready(_ word: String) -> Bool {
    guard word.count > 2, let first = word.first, let last = word.last else { return false }
    let inner = word.dropFirst().dropLast()
    let pairs: [(open: Character, close: Character)] = [("“", "”"), ("‘", "’"), ("「", "」"), ("『", "』"), ("\"", "\"")]
    return pairs.contains { first == $0.open && last == $0.close && !inner.contains($0.open) && !inner.contains($0.close) }
  }
}
