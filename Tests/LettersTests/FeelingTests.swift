import Testing

@testable import Letters

@Suite("Feelings")
struct FeelingTests {
  private func told(
    _ feelings: [String], _ language: LetterLanguage, _ register: LetterRegister = .casual, kind: ConflictKind = .friends
  )
    -> [String]
  {
    (1...4).map { iteration in
      let answers = LetterAnswers(journalId: "f", conflictKind: kind, situation: "", feelings: feelings, hurt: "", need: "")
      let request = LetterRequest(answers: answers, tone: .concise, register: register, language: language, iteration: iteration)
      let paragraphs = composeLetter(request).content.split(separator: "\n\n")
      return paragraphs.count > 1 ? String(paragraphs[1]) : ""
    }
  }

  @Test(
    arguments: [
      (["lonely", "downhearted"], LetterLanguage.ko, "외롭고 서운했어."), (["lonely", "hurt", "heavy"], .ko, "마음이 아프고 무겁고 외로웠어."),
      (["sad", "lonely", "worried", "empty", "tired"], .ko, "허전하고 지치기도 했어."),
      (["sorry", "guilty", "ashamed"], .ko, "죄책감과 미안하고 부끄러운 마음이 들어."),
      (["guilty"], .ko, "죄책감이 들어."), (["grateful", "longing"], .ko, "고맙고 그리운 마음이 들어."), (["sad", "relieved"], .ko, "안도감도 있어."),
      (["sad", "relieved", "grateful"], .ko, "안도감과 고마운 마음도 있어."), (["uneasy"], .ko, "마음이 편치 않았어."),
      (["sad", "lonely", "worried"], .en, "I felt sad, lonely, and worried."),
      (["sad", "lonely"], .en, "I felt sad and lonely."),
      (["longing"], .en, "I feel full of longing."), (["sad", "anxious", "upset"], .ja, "悲しくて、不安で、つらかった。"),
      (["guilty"], .ja, "罪悪感"),
      (["sad", "sorry", "regretful"], .ja, "申し訳ない気持ちと後悔も"), (["sad", "lonely", "worried"], .zhHans, "我感到难过、孤单和担心。"),
      (["guilty", "regretful"], .zhHans, "我觉得很内疚，也很后悔。"), (["guilty", "regretful", "sorry"], .zhHans, "我觉得很内疚、很后悔、很抱歉。"),
      (["grateful", "hopeful"], .zhHans, "我心里有感激和期待。"), (["embarrassed"], .zhHans, "我觉得很难为情。"),
    ])
  func joining(_ feelings: [String], _ language: LetterLanguage, _ expected: String) {
    for sentence in told(feelings, language) { #expect(sentence.contains(expected), "\(sentence)") }
  }

  @Test func japaneseWithNothingBefore() {
    for sentence in told(["guilty"], .ja) {
      #expect(sentence.hasSuffix("罪悪感がある。") || sentence.hasSuffix("罪悪感を感じている。"), "\(sentence)")
    }
    for sentence in told(["grateful", "hopeful"], .ja, .polite) {
      #expect(sentence.hasSuffix("感謝の気持ちと希望があります。") || sentence.hasSuffix("感謝の気持ちと希望を感じています。"), "\(sentence)")
    }
  }

  @Test func humbleKorean() {
    for sentence in told(["sad", "sorry", "grateful"], .ko, .polite, kind: .parentChild) {
      #expect(sentence.contains("죄송한 마음이 들어요.") && sentence.contains("감사한 마음도 있어요."), "\(sentence)")
    }
    for sentence in told(["sad", "sorry"], .ko, .polite, kind: .couple) {
      #expect(sentence.contains("미안한 마음이 들어요."), "\(sentence)")
    }
    for sentence in told(["sorry", "embarrassed"], .ko, .polite, kind: .inLaws) {
      #expect(sentence.contains("죄송하고 민망한 마음이 듭니다."), "\(sentence)")
    }
  }

  @Test func ownWords() {
    for sentence in told(["meh.", "ugh", "hm"], .en) { #expect(sentence.contains("“meh”, “ugh”, and “hm”"), "\(sentence)") }
    for sentence in told(["sad", "a“b"], .en) { #expect(sentence.contains("‘a“b’"), "\(sentence)") }
    for sentence in told(["“찬밥”"], .ko) { #expect(sentence.contains("“찬밥”, "), "\(sentence)") }
    for sentence in told(["もやもや", "ぐるぐる"], .ja) { #expect(sentence.contains("「もやもや」「ぐるぐる」"), "\(sentence)") }
    for sentence in told(["حزين"], .zhHans) { #expect(sentence.contains("“\u{2068}حزين\u{2069}”"), "\(sentence)") }
    for sentence in told(["sad", "‘left out’"], .ja) {
      #expect(sentence.contains("‘left out’") && !sentence.contains("「"), "\(sentence)")
    }
    for (language, single) in [(LetterLanguage.en, "a word"), (.ko, "한마디"), (.ja, "ひと言"), (.zhHans, "一个词")] {
      let sentences = told(["meh", "hm"], language)
      #expect(!sentences.contains { $0.contains(single) })
      #expect(!zip(sentences, sentences.dropFirst()).contains { $0 == $1 })
    }
    for sentence in told(["two\nlines"], .en) { #expect(sentence.contains("“two lines”"), "\(sentence)") }
  }

  @Test func sameFeelingOnce() {
    let feelings = Feelings(["sad", "슬픔", " SAD ", "悲しい", "难过", "ugh", "Ugh"], language: .en)
    #expect(feelings.main == [.sad])
    #expect(feelings.words == ["ugh"])
    #expect(Feelings(["不安"], language: .zhHans).main == [.uneasy])
    #expect(Feelings(["不安"], language: .ja).main == [.anxious])
    #expect(Feelings(["…"], language: .en).words.isEmpty)
  }

  @Test func fortyCodes() {
    #expect(BuiltInFeeling.allCases.count == 40)
    for feeling in BuiltInFeeling.allCases {
      for language in LetterLanguage.allCases {
        #expect(BuiltInFeeling(matching: feeling.label(in: language), language: language) == feeling)
      }
      #expect(BuiltInFeeling(matching: feeling.code, language: .ko) == feeling)
    }
    #expect(BuiltInFeeling.tender.label(in: .en) == "tenderness")
    #expect(BuiltInFeeling(matching: "full of longing", language: .en) == .longing)
  }

  @Test(
    arguments: [
      "ignored", "totally ignored", "무시당한", "내 말을 안 들어 준", "투명 인간 같은", "仲間外れにされた", "責められた", "被当成理所当然", "像空气一样", "used",
      "taken for granted", "没面子",
      "쓸모없는", "軽く扱われた", "被敷衍", "neglected", "バカにされた",
    ])
  func judgements(_ word: String) { #expect(DisguisedJudgement.isNamed(in: word)) }

  @Test(arguments: ["confused", "meh", "억울", "委屈", "悔しい", "서운", "눈치 보임", "堵得慌", "もやもや", "bruised ego"])
  func noJudgements(_ word: String) { #expect(!DisguisedJudgement.isNamed(in: word)) }
}

@Suite("The own part")
struct OwnPartTests {
  @Test(
    arguments: [
      ("I should have called.", AfterLine.apology), ("My fault.", .apology), ("알람을 맞췄어야 했다.", .apology), ("내 잘못이야.", .apology),
      ("言いすぎた。", .apology),
      ("ひとこと聞けばよかった。", .apology), ("我应该早说。", .apology), ("我太冲动了", .apology), ("I left early.", .neutral), ("먼저 나왔다.", .neutral),
      ("先に帰った。", .neutral), ("我先走了。", .neutral), ("It wasn’t my fault.", .none), ("I did nothing wrong.", .none),
      ("나는 잘못한 게 없어.", .none),
      ("내 잘못은 없다", .none), ("悪くないと思う。", .none), ("我没错。", .none), ("不是我的错", .none), ("I’m not sorry.", .none), ("미안하지 않아.", .none),
      ("You should have called.", .neutral), ("네 잘못이야.", .neutral), ("你应该早点说。", .neutral), ("相手が悪かった。", .neutral),
    ])
  func gate(_ reflection: String, _ expected: AfterLine) {
    #expect(AfterLine(reflection: reflection, feelings: Feelings([], language: .en)) == expected)
  }

  @Test func tagsOpenTheGate() {
    for code in ["guilty", "sorry", "ashamed", "regretful"] {
      #expect(AfterLine(reflection: "I left.", feelings: Feelings([code], language: .en)) == .apology)
      #expect(AfterLine(reflection: "Not my fault.", feelings: Feelings([code], language: .en)) == .none)
    }
    #expect(AfterLine(reflection: "I left.", feelings: Feelings(["embarrassed"], language: .en)) == .neutral)
  }

  @Test func placeOfTheAfterLine() {
    func paragraph(_ reflection: String, _ language: LetterLanguage) -> [Substring] {
      let answers = LetterAnswers(
        journalId: "o", conflictKind: .friends, situation: "", feelings: [], hurt: "", reflection: reflection, need: "")
      let content = composeLetter(LetterRequest(answers: answers, tone: .concise, language: language)).content
      return Array(content.split(separator: "\n\n").dropFirst(2).dropLast())
    }
    #expect(paragraph("I left the room early.", .en).count == 1)
    #expect(paragraph("left early", .en).count == 1)
    #expect(paragraph("left the house so early 😢", .en).count == 2)
    #expect(paragraph("one\ntwo", .en).count == 3)
    #expect(paragraph("黙っていたこと、ずっと", .ja).map { $0.split(separator: "\n").count } == [2])
    #expect(paragraph("黙って先に帰ってしまった。", .ja).map { $0.split(separator: "\n").count } == [1])
  }
}
