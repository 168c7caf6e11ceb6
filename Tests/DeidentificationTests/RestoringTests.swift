import Testing

@testable import Deidentification

struct RestoringTests {
  private let sent = deidentify(["김민수가 5월 3일에 지훈이랑 왔다", "Grace"], listed: Listed(names: ["김민수", "지훈", "Grace"]))

  @Test func tokensAreNumberedAsTheyStand() {
    #expect(sent.parts == ["<PERSON_1>가 <DATE_1>에 <PERSON_2>이랑 왔다", "<PERSON_3>"])
  }

  @Test(arguments: [
    "<PERSON_1>", "<person_1>", "<Person_1>", "< PERSON_1 >", "<PERSON 1>", "<PERSON-1>", "<PERSON1>", "＜PERSON_1＞", "〈PERSON_1〉",
    "《PERSON_1》", "[PERSON_1]", "{PERSON_1}",
    "【PERSON_1】", "PERSON_1", "person_1", "&lt;PERSON_1&gt;", "&LT;PERSON_1&GT;", "`<PERSON_1>`", "`PERSON_1`", "<PERSON\\_1>",
    "PERSON\\_1", "\\<PERSON\\_1\\>", "<PERSON_01>", "<ＰＥＲＳＯＮ＿１>", "<PERSON_１>",
    "<사람_1>", "<인물_1>", "<人物_1>", "<人1>", "<人名_1>", "<PERSONA_1>", "<PERSON_1", "PERSON_1>", "</PERSON_1>", "<PERSON_1c>",
    "«PERSON_1»", "⟨PERSON_1⟩", "<PERSON: 1>",
  ])
  func aTokenThatCameBackChangedIsPutBack(_ token: String) {
    let answer = sent.restore("어제 \(token), 고마웠어.")
    #expect(answer.text == "어제 김민수, 고마웠어.")
    #expect(answer.unknown.isEmpty)
    #expect(answer.repaired.map(\.text) == (token.contains("<PERSON_1>") ? [] : ["<PERSON_1>"]))
    #expect(answer.missing.map(\.text) == ["<DATE_1>", "<PERSON_2>", "<PERSON_3>"])
  }

  @Test(arguments: ["<PERSON_9>", "<PLACE_1>", "<사람_7>", "<foo_1>", "PERSON_12", "<장소_1>"])
  func whatIsNoneOfOursIsLeftAndTold(_ token: String) {
    let answer = sent.restore("어제 \(token) 봤어.")
    #expect(answer.text == "어제 \(token) 봤어.")
    #expect(answer.unknown == [token])
  }

  @Test(arguments: [
    "person 1 of 2", "a <b> c", "no. 1", "[1]", "사람 1명", "i <3 you", "x_1", "PERSONS_1x", "[so 3]".filter { $0 != "!" },
  ])
  func whatOnlyResemblesATokenIsNoToken(_ text: String) {
    #expect(sent.restore(text).text == text)
  }

  @Test(arguments: [
    ("<PERSON_1>는 갔다", "김민수는 갔다"), ("<PERSON_1>은 갔다", "김민수는 갔다"), ("<PERSON_1>이 왔다", "김민수가 왔다"), ("<PERSON_2>가 왔다", "지훈이 왔다"),
    ("<PERSON_2>는", "지훈은"), ("<PERSON_2>를", "지훈을"),
    ("<PERSON_1>을 봤다", "김민수를 봤다"), ("<PERSON_2>와 나", "지훈과 나"), ("<PERSON_1>과 나", "김민수와 나"), ("<PERSON_2>야, 미안해", "지훈아, 미안해"),
    ("<PERSON_1>아, 미안해", "김민수야, 미안해"),
    ("<PERSON_2>로", "지훈으로"), ("<DATE_1>으로", "5월 3일로"), ("<DATE_1>는", "5월 3일은"), ("<PERSON_2>라고", "지훈이라고"),
    ("<PERSON_1>이라는 사람", "김민수라는 사람"), ("<PERSON_2>나", "지훈이나"),
    ("<PERSON_2>랑", "지훈이랑"), ("<PERSON_2>은(는)", "지훈은"), ("<PERSON_1>이(가)", "김민수가"), ("<PERSON_2>을(를)", "지훈을"),
    ("<PERSON_2>이가", "지훈이가"), ("<PERSON_1>이가", "김민수가"), ("<PERSON_2>와의", "지훈과의"),
    ("<PERSON_2>예요.", "지훈이에요."), ("<PERSON_1>에게", "김민수에게"), ("<PERSON_2>한테", "지훈한테"), ("<PERSON_3>는", "Grace는"),
    ("<PERSON_3>은", "Grace은"), ("<사람_2>가", "지훈이"), ("<PERSON_2> 가게", "지훈 가게"),
    ("<PERSON_1>의", "김민수의"), ("<DATE_1>로부터", "5월 3일로부터"), ("<PERSON_2>로부터", "지훈으로부터"), ("<PERSON_2>가족", "지훈가족"),
  ])
  func particlesAreSetRight(_ answer: String, _ expected: String) {
    #expect(sent.restore(answer).text == expected)
  }

  @Test func whatThePersonWroteAfterANameStays() {
    let sent = deidentify(["지훈가 민수이 왔다"], listed: Listed(names: ["지훈", "민수"]))
    #expect(sent.restore(sent.parts[0]).text == "지훈가 민수이 왔다")
    #expect(sent.restore("<PERSON_1>를").text == "지훈을")
  }

  @Test func whatLooksLikeATokenInThePersonsTextIsNeverOurs() {
    for own in [
      "<PERSON_1>", "<person_1>", "＜PERSON_1＞", "PERSON_1", "<사람_1>", "&lt;PERSON_1&gt;", "<DATE_1>", "`<PERSON_1>`",
      "<PERSON_1b>", "PERSON\\_1",
    ] {
      let text = "\(own) 민수 \(own)민수\(own)"
      let sent = deidentify([text], listed: Listed(names: ["민수"]))
      #expect(sent.tokens.map(\.number) == [2])
      let answer = sent.restore(sent.parts[0])
      #expect(isExactly(answer.text, text))
      #expect(answer.unknown.isEmpty && answer.repaired.isEmpty && answer.missing.isEmpty)
      #expect(sent.restore("<PERSON_2> \(own)").text == "민수 \(own)")
    }
  }

  @Test func whatIsPutBackIsNotLookedAtAgain() {
    let sent = deidentify(["<<민수>_1>, PERSON_민수, `민수`"], listed: Listed(names: ["민수", "PERSON_1"]))
    #expect(sent.restore(sent.parts[0]).text == "<<민수>_1>, PERSON_민수, `민수`")
    #expect(sent.restore("`<PERSON_1>`").text == "`민수`")
  }
}
