/// A word of an alphabet.
struct LatinWord {
  let start: Int
  let end: Int
  /// Begins with a capital.
  let isCapital: Bool
  /// Begins a sentence or a line.
  let beginsSentence: Bool
  var count: Int { end - start }
}

/// The words of a text that are written with an alphabet, apostrophes and hyphens aside.
func latinWords(_ reading: Reading) -> [LatinWord] {
  var words: [LatinWord] = []
  var position = 0
  while position < reading.count {
    guard isAlphabetLetter(reading.codes[position]) else {
      position += 1
      continue
    }
    var end = position + 1
    while end < reading.count, isAlphabetLetter(reading.codes[end]) { end += 1 }
    words.append(
      LatinWord(
        start: position, end: end, isCapital: isUpper(reading.codes[position]), beginsSentence: beginsSentence(reading, position))
    )
    position = end
  }
  return words
}

private func beginsSentence(_ reading: Reading, _ start: Int) -> Bool {
  var position = start - 1
  var looked = 0
  while position >= 0, looked < 6 {
    switch reading.codes[position] {
    case 0x20, 0x22, 0x27, 0x201C, 0x201D, 0x28, 0x2D, 0x2A: position -= 1
    case 0x0A, 0x2E, 0x21, 0x3F, 0x2026, 0x3A, 0x3002, 0x300C: return true
    default: return false
    }
    looked += 1
  }
  return true
}

/// The word with its accents taken away; nil for one without any, or with letters that have none.
func withoutAccents(_ word: ArraySlice<UInt32>) -> [UInt32]? {
  guard word.contains(where: { $0 >= 0xE0 && $0 < 0x180 }) else { return nil }
  return word.map { plainLetters[$0] ?? $0 }
}

private let plainLetters: [UInt32: UInt32] = {
  var letters: [UInt32: UInt32] = [:]
  let rows = [
    "aàáâãäåāăą", "cçćč", "dďđ", "eèéêëēėęě", "gğ", "iìíîïīı", "lł", "nñńň", "oòóôõöøō", "rř", "sśšş", "tťţ", "uùúûüūů", "yýÿ",
    "zźżž",
  ]
  for row in rows {
    let codes = units(row)
    for code in codes.dropFirst() { letters[code] = codes[0] }
  }
  return letters
}()
