@_spi(_Unicode) import Swift

/// Text as searches compare it: composed (NFC), without case, white space as one space. So 각 in one piece or in three finds the
/// same, and no index is needed whose remains would outlive a deleted text.
///
/// Lower case alone does not take case away: ß and SS, or the two small sigmas, are one letter in capitals only. So a text goes
/// through capitals, and once through small letters before, since ẞ is a capital that has a small letter and no other capital.
public enum SearchText {
  /// A text as searches compare it.
  public static func folded(_ text: String) -> String {
    text.utf8.allSatisfy({ $0 < 0x80 }) ? foldedASCII(text) : foldedAny(text)
  }

  static func foldedAny(_ text: String) -> String {
    // Composed first: what comes of a letter must not depend on how its marks were written.
    var composed = String.UnicodeScalarView()
    composed.append(contentsOf: text._nfc)
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var spaceWaits = false
    for scalar in String(composed).lowercased().uppercased().lowercased()._nfc {
      if scalar.properties.isWhitespace {
        spaceWaits = !result.isEmpty
      } else {
        if spaceWaits { result += " " }
        spaceWaits = false
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The same for a text without a character beyond ASCII, which needs none of Unicode's tables.
  private static func foldedASCII(_ text: String) -> String {
    String(unsafeUninitializedCapacity: text.utf8.count) { buffer in
      var length = 0
      var spaceWaits = false
      for byte in text.utf8 {
        if byte == 0x20 || (0x09...0x0D).contains(byte) {
          spaceWaits = length > 0
        } else {
          if spaceWaits {
            buffer[length] = 0x20
            length += 1
          }
          spaceWaits = false
          buffer[length] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
          length += 1
        }
      }
      return length
    }
  }

  /// All the answers of a journal as searches compare them, one a line, so that no match runs across two answers.
  static func folded(_ journal: JournalRecord) -> String {
    let texts = [journal.situation, journal.hurt, journal.reflection, journal.need, journal.addressee].compactMap { $0 }
    return (texts + journal.feelings).map { folded($0) }.joined(separator: "\n")
  }
}
