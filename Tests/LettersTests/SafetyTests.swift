import Testing

@testable import Letters

@Suite("Safety")
struct SafetyTests {
  private func notices(_ text: String) -> [SafetyNotice] {
    safetyNotices(
      for: LetterAnswers(journalId: "s", conflictKind: .couple, situation: "x", feelings: ["sad"], hurt: text, need: "y"))
  }

  @Test(
    arguments: [
      "He hit me.", "She THREATENED to leave me outside", "he threw a cup at me", "there was a gun", "He raped me", "DV at home",
      "won’t let me leave",
      "I’ll kill you", "나를 때렸다", "아빠한테 맞았어", "발로 찼어", "칼을 들었다", "멍이 들었다", "죽여 버리겠다", "집에 가기 무서워", "殴られた", "首を絞められた", "ＤＶだと思う",
      "ｽﾄｰｶｰみたい", "性的なことを言われた", "他打了我", "被家暴", "拿刀", "弄死你", "不 敢 回 家", "殺してやる",
    ])
  func violence(_ text: String) { #expect(notices(text) == [.safety]) }

  @Test(arguments: [
    "I want to die", "kill myself", "better off without me", "죽고 싶다", "자해했다", "살고 싶지 않아", "死にたい", "消えたい", "不想活了", "我想死",
  ])
  func selfHarm(_ text: String) { #expect(notices(text) == [.safetySelf]) }

  @Test(arguments: ["You blocked me", "told me to leave him alone", "차단당했다", "연락하지 말라고 했다", "ブロックされた", "被拉黑", "别再联系我"])
  func noContact(_ text: String) { #expect(notices(text) == [.safetyContact]) }

  @Test(
    arguments: [
      "It hit me that I was late", "That beat me at chess", "It kills me that we wait", "The term had begun", "a grape",
      "the DVD", "회사를 때려치우고", "멍때리다가",
      "비폭력 대화", "殴り書きのメモ", "太鼓を叩いた", "非暴力", "你打我电话", "打我的电话没接", "他总是冷暴力", "想死你了", "任性的样子", "理性的に話した", "서운했어", "我很难过",
      "I felt sad.", "맞았던 답이 틀렸어",
    ])
  func exceptions(_ text: String) { #expect(notices(text).isEmpty) }

  @Test func everyAnswerIsRead() {
    let calm = LetterAnswers(
      journalId: "s", conflictKind: .couple, situation: "a", feelings: ["sad"], hurt: "b", reflection: "c", need: "d")
    var answers = [calm, calm, calm, calm, calm]
    answers[0].situation = "he hit me"
    answers[1].feelings = ["sad", "학대당한"]
    answers[2].hurt = "he hit me"
    answers[3].reflection = "he hit me"
    answers[4].need = "he hit me"
    for answer in answers { #expect(safetyNotices(for: answer) == [.safety]) }
    answers[0].hurt = "I want to die, and you blocked me"
    #expect(safetyNotices(for: answers[0]) == [.safety, .safetySelf, .safetyContact])
    #expect(safetyNotices(for: calm).isEmpty)
  }

  /// 22: nothing invites the other closer, takes half the blame or asks for a meeting.
  @Test(arguments: LetterLanguage.allCases)
  func plan(_ language: LetterLanguage) {
    let allowed: Set<Slot> = [
      .openingShort, .situationOwn, .situationNote, .situationWord, .felt, .feltMore, .regret, .warm, .wordFirst, .wordMore,
      .hurt, .hurtWord,
      .own, .ownWord, .need, .needWord, .closeSafe,
    ]
    for journal in MatrixJournal.all(for: language) {
      for tone in LetterTone.allCases {
        var answers = journal.answers
        answers.hurt = "He threatened me. 협박했다."
        let request = LetterRequest(answers: answers, tone: tone, language: language)
        let letter = Inspection(request, journal)
        #expect(composeLetter(request).notices == [.safety])
        #expect(allowed.isSuperset(of: letter.slots), "\(letter.slots)")
        #expect(letter.slots.last == .closeSafe)
        for notice in SafetyNotice.allCases {
          #expect(!letter.content.contains(safetyNoticeText(notice, language: language)))
        }
      }
    }
  }

  @Test func noticesAreCalm() {
    for notice in SafetyNotice.allCases {
      for language in LetterLanguage.allCases {
        let text = safetyNoticeText(notice, language: language)
        #expect(text.count > 30)
        #expect(!text.contains { "!?！？".contains($0) || ("0"..."9").contains($0) })
      }
    }
  }
}
