import Testing

@testable import Deidentification

/// A text with what is masked in it: what stands between ⟦ and ⟧.
struct Marked: CustomTestStringConvertible, Sendable {
  let marked: String
  var testDescription: String { marked }

  /// The text without the marks.
  var text: String { marked.filter { $0 != "⟦" && $0 != "⟧" } }

  /// What the masking left, with 〈…〉 in place of every token.
  static func blanked(_ masked: Deidentified) -> [String] {
    masked.parts.map { part in
      var part = part
      for token in masked.tokens { part = replacing(token.text, in: part, by: "〈…〉") }
      return part
    }
  }

  /// What is expected to be left.
  var blanked: String {
    var result = ""
    var isInside = false
    for character in marked {
      switch character {
      case "⟦": isInside = true
      case "⟧":
        isInside = false
        result += "〈…〉"
      default: if !isInside { result.append(character) }
      }
    }
    return result
  }
}

/// `text` with every `word` replaced, scalar by scalar.
func replacing(_ word: String, in text: String, by other: String) -> String {
  let word = Array(word.unicodeScalars)
  let text = Array(text.unicodeScalars)
  var result = String.UnicodeScalarView()
  var position = 0
  while position < text.count {
    if text[position...].starts(with: word) {
      result.append(contentsOf: other.unicodeScalars)
      position += word.count
    } else {
      result.append(text[position])
      position += 1
    }
  }
  return String(result)
}

func isExactly(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
