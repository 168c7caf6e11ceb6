import KindVerbAPI
import Testing

@testable import KindVerb

@Suite("An AI's answer as a letter") struct AILetterTests {
  private func letter(
    _ answer: String, language: Language = .en, of journal: JournalRecord = completedJournal(addressee: "Sam")
  ) throws -> AILetter {
    try AILetter(
      answer, of: AIMaterial(journal, people: []),
      LetterWish(tone: .neutralWarm, register: .casual, language: language, iteration: 1))
  }

  @Test(
    "Markdown is taken away where it is certain to be some",
    arguments: [
      ("Hi <PERSON_1>,\n\nI felt **sad**.", "Hi Sam,\n\nI felt sad."),
      ("Hi **<PERSON_1>**, it was __late__.", "Hi Sam, it was late."),
      ("# A letter\n\nHi <PERSON_1>, it is me.", "A letter\n\nHi Sam, it is me."),
      (
        "Hi <PERSON_1>,\n- I felt sad.\n* I was late.\n• I am here.\n> So it was.",
        "Hi Sam,\nI felt sad.\nI was late.\nI am here.\nSo it was."
      ),
      ("```text\nHi <PERSON_1>, it is me.\n```", "Hi Sam, it is me."),
      ("---\n\nHi <PERSON_1>, it is me.\n\n***", "Hi Sam, it is me."),
    ])
  func markdown(answer: String, text: String) throws {
    let letter = try letter(answer)
    #expect(letter.content == text)
    #expect(letter.marks.isEmpty)
  }

  @Test(
    "what stands there byte for byte otherwise",
    arguments: [
      "Hi <PERSON_1>,\r\n\r\nit was 5 - 3 and #1 — so it was.\r\n", " Hi <PERSON_1>,\n\n\nI felt sad (a little). -no\n",
      "Hi <PERSON_1>, 1. that is all.",
    ])
  func untouched(answer: String) throws {
    let letter = try letter(answer)
    #expect(letter.content == answer.replacing("<PERSON_1>", with: "Sam"))
    #expect(letter.marks.isEmpty)
  }

  @Test("marks that the notes have are the person's, and stay without a word")
  func ownMarks() throws {
    let journal = completedJournal(
      situation: "You said **never** again!\n- and left 😢", hurt: "[Name] was what you called me", addressee: "Sam")
    let answer = "Hi <PERSON_1>,\n- you said “**never** again!” and called me [Name] 😢"
    let letter = try letter(answer, of: journal)
    #expect(letter.content == answer.replacing("<PERSON_1>", with: "Sam"))
    #expect(letter.marks.isEmpty)
  }

  @Test("what a token stands for is no mark, whatever it looks like")
  func names() throws {
    let journal = completedJournal(situation: "I had seen https://x.example/**a**!b/c before.")
    let letter = try letter("What I had seen was <URL_1> and no more.", of: journal)
    #expect(letter.content == "What I had seen was https://x.example/**a**!b/c and no more.")
    #expect(letter.marks.isEmpty)
  }

  @Test(
    "what does not sound like a letter is said beside it, and stays",
    arguments: [
      "Hi <PERSON_1>, I am so sorry!", "Hi <PERSON_1>, I am sorry！", "Hi <PERSON_1>, I miss us 😊", "Hi <PERSON_1>, I miss us ♥",
      "Hi <PERSON_1>, it is me, [Your name]", "Hi <PERSON_1>, it is me, [Name].", "Hi <PERSON_1>, <Your Name> here",
      "Hi <PERSON_1>, {name} here", "Hi <PERSON_1>, it was *very* late", "Hi <PERSON_1>, ___ here",
      "Hi <PERSON_1>,\n1. I felt sad.\n2. I was late.",
    ])
  func odd(answer: String) throws {
    let letter = try letter(answer)
    #expect(letter.content == answer.replacing("<PERSON_1>", with: "Sam"))
    #expect(letter.marks == [.style])
  }

  @Test(
    "in the other languages, too",
    arguments: [
      (.ko, "<PERSON_1>에게\n\n그때 나는 슬펐어. [이름]"), (.ko, "<PERSON_1>에게\n\n그때 나는 슬펐어ㅠㅠ"),
      (.ja, "<PERSON_1>へ\n\nあのときは悲しかった。○○より"), (.zhHans, "<PERSON_1>：\n\n那时候我很难过。【名字】"),
    ] as [(Language, String)])
  func others(language: Language, answer: String) throws {
    #expect(try letter(answer, language: language).marks == [.style])
  }

  @Test("nothing but marks is no letter", arguments: ["---", "```\n```", "***\n---\n"])
  func empty(answer: String) {
    #expect(throws: AIFailure(.aiInvalidResponse)) { try letter(answer) }
  }

  @Test("a person who is missing is told of; a date that is left out is not")
  func missing() throws {
    let journal = completedJournal(situation: "On 2026-03-04 I forgot our dinner.", addressee: "Sam")
    #expect(AIMaterial(journal, people: []).masked.tokens.contains { $0.kind == .date })
    #expect(try letter("Hi <PERSON_1>, I forgot our dinner.", of: journal).marks.isEmpty)
    #expect(try letter("I forgot our dinner on <DATE_1>.", of: journal).marks == [.missing])
  }

  @Test("one bracket alone hides nothing from the look at the language")
  func loneBracket() {
    #expect(throws: AIFailure(.aiWrongLanguage)) { try letter("< 그때 나는 슬펐어. 그래서 편지를 써.") }
    #expect(throws: AIFailure(.aiWrongLanguage)) { try letter("a <\n그때 나는 슬펐어 > 그래서 편지를 써.") }
    #expect(AILetter.withoutTokens("a <PERSON_1>b < c > d<e") == "a b  d<e")
    #expect(AILetter.withoutTokens("x <<DATE_1b>> y <") == "x <> y <")
  }
}
