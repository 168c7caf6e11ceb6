import Testing

@testable import Letters

@Suite("Worked letters come out word for word")
struct WorkedLetterTests {
  @Test(arguments: WorkedLetter.all)
  func letter(_ worked: WorkedLetter) {
    let letter = composeLetter(worked.request)
    #expect(letter.content == worked.content)
    #expect(letter.register == worked.request.register)
    #expect(letter.notices.isEmpty)
  }

  @Test(arguments: LetterTone.allCases)
  func safetyLetter(tone: LetterTone) {
    let answers = LetterAnswers(
      journalId: "S86", conflictKind: .couple, situation: "He pushed me against the door.", feelings: ["afraid", "numb"],
      hurt: "It was in front of the kids.", need: "to be safe")
    let letter = composeLetter(LetterRequest(answers: answers, tone: tone, language: .en, iteration: 1))
    #expect(letter.notices == [.safety])
    #expect(
      letter.content == """
        I have something to say, and I’ll keep it short.

        To sort out my thoughts, I wrote down what happened: “He pushed me against the door.”

        At the time, I felt afraid and numb.

        What weighs on me most is this: “It was in front of the kids.”

        What I really wanted comes down to “to be safe”.

        You don’t need to answer this.
        """)
  }
}
