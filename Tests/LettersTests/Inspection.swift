import Testing

@testable import Letters

/// A letter with the person's texts masked, so that a check sees our words only.
struct Inspection {
  static let mask: Character = "\u{FFFC}"

  let request: LetterRequest
  /// What a reader expects of the own part; nil where it is not looked at.
  let journal: MatrixJournal?
  let composer: Composer
  let page: Page
  let content: String
  /// Our words, paragraph by paragraph, without the address line.
  let paragraphs: [String]
  let hasAddressLine: Bool
  let sentences: [String]

  init(_ request: LetterRequest, _ journal: MatrixJournal?) {
    self.request = request
    self.journal = journal
    composer = Composer(request)
    page = composer.compose()
    content = page.content
    let filled = page.paragraphs.filter { !$0.isEmpty }
    hasAddressLine = filled.first?.contains { $0.source == .addressee } ?? false
    paragraphs = filled.dropFirst(hasAddressLine ? 1 : 0).map(Self.masked)
    sentences = paragraphs.flatMap(Self.sentences)
  }

  private static func masked(_ paragraph: [Page.Piece]) -> String {
    paragraph.map { $0.source == .person ? String(mask) : $0.text }.joined()
  }

  var language: LetterLanguage { request.language }
  var voice: Voice { composer.bank.voice }

  /// The slots in the order of the letter, each as often as it has a sentence.
  var slots: [Slot] {
    var result: [Slot] = []
    for piece in page.paragraphs.joined() {
      guard case .phrase(let slot) = piece.source else { continue }
      if result.last != slot { result.append(slot) }
    }
    return result
  }

  /// Our words with the phrases of some slots left out.
  func words(without excluded: Set<Slot>) -> String {
    page.paragraphs.joined().map { piece in
      if case .phrase(let slot) = piece.source, !excluded.contains(slot) { return piece.text }
      return " "
    }.joined()
  }

  /// The size of our words as the specification counts it: the address line is ours, and so is the stop of a text.
  var size: Int {
    let counted = page.paragraphs.map { paragraph in
      paragraph.map { piece in
        guard piece.source == .person else { return piece.text }
        return piece.text.last.map { ".。".contains($0) } == true ? String(piece.text.suffix(1)) : ""
      }.joined()
    }.joined(separator: "\n")
    if language == .en {
      return counted.split(whereSeparator: \.isWhitespace).count { $0.contains(where: \.isLetter) }
    }
    return counted.count { !$0.isNewline }
  }

  /// The sentences of one paragraph of ours.
  static func sentences(of paragraph: String) -> [String] {
    var result: [String] = []
    var sentence = ""
    let characters = Array(paragraph)
    for (index, character) in characters.enumerated() {
      sentence.append(character)
      let next = index + 1 < characters.count ? characters[index + 1] : "\n"
      let closes = ".?!。？！：".contains(character) || (character == ":" && next == " ")
      if closes && !isClosing(next) {
        result.append(String(trimmingWhitespace(sentence)))
        sentence = ""
      }
    }
    if sentence.contains(where: { !$0.isWhitespace }) { result.append(String(trimmingWhitespace(sentence))) }
    return result
  }
}

/// What is wrong with a letter; empty when nothing is.
struct Findings {
  private(set) var list: [String] = []

  mutating func expect(_ condition: @autoclosure () -> Bool, _ finding: @autoclosure () -> String) {
    if !condition() { list.append(finding()) }
  }
}
