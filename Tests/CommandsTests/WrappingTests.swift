import Testing

@testable import Commands

@Suite("Text in lines")
struct WrappingTests {
  @Test(
    "a line breaks between words where there are spaces, between characters where there are none",
    arguments: [
      ("one two three", 8, ["one two", "three"]), ("one two", 7, ["one two"]), ("a\n\nb c", 1, ["a", "", "b", "c"]),
      ("서로 믿을 수 있는 사이", 9, ["서로 믿을", "수 있는", "사이"]), ("약속을어겼다", 8, ["약속을어", "겼다"]),
      ("約束を忘れた。", 12, ["約束を忘れ", "た。"]), ("一時間も「待た", 10, ["一時間も", "「待た"]),
      ("我忘了晚饭，也没", 10, ["我忘了晚", "饭，也没"]), ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]), ("  in the", 6, ["  in", "the"]),
      ("直す\u{A0}· 完成", 5, ["直", "す\u{A0}·", "完成"]), ("", 5, [""]), ("a   b", 3, ["a", "b"]), ("한a", 1, ["한", "a"]),
    ] as [(String, Int, [String])])
  func lines(_ text: String, _ width: Int, _ expected: [String]) { #expect(Wrapping.lines(text, width: width) == expected) }

  @Test("nothing is lost, and no line is too wide", arguments: [2, 5, 9, 40])
  func whole(_ width: Int) {
    let text =
      "I forgot 금요일 저녁 약속을 잊고 金曜日の夕食の約束を、忘れて 我忘了星期五的晚饭。 Kraftfahrzeughaftpflicht 👨‍👩‍👧👨‍👩‍👧 e\u{301}e\u{301}"
    let lines = Wrapping.lines(text, width: width)
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    for line in lines { #expect(cellWidth(line) <= width) }
  }
}
