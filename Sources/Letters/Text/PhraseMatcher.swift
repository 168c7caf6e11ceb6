/// Finds any of many short phrases in a folded text, in one pass: a cue is looked at only where its first scalar stands.
struct PhraseMatcher: Sendable {
  private struct Pattern: Sendable {
    let head: [Unicode.Scalar]
    /// What must follow within `gap` scalars, for phrases written with "…".
    let tail: [Unicode.Scalar]
    let startsWord: Bool
    let endsWord: Bool
  }

  private static let gap = 20
  private var patterns: [Unicode.Scalar: [Pattern]] = [:]
  /// A bit for each first scalar, by its lower half: most positions of a text need no look into the table.
  private var firsts = [UInt64](repeating: 0, count: 64)

  /// Phrases that match anywhere.
  init(anywhere: [String] = [], startingWords: [String] = [], words: [String] = []) {
    for phrase in anywhere { add(phrase, startsWord: false, endsWord: false) }
    for phrase in startingWords { add(phrase, startsWord: true, endsWord: false) }
    for phrase in words { add(phrase, startsWord: true, endsWord: true) }
  }

  private mutating func add(_ phrase: String, startsWord: Bool, endsWord: Bool) {
    let parts = phrase.split(separator: "…")
    guard let head = parts.first, let first = head.unicodeScalars.first else { return }
    firsts[Self.word(of: first)] |= Self.bit(of: first)
    let tail = parts.count > 1 ? Array(parts[1].unicodeScalars) : []
    patterns[first, default: []]
      .append(Pattern(head: Array(head.unicodeScalars), tail: tail, startsWord: startsWord, endsWord: endsWord))
  }

  /// Whether one of the phrases stands in `text`.
  func matches(_ text: [Unicode.Scalar]) -> Bool {
    (0..<text.count).contains { length(in: text, at: $0) != nil }
  }

  /// The text with every occurrence replaced by a sign that belongs to no phrase.
  func removing(from text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard matches(text) else { return text }
    var result: [Unicode.Scalar] = []
    var position = 0
    while position < text.count {
      if let length = length(in: text, at: position) {
        result.append("\u{FFFC}")
        position += length
      } else {
        result.append(text[position])
        position += 1
      }
    }
    return result
  }

  private func length(in text: [Unicode.Scalar], at position: Int) -> Int? {
    let first = text[position]
    guard firsts[Self.word(of: first)] & Self.bit(of: first) != 0, let candidates = patterns[first] else { return nil }
    var longest: Int?
    for pattern in candidates {
      if let length = length(of: pattern, in: text, at: position), length > longest ?? 0 { longest = length }
    }
    return longest
  }

  private func length(of pattern: Pattern, in text: [Unicode.Scalar], at position: Int) -> Int? {
    guard text[position...].starts(with: pattern.head) else { return nil }
    if pattern.startsWord && position > 0 && isWordScalar(text[position - 1]) { return nil }
    var end = position + pattern.head.count
    if !pattern.tail.isEmpty {
      let last = min(end + Self.gap, text.count)
      guard let start = (end...last).first(where: { text[$0...].starts(with: pattern.tail) }) else { return nil }
      end = start + pattern.tail.count
    }
    if pattern.endsWord && end < text.count && isWordScalar(text[end]) { return nil }
    return end - position
  }

  private static func word(of scalar: Unicode.Scalar) -> Int { Int(scalar.value >> 6) & 63 }

  private static func bit(of scalar: Unicode.Scalar) -> UInt64 { 1 << UInt64(scalar.value & 63) }

  /// Scripts without word spaces have no word borders, so only alphabets count.
  private func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x250 && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }
}
