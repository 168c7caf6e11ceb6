import KindVerbAPI
import Testing

@testable import KindVerb

/// A journal that is complete.
func completedJournal(
  _ type: ConflictType = .friends, situation: String = "I forgot our dinner and did not call.", feelings: [String] = ["sad"],
  hurt: String = "You waited for an hour.", reflection: String? = nil, need: String = "To rely on each other.",
  addressee: String? = nil
) -> JournalRecord {
  var journal = JournalRecord(id: "b1f7a1c3-57f4-4a8e-9d02-6f5d2a3c4e18", conflictType: type, createdAt: 0)
  journal.situation = situation
  journal.feelings = feelings
  journal.hurt = hurt
  journal.reflection = reflection
  journal.need = need
  journal.addressee = addressee
  return journal
}

@Suite("What an AI is told") struct AIPromptTests {
  private func instruction(
    _ language: Language, _ register: Register = .casual, _ journal: JournalRecord = completedJournal(),
    tone: Tone = .neutralWarm
  ) -> String {
    AIPrompt.instruction(
      LetterWish(tone: tone, register: register, language: language, iteration: 1), AIMaterial(journal, people: []))
  }

  private func firstLine(_ language: Language, _ register: Register, _ journal: JournalRecord) -> String {
    let wish = LetterWish(tone: .softer, register: register, language: language, iteration: 1)
    return String(AIPrompt.notes(AIMaterial(journal, people: []), wish).prefix { !$0.isNewline })
  }

  @Test(
    "how one speaks, by language, register and relationship",
    arguments: [
      (.en, .casual, .couple, ["with contractions", "neither \"but\" nor \"however\""], ["without contractions"]),
      (.en, .polite, .couple, ["without contractions", "That is how it felt"], ["That’s"]),
      (.ko, .casual, .siblings, ["해체", "no 너, 네, 니, 당신", "하지만", "뜻이야."], ["해요체", "합니다체"]),
      (.ko, .polite, .friends, ["해요체 with -시-", "미안해요", "뜻이에요."], ["합니다체", "죄송"]),
      (.ko, .polite, .parentChild, ["해요체 with -시-", "죄송해요"], ["합니다체", "미안해요"]),
      (.ko, .polite, .inLaws, ["합니다체 with -시-", "죄송합니다", "뜻입니다."], ["해요체", "해체"]),
      (.ja, .casual, .couple, ["タメ口", "no 僕, 俺, 私", "no あなた, 君, お前, そっち", "never with 〜てほしい"], ["です・ます"]),
      (.ja, .polite, .parentChild, ["です・ます", "with 私 for the writer", "no あなた"], ["タメ口", "no 僕"]),
      (.zhHans, .casual, .inLaws, ["Say 你 throughout, never 您", "不过"], ["Say 您"]),
      (.zhHans, .polite, .friends, ["Say 你 throughout, never 您", "politely"], ["Say 您"]),
      (.zhHans, .polite, .couple, ["Say 你 throughout"], ["Say 您"]),
      (.zhHans, .polite, .siblings, ["Say 你 throughout"], ["Say 您"]),
      (.zhHans, .polite, .parentChild, ["Say 您 throughout, never 你"], ["Say 你"]),
      (.zhHans, .polite, .inLaws, ["Say 您 throughout, never 你"], ["Say 你"]),
    ] as [(Language, Register, ConflictType, [String], [String])])
  func speech(language: Language, register: Register, type: ConflictType, has: [String], hasNot: [String]) {
    let text = instruction(language, register, completedJournal(type))
    for word in has { #expect(text.contains(word), Comment(rawValue: word)) }
    for word in hasNot { #expect(!text.contains(word), Comment(rawValue: word)) }
  }

  @Test("您 in an answer makes the whole letter say it, and no other language")
  func respect() {
    let journal = completedJournal(situation: "您没敲门就进来了")
    #expect(instruction(.zhHans, .casual, journal).contains("Say 您 throughout, never 你"))
    #expect(!instruction(.en, .casual, journal).contains("您"))
  }

  @Test(
    "the address line is made here, its name masked",
    arguments: [
      (.en, .casual, "Sam", "Hi <PERSON_1>,"), (.en, .polite, "Sam", "Dear <PERSON_1>,"),
      (.ko, .casual, "민지", "<PERSON_1>에게"), (.ja, .casual, "健太", "<PERSON_1>へ"), (.zhHans, .casual, "小雨", "<PERSON_1>："),
    ] as [(Language, Register, String, String)])
  func address(language: Language, register: Register, name: String, line: String) {
    let journal = completedJournal(addressee: name)
    #expect(firstLine(language, register, journal) == "The letter's first line: \(line)")
    let told = instruction(language, register, journal)
    #expect(told.contains("begin with the first line that is given"))
    #expect(!told.contains(name))
  }

  @Test("the form goes by the name that is not seen: 께 for an elder, no へ after 様, and nothing is added to 민지야")
  func forms() {
    #expect(firstLine(.ko, .polite, completedJournal(.inLaws, addressee: "어머님")).hasSuffix("께"))
    #expect(firstLine(.ko, .polite, completedJournal(.inLaws, addressee: "김민지 부장님")).hasSuffix("님께"))
    #expect(firstLine(.ja, .polite, completedJournal(.inLaws, addressee: "お義母様")).hasSuffix("様"))
    #expect(firstLine(.ko, .casual, completedJournal(addressee: "민지야")).hasSuffix("야,"))
  }

  @Test("nobody to address: no line, no greeting", arguments: Language.allCases)
  func unaddressed(language: Language) {
    let journal = completedJournal()
    #expect(firstLine(language, .casual, journal).hasPrefix("What happened: "))
    let told = instruction(language, .casual, journal)
    #expect(told.contains("no address line, no greeting") && !told.contains("first line that is given"))
  }

  @Test("the other is never called a friend, and own words that judge stay the writer's reading")
  func rules() {
    let told = instruction(.en)
    #expect(told.contains("never call the other a friend"))
    #expect(!instruction(.en, .casual, completedJournal(.couple)).contains("friend"))
    #expect(told.contains("ignored, betrayed, used") && told.contains("“That’s how it felt from my side.”"))
    #expect(told.contains("the other may remember it differently") && told.contains("It can be declined"))
  }

  private static let dangers = [
    "He hit me and choked me.", "I wanted to kill myself.", "She told me not to contact her.", "그가 나를 때렸다", "死にたいと思った", "他把我拉黑了",
  ]

  @Test("where the answers speak of danger, nothing brings the two closer", arguments: dangers, Tone.allCases)
  func danger(text: String, tone: Tone) {
    for journal in [
      completedJournal(.couple, situation: text), completedJournal(hurt: text), completedJournal(reflection: text),
      completedJournal(need: text),
    ] {
      for language in Language.allCases {
        let told = instruction(language, .polite, journal, tone: tone)
        #expect(told.contains("Urge no reconciliation and no meeting. Request no contact"))
        #expect(told.contains("Do not apologise on the writer's behalf"))
        #expect(told.contains("End by saying that no answer is needed."))
        for word in [
          "request is for contact", "short talk", "remember it differently", "Apologise only", "softer", "more room",
          "thanks for reading", "argument", "follow it with a sentence", "Word the request", "죄송", "감사",
        ] {
          #expect(!told.contains(word), Comment(rawValue: word))
        }
      }
    }
  }

  @Test("no language's, tone's or relationship's instruction is long, or holds a word of the answers")
  func size() {
    let journal = completedJournal(
      situation: "XQ-situation", feelings: ["XQ-feeling"], hurt: "XQ-hurt", reflection: "XQ-own", need: "XQ-need",
      addressee: "XQ-name")
    for language in Language.allCases {
      for register in Register.allCases {
        for type in ConflictType.allCases {
          var journal = journal
          journal.conflictType = type
          let told = instruction(language, register, journal)
          #expect(!told.contains("XQ-"))
          #expect(told.split(separator: "\n", omittingEmptySubsequences: false).count <= 70)
          #expect(told.utf8.count < 6_000)
        }
      }
    }
  }
}
