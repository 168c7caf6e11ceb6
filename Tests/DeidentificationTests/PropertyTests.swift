import Testing

@testable import Deidentification

/// Numbers that are the same on every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// Texts in which everything stands beside everything.
struct PropertyTests {
  private static let names = [
    "김민수", "이서연", "남궁훈정", "박 하늘", "Grace", "Will", "Julian Park", "Zoë", "田中太郎", "佐藤さん", "王小明", "小雨", "สมชาย", "Ольга", "سارة",
    "🐻",
  ]
  private static let places = ["한강공원", "Central Park", "外滩"]
  private static let forms = [
    "김민수", "민수", "김 민수", "\u{1100}\u{1175}\u{11B7}\u{1106}\u{1175}\u{11AB}\u{1109}\u{116E}", "이서연", "서연", "Grace", "GRACE",
    "Ｇｒａｃｅ", "Julian Park", "julian park", "Julian", "JulianPark",
    "Zoë", "Zoe\u{308}", "zoë", "田中太郎", "太郎", "王小明", "小明", "小雨", "สมชาย", "Ольга", "سارة", "🐻", "한강공원", "Central Park", "外滩",
    "민\u{200B}수",
  ]
  private static let secrets = [
    "010-1234-5678", "01012345678", "+82 10 1234 5678", "０１０－１２３４－５６７８", "(555) 123-4567", "4111 1111 1111 1111",
    "4111-1111-1111-1111", "378282246310005", "900101-1234567", "123456-04-123456", "minsu@naver.com",
    "https://example.com/김민수?x=1", "2026-05-03", "5/3", "5월 3일", "2026年5月3日", "May 3rd, 2026", "14:30", "오후 3시 반", "下午三点",
    "DE89 3704 0044 0532 0130 00", "서울시 강남구 테헤란로 12", "東京都渋谷区神南1-2-3", "123 Main Street",
    "11010519491231002X", "@grace_kim",
  ]
  private static let ordinary = [
    " ", "가 ", "는, ", "야! ", "이가 ", "한테 ", "さん", "と", "老师", "说", "'s ", "’s ", ". ", "\n", "<", ">", "&lt;", "`", "\\", "_", "1",
    "씨 ", " 부장님 ", "(", ")", "~", "-", "/", "@", ".", ":", "😀", "👨‍👩‍👧", "e\u{301}", "\u{301}",
    "\u{200D}", "\u{3099}", "<PERSON_1>", "<person_2>", "PERSON_3", "<사람_1>", "＜DATE_1＞", "《人物_2》", "&lt;PERSON_4&gt;",
    "PERSON\\_5", "<PERSON_", "_1>", "<<", "\r\n", "\t", "그냥 ", "will ", "may ", "お母さん", "妈妈",
  ]

  private static func text(_ dice: inout Dice) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<14, using: &dice) {
      let piece =
        switch Int.random(in: 0..<10, using: &dice) {
        case 0..<3: forms.randomElement(using: &dice)
        case 3..<5: secrets.randomElement(using: &dice)
        default: ordinary.randomElement(using: &dice)
        }
      text += piece ?? ""
    }
    return text
  }

  /// Everything but small letters, digits and Hangul taken away, as one who looks for a name would.
  private static func bare(_ text: String) -> String {
    let reading = Reading(text)
    return String(String.UnicodeScalarView(reading.lower.filter(isWordPart).compactMap(Unicode.Scalar.init)))
  }

  @Test(arguments: 0..<40)
  func everyTextComesBackByteForByte(_ seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<50 {
      let texts = (0..<Int.random(in: 1..<6, using: &dice)).map { _ in Self.text(&dice) }
      let masked = deidentify(texts, listed: Listed(names: Self.names, places: Self.places))
      for (part, text) in zip(masked.parts, texts) {
        let back = masked.restore(part)
        #expect(isExactly(back.text, text))
        #expect(back.repaired.isEmpty && back.unknown.isEmpty)
      }
      let all = masked.restore(masked.parts.joined(separator: "\n\n"))
      #expect(isExactly(all.text, texts.joined(separator: "\n\n")) && all.missing.isEmpty)
    }
  }

  @Test(arguments: 0..<40)
  func whatMayNotLeaveIsGone(_ seed: UInt64) {
    var dice = Dice(state: seed &+ 1000)
    for _ in 0..<50 {
      var expected: [String] = []
      var text = ""
      for _ in 0..<6 {
        text += ["그냥 ", " and ", "。", "\n", ", ", " 😀 ", " (", ") "].randomElement(using: &dice) ?? ""
        let secret = (Bool.random(using: &dice) ? Self.forms : Self.secrets).randomElement(using: &dice) ?? ""
        text += secret
        expected.append(secret)
      }
      let masked = deidentify([text], listed: Listed(names: Self.names, places: Self.places))
      var rest = masked.parts[0]
      for token in masked.tokens { rest = replacing(token.text, in: rest, by: "|") }
      let left = Self.bare(rest)
      for secret in expected where secret != "🐻" {
        #expect(!left.contains(Self.bare(secret)), "\(secret) of \(text): \(masked.parts[0])")
      }
      #expect(!rest.contains("🐻"))
      let hasDigit = rest.contains { $0.isNumber }
      #expect(!hasDigit, "\(text): \(masked.parts[0])")
    }
  }
}
