/// Words that tell what a number after them is.
struct Labels: Sendable {
  private let words: [UInt32: [[UInt32]]]
  private let firsts: Characters

  init(_ list: String) {
    var words: [UInt32: [[UInt32]]] = [:]
    for word in unitLists(list) {
      if let first = word.first { words[first, default: []].append(word) }
    }
    self.words = words
    firsts = Characters(words.keys)
  }

  /// The longest word that begins at `position`, or 0.
  func length(in reading: Reading, at position: Int) -> Int {
    guard position < reading.count, firsts.contains(reading.lower[position]), let candidates = words[reading.lower[position]]
    else { return 0 }
    return reading.lower.longest(of: candidates, at: position)
  }

  /// Whether one of the words begins at `position` and may end where it ends.
  func stands(in reading: Reading, at position: Int, where mayEnd: (Int) -> Bool = { _ in true }) -> Bool {
    guard position < reading.count, firsts.contains(reading.lower[position]), let candidates = words[reading.lower[position]]
    else { return false }
    return candidates.contains { reading.lower.has($0, at: position) && mayEnd(position + $0.count) }
  }

  /// Whether `word` is one of them.
  func contains(_ word: [UInt32]) -> Bool { word.first.flatMap { words[$0] }?.contains(word) ?? false }

  /// The longest of the words that `text` ends in and that leaves something before it; 0 without one.
  func endingLength(of text: [UInt32], where isTitle: (Int) -> Bool = { _ in true }) -> Int {
    for start in 1..<max(text.count, 1) where words[text[start]]?.contains(where: { text[start...].elementsEqual($0) }) == true {
      if isTitle(text.count - start) { return text.count - start }
    }
    return 0
  }

  /// Where the words stand.
  func marks(in reading: Reading) -> LabelMarks {
    LabelMarks(positions: reading.lower.indices.filter { length(in: reading, at: $0) > 0 })
  }
}

/// Where labels stand in a text.
struct LabelMarks {
  let positions: [Int]

  /// Whether one stands a little before, on the same line.
  func isNear(_ start: Int, in reading: Reading) -> Bool {
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < start { low = middle + 1 } else { high = middle }
    }
    guard low > 0, start - positions[low - 1] <= 24 else { return false }
    return !reading.codes[positions[low - 1]..<start].contains(0x0A)
  }
}
