import Letters

/// What an AI's answer has and no letter has: it was told to leave these out, and does not always. Looked at while the tokens stand in
/// it, so that no name is taken for anything.
struct AIStyle {
  /// The answer without the marks of Markdown that are certain to be some.
  let text: String
  /// Whether something is left that does not sound like a letter: placeholders to fill in, marks and pictures that the notes have not.
  let isOdd: Bool

  /// Looks at an answer; `notes` is what it was made of, whose own marks may come back.
  init(_ answer: String, notes: [String]) {
    let notes = Notes(notes)
    text = Self.withoutMarkdown(answer, notes)
    isOdd = Self.isOdd(text, notes)
  }

  private struct Notes {
    let text: String
    let characters: Set<Character>
    /// What lines of the notes begin with.
    let beginnings: Set<Character>

    init(_ texts: [String]) {
      text = texts.joined(separator: "\n")
      characters = Set(text)
      beginnings = Set(text.split(whereSeparator: \.isNewline).compactMap { $0.first { !$0.isWhitespace } })
    }
  }

  // MARK: Markdown

  private static func withoutMarkdown(_ answer: String, _ notes: Notes) -> String {
    let lines = answer.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let plain = lines.compactMap { line in isRule(line, notes) ? nil : withoutMarks(line, notes) }
    guard plain != lines.map(String.init) else { return answer }
    let first = plain.firstIndex { $0.contains { !$0.isWhitespace } } ?? plain.endIndex
    let last = plain.lastIndex { $0.contains { !$0.isWhitespace } }.map { $0 + 1 } ?? first
    return plain[first..<last].joined(separator: "\n")
  }

  /// A line across the page, or the fence around a block.
  private static func isRule(_ line: Substring, _ notes: Notes) -> Bool {
    let marks = line.filter { !$0.isWhitespace }
    guard let mark = marks.first, !notes.beginnings.contains(mark) else { return false }
    if marks.hasPrefix("```") { return marks.dropFirst(3).allSatisfy { $0.isASCII && $0.isLetter } }
    return marks.count >= 3 && "-*_".contains(mark) && marks.allSatisfy { $0 == mark }
  }

  /// A line without the mark of a heading, a list or a quotation in front, and without strong print.
  private static func withoutMarks(_ line: Substring, _ notes: Notes) -> String {
    var rest = line.drop { $0.isWhitespace }
    if let mark = rest.first, !notes.beginnings.contains(mark) {
      let after = rest.drop { $0 == mark }
      let length = rest.distance(from: rest.startIndex, to: after.startIndex)
      let isMark = mark == "#" ? length <= 6 : length == 1 && "-*•>".contains(mark)
      rest = isMark && after.first?.isWhitespace == true ? after.drop { $0.isWhitespace } : line
    } else {
      rest = line
    }
    return ["**", "__"].reduce(String(rest)) { text, mark in
      notes.text.contains(mark) || text.contains(mark + String(mark.prefix(1))) ? text : withoutPairs(of: mark, text)
    }
  }

  private static func withoutPairs(of mark: String, _ line: String) -> String {
    var pieces = Substring(line).split(separator: mark, omittingEmptySubsequences: false)[...]
    var result = String(pieces.popFirst() ?? "")
    while let inner = pieces.popFirst() {
      guard let outer = pieces.popFirst() else { return result + mark + inner }
      let isPair = !inner.isEmpty && inner.first?.isWhitespace == false && inner.last?.isWhitespace == false
      result += isPair ? inner + outer : mark + inner + mark + outer
    }
    return result
  }

  // MARK: What is odd

  private static func isOdd(_ text: String, _ notes: Notes) -> Bool {
    let isForeign = { (character: Character) in !notes.characters.contains(character) }
    return text.contains { (isEmoji($0) || "!！*ㅋㅎㅠㅜ○〇◯".contains($0)) && isForeign($0) }
      || ["___", "__", "```"].contains { text.contains($0) && !notes.text.contains($0) }
      || hasNumberedLines(text, notes) || hasPlaceholder(text, notes)
  }

  /// Two lines or more that are counted: 1. 2.
  private static func hasNumberedLines(_ text: String, _ notes: Notes) -> Bool {
    let numbered = text.split(whereSeparator: \.isNewline).filter { line in
      let digits = line.drop { $0.isWhitespace }.prefix { $0.isASCII && $0.isNumber }
      guard let first = digits.first, digits.count <= 2, !notes.beginnings.contains(first) else { return false }
      return line[digits.endIndex...].first.map { ".)".contains($0) } == true
    }
    return numbered.count >= 2
  }

  /// Something in brackets that is to be filled in: [Your name], <이름>, 【名字】, {date}. A token has an underscore and a number.
  private static func hasPlaceholder(_ text: String, _ notes: Notes) -> Bool {
    for (opening, closing) in [("[", "]"), ("［", "］"), ("【", "】"), ("〔", "〕"), ("{", "}"), ("<", ">")] as [(Character, Character)]
    {
      for part in text.split(separator: opening, omittingEmptySubsequences: false).dropFirst() {
        let inner = part.prefix { $0 != closing && !$0.isNewline }
        guard inner.endIndex < part.endIndex, part[inner.endIndex] == closing, inner.contains(where: \.isLetter) else { continue }
        let isToken = inner.contains("_") && inner.contains(where: \.isNumber)
        if inner.count <= 40 && !isToken && !notes.text.contains("\(opening)\(inner)\(closing)") { return true }
      }
    }
    return false
  }
}
