/// Words that tell what a number after them is.
struct Labels: Sendable {
  private let words: [UInt32: [[UInt32]]]

  init(_ list: String) {
    var words: [UInt32: [[UInt32]]] = [:]
    for word in unitLists(list) {
      if let first = word.first { words[first, default: []].append(word) }
    }
    self.words = words
  }

  /// The longest word that begins at `position`, or 0.
  func length(in reading: Reading, at position: Int) -> Int {
    guard position < reading.count, let candidates = words[reading.lower[position]] else { return 0 }
    return reading.lower.longest(of: candidates, at: position)
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
