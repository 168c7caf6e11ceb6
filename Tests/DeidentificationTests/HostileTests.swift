import Glibc
import Testing

@testable import Deidentification

/// Texts that were made to take long or to break something.
struct HostileTests {
  private static let pieces = [
    "0", "1 ", "1-", "1/", "12.", "12:", "<", "<PERSON_", "<PERSON_1", "[(<《", "&lt;", "\\", "김", "김 ", "김민수", "동로길 1", "서울시 ",
    "@", "a@", "a.", "a", "a.com ", "漢", "省市区路", "路1", "1号", "一", "三月", "田中", "さん", "ゆう", "ア",
    "小王", "王老师", "Aa ", "Mr. ", "Sarah ", "Anna-", "1 Main St ", "st ", "may 3 ", "account ", "account 1", "카톡 ", "e\u{301}",
    "\u{301}", "\u{1100}\u{1161}\u{11A8}", "://", "http://a", "+1", "(1)", "\u{200B}", "😀", "AA11", "DE89 3704 0044 ",
    "시", "열시 ", "\n", "\"", "`", "은행", "Will ", "5월 3일", "令和", "1丁目", "〒", "씨 ", "이가 ", "@a", "<1>", "&#60;", "PERSON_1 ",
  ]

  private static func long(_ piece: String, _ count: Int) -> String {
    String(
      String.UnicodeScalarView(
        String(repeating: piece, count: count / piece.unicodeScalars.count + 1).unicodeScalars.prefix(count)))
  }

  /// What this thread has computed, whoever else does.
  private static func threadMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  @Test(arguments: pieces)
  func aLongTextComesBackAndItsTimeGrowsWithItsLength(_ piece: String) {
    let listed = Listed(names: (0..<100).map { "김민\($0)수" } + ["김민수", "Grace"])
    var times: [Double] = []
    for count in [500, 4_000] {
      let text = Self.long(piece, count)
      var best = Double.infinity
      for _ in 0..<2 {
        let start = Self.threadMilliseconds()
        _ = deidentify([text], listed: listed).restore(text)
        best = min(best, Self.threadMilliseconds() - start)
      }
      times.append(best)
      let masked = deidentify([text], listed: listed)
      #expect(isExactly(masked.restore(masked.parts[0]).text, text))
    }
    // Eight times as long: a time that grew with the square would be 64 times as long.
    #expect(times[1] < times[0] * 20 + 20, "\(times)")
  }

  @Test func everySyllableAndEveryIdeograph() {
    for range in [0xAC00...0xD7A3, 0x4E00...0x9FFF] as [ClosedRange<UInt32>] {
      let text = String(String.UnicodeScalarView(range.compactMap(Unicode.Scalar.init)))
      let masked = deidentify([text])
      #expect(isExactly(masked.restore(masked.parts[0]).text, text))
    }
  }

  @Test func emptyAndBlankNamesHideNothing() {
    let masked = deidentify(
      ["안녕 a b", ""], listed: Listed(names: ["", " ", "\u{200B}", "-", "\n", "()"], places: ["", "."], addressee: " "))
    #expect(masked.parts == ["안녕 a b", ""] && masked.tokens.isEmpty)
    #expect(deidentify([]).parts.isEmpty)
  }

  @Test func noNumberIsSoLargeThatItTraps() {
    let sent = deidentify(
      ["민수 <PERSON_99999999999999999999> PERSON_\(String(repeating: "9", count: 400))"], listed: Listed(names: ["민수"]))
    #expect(sent.parts[0].hasPrefix("<PERSON_1> "))
    #expect(sent.restore("<PERSON_99999999999999999999>").text == "<PERSON_99999999999999999999>")
    let far = "<PERSON_1\(String(repeating: "z", count: 100))>"
    #expect(sent.restore(far).text == far)
  }
}
