import Foundation
import Testing

@testable import Deidentification

/// The answers that the tests of letters are made of: ordinary sentences in four languages.
struct OrdinaryTests {
  /// Every literal of two files, beside each other in the tree.
  private static func sentences() throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "LettersTests")
    var sentences: [String] = []
    for file in ["WorkedLetters.swift", "MatrixJournals.swift"] {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let parts = line.replacing("\\\"", with: "”").split(separator: "\"", omittingEmptySubsequences: false)
        sentences += parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        if parts.count == 1, !line.hasPrefix("@"), !line.hasPrefix("import") {
          sentences.append(line.trimmingCharacters(in: .whitespaces))
        }
      }
    }
    return sentences
  }

  @Test func onlyNamesAndTimesAreMasked() throws {
    let sentences = try Self.sentences()
    #expect(sentences.count > 400)
    var masked: Set<String> = []
    for sentence in sentences {
      let result = deidentify([sentence])
      for name in result.originals.keys { masked.insert("\(name.kind.rawValue) \(result.originals[name] ?? "")") }
    }
    #expect(
      masked == ["PERSON Han", "PERSON Sam", "PERSON Tom", "PERSON ゆう", "PERSON 민지", "TIME 열 시", "TIME 十時", "TIME 十点"])
  }

  @Test(arguments: ordinarySentences)
  func nothingOfAnOrdinarySentenceIsMasked(_ sentence: String) {
    #expect(deidentify([sentence]).parts == [sentence])
  }

  @Test func nothingIsMaskedWhereTheSentencesAreOneLetter() {
    #expect(deidentify(ordinarySentences).parts == ordinarySentences)
  }
}
