import Deidentification
import KindVerbAPI
import Letters

/// An AI's letter with the names put back, and what the person should know of it.
struct AILetter: Sendable {
  /// What a person is told beside a draft of an AI's; the key of its text.
  enum Mark: String, CaseIterable, Sendable {
    /// Somebody of whom the answers speak does not occur in it. Dates and places are often left out, as they may be.
    case missing = "notice.ai.missing"
    /// Something looks like a token and is none: it stands there as it came.
    case unknown = "notice.ai.unknown"
    /// It has what no letter has: placeholders to fill in, exclamation marks or pictures of its own.
    case style = "notice.ai.style"
  }

  /// The text.
  let content: String
  /// What the person should know.
  let marks: [Mark]

  /// The longest letter, in characters (PRD 10.5).
  static let characters = ContractLimits.LetterText.maxLength

  /// Puts the names back and takes Markdown away. A letter in another language than the one that was asked for is none, nor
  /// is one that is too long to keep.
  init(_ answer: String, of material: AIMaterial, _ wish: LetterWish) throws(AIFailure) {
    guard writtenLanguage(of: Self.withoutTokens(answer)).map({ $0 == wish.language.ofLetters }) ?? true else {
      throw AIFailure(.aiWrongLanguage)
    }
    let style = AIStyle(answer, notes: material.masked.parts)
    let restored = material.masked.restore(style.text)
    guard restored.text.count <= Self.characters, restored.text.utf8.count <= Self.characters * 4,
      !restored.text.utf8.contains(0),
      JournalRules.hasText(restored.text)
    else {
      throw AIFailure(.aiInvalidResponse)
    }
    content = restored.text
    marks =
      (restored.missing.contains { $0.kind == .person } ? [.missing] : []) + (restored.unknown.isEmpty ? [] : [.unknown])
      + (style.isOdd ? [.style] : [])
  }

  /// The longest token, brackets aside, that an answer may have, with what a model adds to it.
  private static let tokenCharacters = 32

  /// The letter's own words: what stands in a pair of angle brackets is Latin in every language. A bracket alone is nothing.
  static func withoutTokens(_ text: String) -> String {
    var kept = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      let inner = character == "<" ? rest.prefix(tokenCharacters).prefix { $0 != ">" && $0 != "<" && !$0.isNewline } : ""
      if character == "<", inner.endIndex < rest.endIndex, rest[inner.endIndex] == ">" {
        rest = rest[rest.index(after: inner.endIndex)...]
      } else {
        kept.append(character)
      }
    }
    return kept
  }
}
