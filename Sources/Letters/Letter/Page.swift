/// A letter in the making: paragraphs of pieces, each of which is ours or the person's.
struct Page {
  /// Where a piece comes from.
  enum Source: Equatable {
    /// A phrase of ours, the part of it around a person's word, or a mark between.
    case phrase(Slot)
    case room
    /// The other's name as the person typed it, and what is ours around it.
    case addressee, address
    /// What the person wrote.
    case person
  }

  struct Piece {
    let text: String
    let source: Source
  }

  private(set) var paragraphs: [[Piece]] = []
  private let marks: Marks
  /// How our last sentence began, as long as no text of the person's followed it.
  private var lastBeginning: String?

  init(language: LetterLanguage) { marks = Marks(language: language) }

  mutating func beginParagraph() {
    if paragraphs.last?.isEmpty != true { paragraphs.append([]) }
  }

  /// Adds pieces to the paragraph, after a space where one belongs.
  mutating func add(_ pieces: [Piece]) {
    guard !pieces.isEmpty else { return }
    if paragraphs.isEmpty { paragraphs.append([]) }
    if let last = paragraphs[paragraphs.count - 1].last, last.text.last?.isNewline != true {
      let space = marks.space(after: last.text.last)
      if !space.isEmpty { addPiece(Piece(text: space, source: .room)) }
    }
    for piece in pieces where !piece.text.isEmpty { addPiece(piece) }
  }

  /// Goes on in the next line of the same paragraph.
  mutating func breakLine() { addPiece(Piece(text: "\n", source: .room)) }

  private mutating func addPiece(_ piece: Piece) {
    paragraphs[paragraphs.count - 1].append(piece)
    if piece.source == .person { lastBeginning = nil }
  }

  /// Whether a sentence begins as the sentence before it did.
  func repeatsBeginning(of sentence: String) -> Bool { lastBeginning == beginning(of: sentence) }

  mutating func noteBeginning(of sentence: String) { lastBeginning = beginning(of: sentence) }

  private func beginning(of sentence: String) -> String {
    String(sentence.prefix(marks.language == .en ? 12 : 5))
  }

  var content: String {
    paragraphs.filter { !$0.isEmpty }.map { $0.map(\.text).joined() }.joined(separator: "\n\n")
  }
}
