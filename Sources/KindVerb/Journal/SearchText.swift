@_spi(_Unicode) import Swift

/// Text as searches compare it: composed (NFC), in lower case, white space as one space. So 각 in one piece or in three finds the
/// same, and no index is needed whose remains would outlive a deleted text.
public enum SearchText {
  /// A text as searches compare it.
  public static func folded(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var spaceWaits = false
    for scalar in text.lowercased()._nfc {
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

  /// All the answers of a journal as searches compare them, one a line, so that no match runs across two answers.
  static func folded(_ journal: JournalRecord) -> String {
    let texts = [journal.situation, journal.hurt, journal.reflection, journal.need, journal.addressee].compactMap { $0 }
    return (texts + journal.feelings).map { folded($0) }.joined(separator: "\n")
  }
}
