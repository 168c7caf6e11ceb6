import Testing

@testable import Letters

@Suite("Hints on answers")
struct HintTests {
  private func answers(
    situation: String = "x", feelings: [String] = ["sad"], hurt: String = "x", reflection: String? = nil, need: String = "x"
  ) -> LetterAnswers {
    LetterAnswers(
      journalId: "h", conflictKind: .friends, situation: situation, feelings: feelings, hurt: hurt, reflection: reflection,
      need: need)
  }

  @Test(
    "always and never, in every language",
    arguments: [
      "You always come late.", "I’ve NEVER been asked", "every time we meet", "항상 늦어", "맨날 그래", "늘 늦는다", "너는 늘.", "절대 안 들어",
      "한 번도 안 물어봤어",
      "한번도 없었다", "いつも遅い", "毎回そうだ", "絶対に聞かない", "一度も謝らない", "你总是迟到", "每次都这样", "从来不听", "老是忘记", "ｎｅｖｅｒ",
    ])
  func generalizations(_ text: String) {
    #expect(writingHint(on: .situation, of: answers(situation: text)) == .generalization)
    #expect(writingHint(on: .hurt, of: answers(hurt: text)) == .generalization)
    #expect(writingHint(on: .reflection, of: answers(reflection: text)) == .generalization)
    #expect(writingHint(on: .need, of: answers(need: text)) == nil)
    #expect(writingHint(on: .feelings, of: answers(feelings: [text])) == nil)
  }

  @Test(
    "words that only look like it",
    arguments: [
      "Nevertheless I went", "Never mind", "I should never have said it", "오늘 늦었어", "하늘이 흐렸다", "말이 늘었다", "마늘", "한 번 도와줬는데",
      "한 번 도착했다",
      "もう一度もどってきた", "一度もらった", "いつもらったか忘れた", "いつも通り出かけた", "自从来了这里", "老师来了", "我总算到了", "I was late on Friday.",
    ])
  func noGeneralizations(_ text: String) {
    #expect(writingHint(on: .situation, of: answers(situation: text)) == nil)
  }

  @Test(
    "a judgement offers what it may have been like inside",
    arguments: [
      ("ignored", [.lonely, .hurt, .frustrated]), ("무시당한", [.lonely, .hurt, .frustrated]),
      ("裏切られた", [.shocked, .hurt, .disappointed]),
      ("不被尊重", [.indignant, .hurt]), ("used", [.indignant, .disappointed]), ("투명 인간 같은", [.lonely, .downhearted]),
      ("like a failure", [.discouraged, .ashamed]), ("被骗", [.shocked, .disappointed]),
    ] as [(String, [BuiltInFeeling])])
  func judgements(_ word: String, _ offered: [BuiltInFeeling]) {
    #expect(writingHint(on: .feelings, of: answers(feelings: ["sad", word])) == .judgement(offered.filter { $0 != .sad }))
  }

  @Test("feelings that are named already are not offered, in whatever language they were written")
  func namedFeelings() {
    #expect(writingHint(on: .feelings, of: answers(feelings: ["lonely", "ignored"])) == .judgement([.hurt, .frustrated]))
    #expect(writingHint(on: .feelings, of: answers(feelings: ["ignored", "외로움", "hurt", "frustrated"])) == nil)
    #expect(writingHint(on: .feelings, of: answers(feelings: ["sad", "knotted inside"])) == nil)
    #expect(writingHint(on: .feelings, of: answers(feelings: [])) == nil)
  }

  @Test(
    "what the other must do is no need",
    arguments: [
      "Stop shouting at me", "that he'd stop", "I need you to listen for once", "I wanted her not to leave", "please don’t go",
      "소리 지르지 마", "그러지마세요", "늦지 말았으면", "그런 말은 하지 않았으면 좋겠다", "이제 그만해", "怒鳴らないでほしい", "無視しないで", "やめてください", "别再迟到了", "你不要骂我",
    ])
  func strategies(_ text: String) {
    #expect(writingHint(on: .need, of: answers(need: text)) == .strategy)
    #expect(writingHint(on: .situation, of: answers(situation: text)) == nil)
  }

  @Test(
    "needs stay as they are",
    arguments: [
      "That we can rely on each other.", "I wanted to be heard to the end.", "I'd like us both to be able to say no.", "trust",
      "I couldn't stop thinking",
      "끝까지 말할 수 있었으면", "끝까지 마음 놓고 쉬고 싶었다", "편지마다 답을 받고 싶었다", "하지만 믿고 싶어", "서로 솔직해지고 싶었다.", "心配しないでいられること", "最後まで話を聞いてほしかった。",
      "特别想被理解", "希望别人也能看见我的付出", "我想有人听我把话说完。",
    ])
  func needs(_ text: String) { #expect(writingHint(on: .need, of: answers(need: text)) == nil) }

  @Test("where an answer speaks of danger, nobody is told how to say it")
  func safety() {
    #expect(writingHint(on: .situation, of: answers(situation: "He always hits me")) == nil)
    #expect(writingHint(on: .situation, of: answers(situation: "You always come late.", hurt: "He threatened me.")) == nil)
    #expect(writingHint(on: .need, of: answers(hurt: "나를 때렸다", need: "때리지 마")) == nil)
  }
}
