// What a unit is. Units are folded, so that digits and Latin letters are always narrow.

func isDigit(_ code: UInt32) -> Bool { code >= 0x30 && code <= 0x39 }

func isHangul(_ code: UInt32) -> Bool { code >= 0xAC00 && code <= 0xD7A3 }

func isHan(_ code: UInt32) -> Bool {
  code >= 0x4E00 && code <= 0x9FFF || code >= 0x3400 && code <= 0x4DBF || code == 0x3005 || code == 0x3007
    || code >= 0xF900 && code <= 0xFAFF || code >= 0x20000 && code <= 0x323AF
}

func isHiragana(_ code: UInt32) -> Bool { code >= 0x3041 && code <= 0x3096 }

func isKatakana(_ code: UInt32) -> Bool { code >= 0x30A1 && code <= 0x30FA || code == 0x30FC }

func isKana(_ code: UInt32) -> Bool { isHiragana(code) || isKatakana(code) }

func isASCIILetter(_ code: UInt32) -> Bool { code >= 0x41 && code <= 0x5A || code >= 0x61 && code <= 0x7A }

/// A letter of an alphabet that sets its words apart: Latin, Greek, Cyrillic, Arabic and the like.
func isAlphabetLetter(_ code: UInt32) -> Bool {
  if code < 0xAA { return isASCIILetter(code) }
  guard code < 0x1100 || code >= 0x1E00 && code < 0x2000 else { return false }
  return Unicode.Scalar(code)?.properties.isAlphabetic ?? false
}

func isUpper(_ code: UInt32) -> Bool {
  if code < 0x80 { return code >= 0x41 && code <= 0x5A }
  guard code < 0x600 || code >= 0x1E00 && code < 0x2000 else { return false }
  return Unicode.Scalar(code)?.properties.isUppercase ?? false
}

/// Anything that a word is made of.
func isWordPart(_ code: UInt32) -> Bool {
  isDigit(code) || isAlphabetLetter(code) || isHangul(code) || isHan(code) || isKana(code)
}

/// Where a clause begins or ends.
func isClauseMark(_ code: UInt32) -> Bool {
  switch code {
  case 0, 0x0A, 0x21, 0x22, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x7E, 0x28, 0x29, 0x5B, 0x5D, 0x2026, 0x3001, 0x3002, 0x300C, 0x300D,
    0x300E, 0x300F, 0x201C,
    0x201D, 0xB7, 0x2D, 0x27, 0x300A, 0x300B, 0x2F:
    true
  default: false
  }
}

/// A few characters of the first plane in one number, four at most; 0 for what does not fit.
func packed(_ codes: some Collection<UInt32>) -> UInt64 {
  guard codes.count <= 4 else { return 0 }
  var result: UInt64 = 0
  for code in codes {
    guard code <= 0xFFFF else { return 0 }
    result = result << 16 | UInt64(code)
  }
  return result
}

/// Short words of Hangul, kana or Han, four characters at most, written with spaces between.
struct ShortWords: Sendable {
  private let words: Set<UInt64>

  init(_ list: String) {
    var words: Set<UInt64> = []
    for word in list.split(whereSeparator: \.isWhitespace) { words.insert(packed(word.unicodeScalars.map(\.value))) }
    words.remove(0)
    self.words = words
  }

  func contains(_ codes: some Collection<UInt32>) -> Bool {
    let word = packed(codes)
    return word != 0 && words.contains(word)
  }
}

/// Single characters.
struct Characters: Sendable {
  private let codes: Set<UInt32>
  /// A bit for each by its lower part: most need no look into the set.
  private var bits = [UInt64](repeating: 0, count: 64)

  init(_ list: String) { self.init(list.unicodeScalars.map(\.value).filter { $0 > 0x20 }) }

  init(_ list: some Sequence<UInt32>) {
    codes = Set(list)
    for code in codes { bits[Int(code >> 6) & 63] |= 1 << UInt64(code & 63) }
  }

  func contains(_ code: UInt32) -> Bool {
    bits[Int(code >> 6) & 63] & 1 << UInt64(code & 63) != 0 && codes.contains(code)
  }
}

/// The same for a few, written where they are asked for.
func isOne(_ code: UInt32, of list: String) -> Bool {
  for scalar in list.unicodeScalars where scalar.value == code { return true }
  return false
}

/// Words of any length, in lower case.
struct Words: Sendable {
  private let words: Set<[UInt32]>
  let longest: Int

  init(_ list: String) {
    words = Set(list.split(whereSeparator: \.isWhitespace).map { $0.unicodeScalars.map { $0 == "_" ? 0x20 : $0.value } })
    longest = words.map(\.count).max() ?? 0
  }

  func contains(_ codes: ArraySlice<UInt32>) -> Bool { codes.count <= longest && words.contains(Array(codes)) }

  /// The longest word that begins at `position`.
  func length(in codes: [UInt32], at position: Int, atLeast least: Int = 1) -> Int {
    var length = min(longest, codes.count - position)
    while length >= least {
      if words.contains(Array(codes[position..<position + length])) { return length }
      length -= 1
    }
    return 0
  }
}

func units(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

extension Array where Element == UInt32 {
  /// Whether `word` stands at `position`.
  func has(_ word: [UInt32], at position: Int) -> Bool {
    guard position >= 0, position + word.count <= count else { return false }
    for offset in word.indices where self[position + offset] != word[offset] { return false }
    return true
  }

  /// The same for a word that is written where it is asked for.
  func has(_ word: String, at position: Int) -> Bool {
    guard position >= 0 else { return false }
    var at = position
    for scalar in word.unicodeScalars {
      guard at < count, self[at] == scalar.value else { return false }
      at += 1
    }
    return true
  }

  /// The length of the longest of `words` at `position`, or 0.
  func longest(of words: [[UInt32]], at position: Int) -> Int {
    var best = 0
    for word in words where word.count > best && has(word, at: position) { best = word.count }
    return best
  }
}

/// Words written with spaces between; an underscore is a space inside of one.
func unitLists(_ list: String) -> [[UInt32]] {
  list.split(whereSeparator: \.isWhitespace).map { $0.unicodeScalars.map { $0 == "_" ? 0x20 : $0.value } }
}
