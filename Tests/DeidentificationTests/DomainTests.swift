import Testing

@testable import Deidentification

/// The cases of the domain, and what must hold of tokens.
struct DomainTests {
  private func masked(_ text: String, _ names: [String], places: [String] = []) -> String {
    let masked = deidentify([text], listed: Listed(names: names, places: places))
    #expect(isExactly(masked.restore(masked.parts[0]).text, text))
    return masked.parts[0]
  }

  @Test(arguments: ["P!nk", "Ke$ha", "A&B", "Mai+Jo", "AC/DC", "O'Neil", "Sam-Lee", "R&B 소년", "김&박"])
  func aListedNameWithASignInItIsMaskedWhole(_ name: String) {
    #expect(masked("So \(name) came.", [name]) == "So <PERSON_1> came.")
    #expect(masked("So \(name) came.", [], places: [name]) == "So <PLACE_1> came.")
  }

  @Test func overlappingMatchesLeaveNoFragment() {
    #expect(masked("김민수2026-05-03 010-1234-5678", ["김민수"]) == "<PERSON_1><DATE_1> <PHONE_1>")
    #expect(masked("Eric's", ["Eric"]) == "<PERSON_1>'s")
    #expect(masked("Eric’s", ["Eric"]) == "<PERSON_1>’s")
    #expect(masked("Eric Erica Ericson", ["Eric", "Erica", "Ericson"]) == "<PERSON_1> <PERSON_2> <PERSON_3>")
    #expect(masked("민수 지훈 영희", ["민수", "지훈", "영희"]) == "<PERSON_1> <PERSON_2> <PERSON_3>")
    #expect(masked("5/3~5/7", []) == "<DATE_1>~<DATE_2>")
    #expect(masked("write to grace.kim@example.com, Grace", ["Grace"]) == "write to <EMAIL_1>, <PERSON_1>")
    #expect(masked("😀👨‍👩‍👧🇰🇷 민수가 👍🏽민수", ["민수"]) == "😀👨‍👩‍👧🇰🇷 <PERSON_1>가 👍🏽<PERSON_1>")
    #expect(masked("grace_kim, #GraceKim, grace.", ["Grace Kim", "Grace"]) == "<PERSON_1>, #<PERSON_1b>, grace.")
    #expect(masked("Elizabeth and Eliza", ["Eliza", "Elizabeth"]) == "<PERSON_1> and <PERSON_2>")
  }

  @Test func wordsThatAreNamesAndNamesThatAreWords() {
    let text = "Grace and Will may mark the bill on May 3. Information from Julian Park, Friday."
    let expected = "<PERSON_1> and <PERSON_2> may mark the bill on <DATE_1>. Information from <PERSON_3>, Friday."
    #expect(masked(text, ["Grace", "Will"]) == expected)
    #expect(masked(text, ["Grace", "Will", "Julian Park"]) == expected)
    #expect(masked("Will you wait? I will. Will, wait.", ["Will"]) == "Will you wait? I will. <PERSON_1>, wait.")
    #expect(masked("May I come on May 3 with May?", ["May"]) == "May I come on <DATE_1> with <PERSON_1>?")
  }

  @Test func aNameIsFoundInEveryForm() {
    #expect(masked("GRACE, grace’s, Ｇｒａｃｅ, ɡrace", ["Gracelyn", "Grace"]).hasPrefix("<PERSON_1>, grace’s, <PERSON_1b>"))
    #expect(masked("ZOË zoë Zoe\u{308} Ｚoë's", ["Zoë"]) == "<PERSON_1> <PERSON_1b> <PERSON_1c> <PERSON_1d>'s")
    let decomposed = "\u{1100}\u{1175}\u{11B7}\u{1106}\u{1175}\u{11AB}\u{1109}\u{116E}"  // 김민수
    #expect(masked(decomposed + "가 김민수를", ["김민수"]) == "<PERSON_1>가 <PERSON_1b>를")
    #expect(masked("김민수가", [decomposed]) == "<PERSON_1>가")
    #expect(masked("김 민수가 민수야 민\u{200B}수도", ["김민수"]) == "<PERSON_1>가 <PERSON_1b>야 <PERSON_1c>도")
    #expect(masked("ﾏｲｹﾙさん マイケル", ["マイケル"]) == "<PERSON_1>さん <PERSON_1b>")
    #expect(masked("julian park, Park, JulianPark, Park Julian", ["Julian Park"]).contains("ark") == false)
  }

  @Test func aTitleStaysOutside() {
    #expect(masked("김 부장님이 김부장한테", ["김 부장님"]) == "<PERSON_1> 부장님이 <PERSON_1>부장한테")
    #expect(masked("田中さんと田中が", ["田中さん"]) == "<PERSON_1>さんと<PERSON_1>が")
    #expect(masked("王老师说", ["王老师"]) == "<PERSON_1>老师说")
    #expect(masked("小王说", ["小王"]) == "<PERSON_1>说")
    #expect(masked("Dr. Park and Ms. Park", ["Dr. Park"]) == "Dr. <PERSON_1> and Ms. <PERSON_1>")
    #expect(masked("서연이 엄마가", ["서연 엄마"]) == "<PERSON_1>이 엄마가")
  }

  @Test func oneThingIsOneTokenInAllTexts() {
    let texts = ["김민수 씨가 5월 3일에", "민수야, 5월 3일 기억해?", "그 사람", "김민수"]
    let masked = deidentify(texts)
    #expect(masked.parts == ["<PERSON_1> 씨가 <DATE_1>에", "<PERSON_1b>야, <DATE_1> 기억해?", "그 사람", "<PERSON_1>"])
    #expect(masked.tokens.map(\.text) == ["<PERSON_1>", "<DATE_1>", "<PERSON_1b>"])
    #expect(masked.tokens.map(\.occurrences) == [2, 2, 1])
  }

  @Test func placesAreMaskedWhereListed() {
    #expect(masked("한강공원에서 Central Park까지", [], places: ["한강공원", "Central Park"]) == "<PLACE_1>에서 <PLACE_2>까지")
    #expect(masked("一起去了外滩", [], places: ["外滩"]) == "一起去了<PLACE_1>")
  }

  @Test(arguments: [
    ("민지", true), ("민지야", true), ("엄마", false), ("여보", false), ("어머님", false), ("민지 😊", true), ("my love", false), ("Sam", true),
    ("Mrs. Han", true),
    ("お姉ちゃん", false), ("お義母様", false), ("お母さん", false), ("ゆうちゃん", true), ("小雨", true), ("妈", false), ("“Bear”", true),
    ("{you}", false), ("سارة", true), ("Tom", true),
    ("우리 딸", false), ("Mom", false), ("사랑하는 하늘", true), ("亲爱的", false), ("田中さん", true),
  ])
  func theAddresseeIsANameUnlessItOnlySaysWhatTheOtherIs(_ addressee: String, _ isName: Bool) {
    let masked = deidentify([addressee], listed: Listed(addressee: addressee))
    #expect(masked.tokens.isEmpty != isName, "\(masked.parts)")
  }

  @Test func nothingDescribesItself() {
    let masked = deidentify(["김민수가 왔다"], listed: Listed(names: ["김민수"]))
    #expect("\(masked)\(masked.restore(""))\(Listed(names: ["김민수"]))" == "‹withheld›‹withheld›‹withheld›")
    #expect(String(reflecting: masked) == "‹withheld›")
    var dumped = ""
    dump(masked, to: &dumped)
    dump(masked.restore(masked.parts[0]), to: &dumped)
    #expect(!dumped.contains("민수"))
  }
}
