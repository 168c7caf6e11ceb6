import Testing

@testable import Letters

@Suite("What a person wrote stays out of descriptions")
struct WordlessTests {
  @Test("answers, requests and letters print and dump as their names")
  func wordless() {
    let answers = LetterAnswers(
      journalId: "id", conflictKind: .friends, situation: "secret one", feelings: ["secret two"], hurt: "secret three",
      reflection: "secret four", need: "secret five", addressee: "secret six")
    let request = LetterRequest(answers: answers, language: .en)
    let letter = ComposedLetter(content: "secret seven", register: .casual, notices: [])
    for (value, name) in [(answers, "LetterAnswers"), (request, "LetterRequest"), (letter, "ComposedLetter")] as [(Any, String)] {
      var dumped = ""
      dump(value, to: &dumped)
      #expect(String(describing: value) == name && "\(Optional(value) as Any)" == "Optional(\(name))")
      #expect(!dumped.contains("secret") && !String(reflecting: value).contains("secret"))
    }
  }
}
