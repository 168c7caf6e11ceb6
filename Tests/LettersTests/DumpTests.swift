import Glibc
import Testing

@testable import Letters

/// Writes letters to the file that LETTERS_DUMP names, for a reader to judge; without it nothing happens.
@Suite("Letters to read")
struct DumpTests {
  @Test(.enabled(if: getenv("LETTERS_DUMP") != nil))
  func dump() throws {
    let path = try #require(getenv("LETTERS_DUMP").map { String(cString: $0) })
    var text = ""
    for (index, language) in LetterLanguage.allCases.enumerated() {
      for (number, journal) in MatrixJournal.all(for: language).enumerated() {
        var answers = journal.answers
        answers.conflictKind = ConflictKind.allCases[(number + index) % 5]
        let tone = LetterTone.allCases[(number / 2 + index) % 4]
        let register = LetterRegister.allCases[number % 2]
        let request = LetterRequest(
          answers: answers, tone: tone, register: register, language: language, iteration: number % 4 + 1)
        text +=
          "======== \(language) \(journal.name) · \(answers.conflictKind) \(register) \(tone)\n\(composeLetter(request).content)\n\n"
      }
    }
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }
}
