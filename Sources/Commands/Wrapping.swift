/// Breaks text into lines of at most so many cells: between words where a script parts them by spaces, between characters where it
/// does not, and within a word only where the word alone is wider than a line.
enum Wrapping {
  /// No line begins with one of these.
  private static let clinging = Set("、。，．,.!?:;！？：；）」』】〉》〕］｝)]}”’…‥・·—～〜ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々％%")
  /// No line ends with one of these.
  private static let opening = Set("（「『【〈《〔［｛([{“‘")

  /// The lines of a text. Line feeds in it stay, and so does the space that a line begins with.
  static func lines(_ text: String, width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph($0, max(1, width)) }
  }

  private static func paragraph(_ text: Substring, _ width: Int) -> [String] {
    guard cellWidth(text) > width else { return [String(text)] }
    var lines: [String] = []
    var line = ""
    var used = 0
    for piece in pieces(text) {
      let word = piece.reversed().drop { $0 == " " }.reversed()
      if used + cellWidth(String(word)) > width, used > 0 {
        lines.append(trimmedEnd(line))
        (line, used) = ("", 0)
      }
      // A word that is wider than a line by itself.
      for character in piece {
        let cells = cellWidth(character)
        if used + cells > width, used > 0 {
          // Spaces at the end of a full line are not shown.
          if character == " " { continue }
          lines.append(trimmedEnd(line))
          (line, used) = ("", 0)
        }
        line.append(character)
        used += cells
      }
    }
    return lines + [trimmedEnd(line)]
  }

  /// The parts of a text that stay in one line, each with the spaces after it.
  private static func pieces(_ text: Substring) -> [Substring] {
    var result: [Substring] = []
    var start = text.startIndex
    var before: Character?
    for place in text.indices {
      let character = text[place]
      if let last = before, mayBreak(between: last, and: character), text[start..<place].contains(where: { $0 != " " }) {
        result.append(text[start..<place])
        start = place
      }
      before = character
    }
    return result + [text[start...]]
  }

  private static func mayBreak(between left: Character, and right: Character) -> Bool {
    if right == " " || left == "\u{A0}" || right == "\u{A0}" { return false }
    if left == " " { return true }
    if opening.contains(left) || clinging.contains(right) { return false }
    return isUnspaced(left) || isUnspaced(right)
  }

  /// Whether a character belongs to a script that has no spaces between its words: Han and kana, and their punctuation. Korean has.
  private static func isUnspaced(_ character: Character) -> Bool {
    guard let code = character.unicodeScalars.first?.value else { return false }
    return switch code {
    case 0x2E80...0x303E, 0x3041...0x312F, 0x31A0...0x9FFF, 0xF900...0xFAFF, 0xFF01...0xFF9F, 0x20000...0x3FFFD: true
    default: false
    }
  }

  private static func trimmedEnd(_ text: String) -> String {
    var rest = text[...]
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
