import Testing

@testable import Letters

@Suite("Cleaning and marks")
struct TextTests {
  @Test(
    arguments: [
      ("  a \r\n\r\n\r\n b\t", "a\n\nb"), ("a\rb\u{2028}c", "a\nb\nc"), ("a\u{0}b\u{7}c", "abc"),
      ("\u{1112}\u{1161}\u{11AB}", "한"),
      ("👨‍👩‍👧 ❤️", "👨‍👩‍👧 ❤️"), ("a\tb", "a b"), ("\n\n a", "a"),
    ])
  func cleaning(_ text: String, _ expected: String) {
    #expect(cleaned(text) == expected)
    #expect(cleaned(text).map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
  }

  @Test(arguments: ["", " \n ", "…", "?", "-", "%@", "\u{200B}"])
  func nothingLeft(_ text: String) { #expect(cleaned(text) == nil) }

  @Test(
    arguments: [
      "None", "nothing.", "N/A", "I don’t know", "i dont know…", "skip", "-", "?", "없음", "딱히 없음.", "모르겠어요", "なし", "特に なし。",
      "わかりません", "没有", "没什么。", "暂无",
      "ＮＯＮＥ",
    ])
  func skipped(_ text: String) { #expect(isSkippedInWords(text)) }

  @Test(arguments: ["No call from me.", "없던 일로 하자고 했다", "没有打电话", "nothing but silence"])
  func notSkipped(_ text: String) { #expect(!isSkippedInWords(text)) }

  @Test(
    arguments: [
      ("I was late", "I was late."), ("late...", "late..."), ("늦었어ㅠㅠ", "늦었어ㅠㅠ"), ("late ;", "late."), ("遅れた", "遅れた。"),
      ("我迟到了", "我迟到了。"), ("sad 😢", "sad 😢"),
      ("said “go”", "said “go”."), ("said “go.”", "said “go.”"), ("(late)", "(late)"), ("유감^^", "유감^^"), ("楽しかった笑", "楽しかった笑"),
      ("늦었어~", "늦었어~"), ("so:", "so."),
      ("나도,", "나도."), ("遅刻、", "遅刻。"),
    ])
  func stops(_ text: String, _ expected: String) { #expect(withStop(text, quotedIn: nil) == expected) }

  @Test func stopsInJapaneseQuotes() {
    #expect(withStop("遅れた。", quotedIn: .ja) == "遅れた")
    #expect(withStop("遅れた", quotedIn: .ja) == "遅れた")
    #expect(withStop("遅れた……。。", quotedIn: .ja) == "遅れた……。。")
    #expect(withStop("遅れた！", quotedIn: .ja) == "遅れた！")
    #expect(withStop("我迟到了", quotedIn: .en) == "我迟到了。")
  }

  @Test func languages() {
    #expect(TextLanguage(of: "Tom이랑 밥") == .ko)
    #expect(TextLanguage(of: "料理のこと") == .ja)
    #expect(TextLanguage(of: "尊重") == .zh)
    #expect(TextLanguage(of: "je t’aime") == .en)
    #expect(TextLanguage(of: "Привет") == .other)
    #expect(TextLanguage(of: "12 😢") == .none)
  }

  @Test func folding() {
    func string(_ text: String) -> String { folded(text).reduce(into: "") { $0.unicodeScalars.append($1) } }
    #expect(string("ＤＶ　ﾊﾞｶ’s\n X") == "dv バカ's x")
    #expect(string("ｽﾄｰｶｰ ﾚｲﾌﾟ") == "ストーカー レイプ")
    #expect(string("k\u{200B}ill\u{FE0F}") == "kill")
  }

  @Test func matcher() {
    let matcher = PhraseMatcher(anywhere: ["bc"], startingWords: ["kill me", "threw…at me"], words: ["gun"])
    for text in ["abcd", "they'd kill me", "threw a plate at me", "a gun."] { #expect(matcher.matches(folded(text))) }
    for text in ["b c", "overkill me", "begun", "guns", "threw a very very long sentence at me", ""] {
      #expect(!matcher.matches(folded(text)))
    }
    let rest = matcher.removing(from: folded("a gun, abcd")).reduce(into: "") { $0.unicodeScalars.append($1) }
    #expect(rest == "a \u{FFFC}, a\u{FFFC}d")
  }

  @Test func sameness() {
    #expect(saysTheSame("We were late.", "we  were LATE"))
    #expect(!saysTheSame("…", "!"))
  }
}

@Suite("Frames")
struct FramingTests {
  private func frame(_ text: String, _ language: LetterLanguage, _ voice: Voice = .casual, respectful: Bool = false) -> Frame {
    Letters.frame(for: text, in: FramingContext(language: language, voice: voice, respectful: respectful))
  }

  @Test func english() {
    #expect(frame("I forgot the dinner.", .en) == .ownVoice)
    #expect(frame("I forgot her dinner.", .en) == .note)
    #expect(frame("I forgot the dinner", .en) == .note)
    #expect(frame("I forgot it.", .en) == .note)
    #expect(frame("I forgot", .en) == .note)
    #expect(frame("Forgot dinner. Her face.", .en) == .note)
    #expect(frame("my cooking", .en) == .word)
    #expect(frame("to be safe", .en) == .word)
    #expect(frame("forgot", .en) == .word)
    #expect(frame("said nothing", .en) == .note)
    #expect(frame("slammed the door", .en) == .note)
    #expect(frame("the table, again", .en) == .note)
    #expect(frame("the word “never” again", .en) == .block)
    #expect(frame("one\ntwo", .en) == .block)
    #expect(frame(String(repeating: "ab ", count: 60), .en) == .block)
  }

  @Test func korean() {
    #expect(frame("내가 늦었어. 미안해.", .ko) == .ownVoice)
    #expect(frame("내가 늦었어.", .ko, .polite) == .note)
    #expect(frame("제가 늦었어요.", .ko, .formal) == .note)
    #expect(frame("제가 늦었습니다.", .ko, .formal) == .ownVoice)
    #expect(frame("내가 늦었다.", .ko) == .note)
    #expect(frame("편하게 지내기", .ko, .formal) == .word)
    #expect(frame("배고프다", .ko) == .note)
    #expect(frame("‘우리’", .ko) == .note)
    #expect(frame(String(repeating: "그 말, ", count: 20), .ko) == .block)
  }

  @Test func japaneseAndChinese() {
    #expect(frame("連絡しなかった。", .ja) == .ownVoice)
    #expect(frame("連絡しなかった。", .ja, .polite) == .note)
    #expect(frame("料理のこと", .ja) == .word)
    #expect(frame("「もう」と言われた", .ja) == .ownVoice)
    #expect(frame("「もう」の一言", .ja) == .block)
    #expect(frame("尊重", .ja) == .word)
    #expect(frame("我应该早点说的", .zhHans) == .note)
    #expect(frame("我应该早点跟你说的", .zhHans) == .ownVoice)
    #expect(frame("我应该早点跟你说的", .zhHans, .polite, respectful: true) == .note)
    #expect(frame("我们都没跟你们说清楚", .zhHans, .polite, respectful: true) == .ownVoice)
    #expect(frame("我很累", .zhHans) == .note)
    #expect(frame("面子", .zhHans) == .word)
  }

  @Test func everyLanguage() {
    for language in LetterLanguage.allCases {
      #expect(frame("😢", language) == .word)
      #expect(frame("الاحترام", language) == .block)
      #expect(frame("Привет, как дела", language) == .note)
      #expect(frame(language == .en ? "내가 늦었어." : "I was late, you know.", language) == .note)
      #expect(frame(", and then I left you.", language) == .note)
    }
  }

  @Test func capitalOfTheFirstLetter() {
    func letter(_ situation: String) -> String {
      let answers = LetterAnswers(
        journalId: "c", conflictKind: .friends, situation: situation, feelings: ["sad"], hurt: "x", need: "y")
      return composeLetter(LetterRequest(answers: answers, language: .en)).content
    }
    #expect(letter("we had a plan for Sunday.").contains(" We had a plan for Sunday."))
    #expect(letter("iPhones on the table, and you silent.").contains(" iPhones on the table, and you silent."))
  }
}
