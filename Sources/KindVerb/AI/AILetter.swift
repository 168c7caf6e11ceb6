import Deidentification
import KindVerbAPI
import Letters

/// An AI's letter with the names put back, and what the person should know of it.
struct AILetter: Sendable {
  /// What a person is told beside a draft of an AI's; the key of its text.
  enum Mark: String, CaseIterable, Sendable {
    /// A name, a date or a place of the answers does not occur in it.
    case missing = "notice.ai.missing"
    /// Something looks like a token and is none: it stands there as it came.
    case unknown = "notice.ai.unknown"
  }

  /// The text.
  let content: String
  /// What the person should know.
  let marks: [Mark]

  /// The longest letter, in characters (PRD 10.5).
  static let characters = 10_000

  /// Puts the names back. A letter in another language than the one that was asked for is none, nor is one that is too long to keep.
  init(_ answer: String, of material: AIMaterial, _ wish: LetterWish) throws(AIFailure) {
    guard writtenLanguage(of: Self.withoutTokens(answer)).map({ $0 == wish.language.ofLetters }) ?? true else {
      throw AIFailure(.aiWrongLanguage)
    }
    let restored = material.masked.restore(answer)
    guard restored.text.count <= Self.characters, restored.text.utf8.count <= Self.characters * 4, !restored.text.utf8.contains(0)
    else {
      throw AIFailure(.aiInvalidResponse)
    }
    content = restored.text
    marks = (restored.missing.isEmpty ? [] : [.missing]) + (restored.unknown.isEmpty ? [] : [.unknown])
  }

  /// The letter's own words: what stands in angle brackets is Latin in every language.
  private static func withoutTokens(_ text: String) -> String {
    var kept = ""
    var isInside = false
    for character in text {
      switch character {
      case "<": isInside = true
      case ">": isInside = false
      default: if !isInside { kept.append(character) }
      }
    }
    return kept
  }
}
