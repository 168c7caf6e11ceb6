import KindVerbAPI

/// The rules of a journal: no clock, no store.
public enum JournalRules {
  /// The five questions.
  public enum Step: Int, CaseIterable, Sendable {
    case situation = 1
    case feelings
    case hurt
    case reflection
    case need
  }

  /// The first required question without an answer; nil when the journal can be completed. Reflection (4) may be skipped.
  public static func firstOpenStep(of journal: JournalRecord) -> Step? {
    if !hasText(journal.situation) { return .situation }
    if journal.feelings.isEmpty { return .feelings }
    if !hasText(journal.hurt) { return .hurt }
    if !hasText(journal.need) { return .need }
    return nil
  }

  /// Refuses a journal with an open question, by the question's own error.
  public static func requireComplete(_ journal: JournalRecord) throws(APIError) {
    switch firstOpenStep(of: journal) {
    case .situation?: throw APIError(.journalSituationEmpty, field: "situationText")
    case .feelings?: throw APIError(.journalEmotionEmpty, field: "feelings")
    case .hurt?: throw APIError(.journalHurtEmpty, field: "hurtText")
    case .need?: throw APIError(.journalWantEmpty, field: "desiredNeedText")
    case .reflection?, nil: return
    }
  }

  /// Feelings as they are kept: trimmed, without repetitions, in the order given. One without a visible character is refused.
  public static func feelings(_ given: [PersonalText]) throws(APIError) -> [String] {
    var kept: [String] = []
    for (index, feeling) in given.enumerated() {
      let word = trimmed(feeling.exposed)
      guard hasText(word) else { throw APIError(.journalFeelingBlank, field: "feelings[\(index)]") }
      if !kept.contains(word) { kept.append(word) }
    }
    return kept
  }

  /// Whether a text has something to be seen: a letter, digit, mark or symbol, not only spaces, control characters and
  /// characters that are drawn as nothing.
  public static func hasText(_ text: String?) -> Bool {
    guard let text else { return false }
    return text.unicodeScalars.contains { scalar in
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .format, .surrogate, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
      default:
        // Fillers that count as letters and are drawn as nothing (U+3164, U+FFA0, U+115F, U+1160), and the blank braille cell.
        return !properties.isDefaultIgnorableCodePoint && scalar.value != 0x2800
      }
    }
  }

  /// A text without the white space around it.
  static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
