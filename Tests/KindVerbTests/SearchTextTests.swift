@_spi(_Unicode) import Swift
import Testing

@testable import KindVerb

@Suite("Text as searches compare it")
struct SearchTextTests {
  @Test(
    "what differs in case alone is the same",
    arguments: [
      ["ΟΔΥΣΣΕΥΣ", "οδυσσευς", "οδυσσευσ", "Οδυσσευς"], ["Straße", "STRASSE", "strasse", "STRAẞE"], ["ﬁn", "FIN", "fin"],
      ["ΐ", "Ϊ\u{301}", "\u{3B9}\u{308}\u{301}"], ["ᾳ", "ΑΙ", "αι"], ["Ǆ", "ǅ", "ǆ"], ["ſee", "SEE"],
      ["Å", "å", "\u{212B}", "a\u{30A}"],
      ["각", "\u{1100}\u{1161}\u{11A8}"],
    ])
  func caseless(_ texts: [String]) {
    #expect(Set(texts.map { Array(SearchText.folded($0).unicodeScalars) }).count == 1)
  }

  @Test("what is found in a text is found in it in capitals, in small letters and in any composition, of every letter with case")
  func everyLetter() {
    for value in (0 as UInt32)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenNFKCCaseFolded || scalar.properties.isCased else {
        continue
      }
      let text = String(scalar)
      let folded = SearchText.foldedAny(text).unicodeScalars
      var apart = String.UnicodeScalarView()
      apart.append(contentsOf: text._nfd)
      for other in [text.uppercased(), text.lowercased(), String(apart), String(folded)] {
        #expect(SearchText.foldedAny(other).unicodeScalars.elementsEqual(folded), "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test("a text of ASCII alone is folded as any other")
  func ascii() {
    var random = SystemRandomNumberGenerator()
    let alphabet = (0 as UInt8)..<0x80
    for first in alphabet {
      for second in alphabet {
        let text = String(decoding: [first, second, UInt8.random(in: alphabet, using: &random)], as: UTF8.self)
        #expect(SearchText.folded(text).utf8.elementsEqual(SearchText.foldedAny(text).utf8), "bytes \(Array(text.utf8))")
      }
    }
  }
}
