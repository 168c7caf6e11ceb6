/// How many cells of a terminal a text takes: two for wide East Asian characters and emoji, none for marks and joiners.
func cellWidth(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + cellWidth($1) } }

/// The cells of one character.
func cellWidth(_ character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard let first = scalars.first else { return 0 }
  let properties = first.properties
  // One half of a flag stands by itself in one cell.
  if (0x1F1E6...0x1F1FF).contains(first.value) { return scalars.count > 1 ? 2 : 1 }
  switch properties.generalCategory {
  case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator:
    return first.value == 0xAD ? 1 : 0
  default: break
  }
  // A sign that is drawn as an emoji: by itself or by a variation selector.
  if properties.isEmojiPresentation || scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
  return isInnerJamo(first.value) ? 0 : isWide(first.value) ? 2 : 1
}

/// Vowels and final consonants of Hangul without the consonant that they belong to.
private func isInnerJamo(_ code: UInt32) -> Bool { (0x1160...0x11FF).contains(code) || (0xD7B0...0xD7FB).contains(code) }

/// The ranges of Unicode's East Asian Width W and F that are no emoji.
private func isWide(_ code: UInt32) -> Bool {
  switch code {
  case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
    true
  default: false
  }
}

/// Text in columns. On a terminal a line is cut to the width; in a pipe nothing is cut, and tabs part the columns.
struct Table {
  /// On a narrower terminal what is made for a look at the whole is not laid out: lines are plain, and the terminal breaks them.
  static let narrowest = 20
  /// What stands for the end of a line that was cut, in a locale that can write it and in one that cannot.
  static let ellipses = (utf8: "…", plain: "...")
  private var rows: [[String]] = []

  /// Adds a row; line feeds and tabs in a cell become spaces.
  mutating func add(_ cells: [String]) {
    rows.append(cells.map { String($0.map { $0.isNewline || $0 == "\t" ? " " : $0 }) })
  }

  /// The lines for a terminal of so many cells, or for a pipe.
  func lines(width: Int?, isPlain: Bool = Terminal.isPlain) -> [String] {
    guard let width else { return rows.map { $0.joined(separator: "\t") } }
    return aligned.map { Self.cut($0, to: width, isPlain: isPlain) }
  }

  /// The same for a few rows of which nothing may be lost: where the columns have no room, each row is broken like prose.
  func whole(width: Int?) -> [String] {
    guard let width else { return lines(width: nil) }
    let lines = aligned
    guard lines.contains(where: { cellWidth($0) > width }) else { return lines }
    let plain = rows.map { $0.filter { !$0.isEmpty }.joined(separator: "  ") }
    return width < Self.narrowest ? plain : plain.flatMap { Wrapping.lines($0, width: width) }
  }

  private var aligned: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? cellWidth($0[column]) : 0 }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        if column == row.count - 1 {
          line += cell
        } else {
          line += cell + String(repeating: " ", count: widths[column] - cellWidth(cell) + 2)
        }
      }
      return line
    }
  }

  /// The beginning of a text that fits into so many cells, with `…` if something is left out.
  static func cut(_ text: String, to width: Int, isPlain: Bool = Terminal.isPlain) -> String {
    guard cellWidth(text) > width else { return text }
    let ellipsis = (isPlain ? ellipses.plain : ellipses.utf8).prefix(width)
    var result = ""
    var used = 0
    for character in text {
      let next = cellWidth(character)
      if used + next > width - cellWidth(ellipsis) { break }
      used += next
      result.append(character)
    }
    return result + ellipsis
  }
}
