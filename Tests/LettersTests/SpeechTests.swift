import Testing

@testable import Letters

@Suite("Korean particles")
struct KoreanParticleTests {
  @Test(
    arguments: [
      ("민지", "는", "로"), ("지훈", "은", "으로"), ("서울", "은", "로"), ("값", "은", "으로"), ("4", "는", "로"), ("7", "은", "로"),
      ("10", "은", "으로"),
      ("3시", "는", "로"), ("2시간(오후)", "은", "으로"), ("KBS", "는", "로"), ("SM", "은", "으로"), ("NHL", "은", "로"), ("존중(尊重)", "은", "으로"),
      ("사과 😊", "는", "로"), ("ㅠㅠ", "는", "로"), ("ㅋㅋ", "은", "으로"), ("“네.”", "는", "로"), ("“응…”", "은", "으로"), ("길~", "은", "로"),
      ("\u{110C}\u{1175}\u{1112}\u{116E}\u{11AB}", "은", "으로"),
    ])
  func vectors(_ text: String, _ topic: String, _ toward: String) {
    #expect(koreanParticle(.topic, after: text) == topic)
    #expect(koreanParticle(.toward, after: text) == toward)
  }

  @Test(arguments: ["Tom", "ゆう", "😊", "", "Mike", "尊重"])
  func unknown(_ text: String) {
    for particle in KoreanParticle.allCases { #expect(koreanParticle(particle, after: text) == nil) }
  }

  @Test func everyParticle() {
    let vowel = ["는", "가", "를", "와", "로", "야", "라고", "라는", "랑", "나", "야"]
    let rieul = ["은", "이", "을", "과", "로", "아", "이라고", "이라는", "이랑", "이나", "이야"]
    let consonant = ["은", "이", "을", "과", "으로", "아", "이라고", "이라는", "이랑", "이나", "이야"]
    #expect(KoreanParticle.allCases.map { koreanParticle($0, after: "민지") } == vowel)
    #expect(KoreanParticle.allCases.map { koreanParticle($0, after: "서울") } == rieul)
    #expect(KoreanParticle.allCases.map { koreanParticle($0, after: "지훈") } == consonant)
  }
}

@Suite("Speech levels")
struct SpeechLevelTests {
  @Test(
    arguments: [
      ("그때 속상했어", SpeechLevel.casual), ("연락도 못 했는데", .casual), ("할 말이 없네", .casual), ("들어 줘", .casual), ("너무 힘들어ㅠㅠ", .casual),
      ("제가 늦었어요", .polite), ("그랬죠", .polite), ("늦었습니다", .formal), ("왜 그러셨습니까", .formal), ("연락하지 않았다", .diary), ("그게 아니다", .diary),
      ("서로의 이해", .fragment), ("우리의 화해", .fragment), ("긴 편지", .fragment), ("존중이 필요", .fragment), ("내가 늦었으니까", .fragment),
      ("그러고요", .polite), ("한 시간이나 기다리게 한 것", .fragment),
    ])
  func korean(_ sentence: String, _ level: SpeechLevel) {
    #expect(koreanLevel(of: sentence[...]) == level)
  }

  @Test(
    arguments: [
      ("連絡をしませんでした", SpeechLevel.polite), ("そうですよね", .polite), ("うれしいです", .polite), ("聞けばよかった", .casual), ("話したいんだ", .casual),
      ("寂しい", .fragment), ("言われたこと", .fragment), ("お正月の集まり", .fragment), ("つらい気持ち", .fragment), ("待っていたけど", .casual),
      ("教えてください", .polite),
    ])
  func japanese(_ sentence: String, _ level: SpeechLevel) {
    #expect(japaneseLevel(of: sentence[...]) == level)
  }

  @Test func sentencesEndOutsideQuotes() {
    #expect(sentences(of: "“그만. 됐어.” 그랬어. 3.5초였어~ 응!") == ["“그만. 됐어.” 그랬어", "3.5초였어", "응"])
    #expect(sentences(of: "一行目\n「もう。いい」と言った。") == ["一行目", "「もう。いい」と言った"])
    #expect(sentences(of: "…!?").isEmpty)
  }

  @Test func levelsMustAgree() {
    #expect(commonLevel(of: "내가 늦었어. 미안해요.", koreanLevel) == nil)
    #expect(commonLevel(of: "내가 늦었어. 미안해.", koreanLevel) == .casual)
  }

  @Test(
    arguments: [
      ("He left.", LetterLanguage.en, true), ("You said “he left”.", .en, false), ("There, then, when.", .en, false),
      ("상대가 갔어.", .ko, true),
      ("그릇을 받아내느라 늦었어.", .ko, false), ("아내가 갔어.", .ko, true), ("大丈夫だった。", .ja, false), ("夫が帰った。", .ja, true),
      ("其他的事，弹吉他。", .zhHans, false),
      ("他走了。", .zhHans, true),
    ])
  func thirdPerson(_ text: String, _ language: LetterLanguage, _ expected: Bool) {
    #expect(ThirdPerson.speaks(in: text, language: language) == expected)
  }
}

@Suite("Register and address")
struct AddressTests {
  @Test(
    arguments: [
      ("Sam", LetterLanguage.en, Voice.casual, "Hi Sam,"), ("Mrs. Han", .en, .polite, "Dear Mrs. Han,"),
      ("my love", .en, .polite, "My love,"),
      ("dear Sam", .en, .casual, "dear Sam,"), ("Hey you!", .en, .casual, "Hey you!"), ("Myra", .en, .casual, "Hi Myra,"),
      ("민지", .ko, .casual, "민지에게"), ("Tom", .ko, .casual, "Tom에게"), ("민지 😊", .ko, .casual, "민지 😊에게"),
      ("어머님", .ko, .formal, "어머님께"),
      ("할머니", .ko, .casual, "할머니께"), ("엄마", .ko, .casual, "엄마에게"), ("엄마", .ko, .polite, "엄마께"), ("민지야", .ko, .casual, "민지야,"),
      ("여보", .ko, .polite, "여보,"), ("선생님께", .ko, .polite, "선생님께"), ("누나한테", .ko, .casual, "누나한테"),
      ("お姉ちゃん", .ja, .casual, "お姉ちゃんへ"), ("お義母様", .ja, .polite, "お義母様"), ("ゆうへ", .ja, .casual, "ゆうへ"),
      ("ゆう、", .ja, .casual, "ゆう、"),
      ("小雨", .zhHans, .casual, "小雨："), ("妈！", .zhHans, .casual, "妈！"), ("سارة", .en, .casual, "Hi \u{2068}سارة\u{2069},"),
    ])
  func line(_ addressee: String, _ language: LetterLanguage, _ voice: Voice, _ expected: String) {
    let line = addressLine(addressee, language: language, voice: voice)
    #expect(line.before + line.name + line.after == expected)
  }

  @Test func defaults() {
    func register(_ language: LetterLanguage, _ kind: ConflictKind, _ addressee: String? = nil) -> LetterRegister {
      defaultRegister(language: language, kind: kind, addressee: addressee)
    }
    for language in LetterLanguage.allCases {
      #expect(register(language, .inLaws) == .polite)
      #expect(register(language, .inLaws, "Sam") == .polite)
      for kind in [ConflictKind.friends, .couple, .siblings] { #expect(register(language, kind) == .casual) }
      #expect(register(language, .parentChild) == (language == .ja ? .polite : .casual))
    }
    for (language, addressee) in [
      (LetterLanguage.ko, "김 부장님"), (.ko, "지훈 씨"), (.ko, "어머니 😊"), (.ja, "田中先生"), (.ja, "山田さま"), (.zhHans, "王老师"),
      (.zhHans, "李总"),
      (.en, "Dr. Lee"), (.en, "mrs Han"),
    ] { #expect(register(language, .friends, addressee) == .polite) }
    #expect(register(.en, .friends, "Drew") == .casual)
    #expect(register(.ko, .friends, "민지") == .casual)
  }

  @Test func chosenRegisterWins() {
    var request = WorkedLetter.korean[2].request
    request.register = .casual
    #expect(composeLetter(request).register == .casual)
    #expect(!composeLetter(request).content.contains("습니다"))
    request.register = nil
    #expect(composeLetter(request) == composeLetter(WorkedLetter.korean[2].request))
  }
}
