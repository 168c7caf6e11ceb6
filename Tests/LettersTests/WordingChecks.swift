@testable import Letters

/// Checks of the words themselves.
extension Inspection {
  /// 9, 10, 14, 15, 16: words that no phrase of ours may have.
  func checkWords(_ findings: inout Findings) {
    let ours = paragraphs.joined(separator: "\n")
    let tokens = Set(ours.lowercased().split { !$0.isLetter && $0 != "’" }.map(String.init))
    for word in Self.forbiddenWords { findings.expect(!tokens.contains(word), "9–15: \(word)") }
    let masked = Self.allowed.removing(from: folded(ours))
    findings.expect(!Self.forbidden.matches(masked), "9–15: \(ours)")
    if language == .zhHans {
      findings.expect(!(ours.contains("你") && ours.contains("您")), "10: 你 and 您")
    }
    if language == .ja {
      let starts = sentences.contains { $0.hasPrefix("でも、") }
      findings.expect(!starts, "9: でも、")
    }
    findings.expect(!ours.contains { "!！".contains($0) || isEmoji($0) }, "16: ! or emoji")
  }

  /// Whole words.
  private static let forbiddenWords = [
    "but", "however", "if you were", "promise", "forgive", "must", "should", "never", "always", "yesterday", "lately", "fight",
    "argument", "mistake", "misunderstanding", "love", "friend", "husband", "wife", "marriage", "mother", "father",
    "너", "네", "니", "네가", "당신", "그대", "자기", "동생으로서", "요즘", "어제", "며칠째",
  ]

  private static let allowed = PhraseMatcher(anywhere: ["大丈夫"])

  /// Parts of words.
  private static let forbidden = PhraseMatcher(anywhere: [
    "never again", "every time", "for days", "the other day", "하지만", "그런데", "그렇지만", "しかし", "けど", "但是", "可是", "不过", "あなた", "君",
    "お前", "您们", "약속할게", "다시는", "용서", "二度と", "許し", "べき", "保证", "原谅", "必须", "应该", "또 그런", "またあんな", "又一次", "다툼", "싸움", "けんか",
    "吵架", "사랑해", "愛して", "我爱你", "함께 자란", "小さいころから", "从小", "先日", "この前", "最近", "ずっと前から", "昨天", "这几天", "夫", "妻", "때문에",
  ])

  /// 11: one speech level.
  func checkLevel(_ findings: inout Findings) {
    let sentences = sentences.filter { sentence in
      !sentence.contains(Self.mask) || sentence.last.map { ".。？?".contains($0) } == true
    }
    for sentence in sentences where sentence.contains(where: \.isLetter) {
      let end = upToLastSyllable(sentence[...])
      // A sentence that ends in the person's words has no level of ours.
      if let last = sentence.split(separator: Self.mask, omittingEmptySubsequences: false).last, !last.contains(where: \.isLetter)
      {
        continue
      }
      findings.expect(isInLevel(end, sentence), "11: \(sentence)")
    }
  }

  private func isInLevel(_ end: Substring, _ sentence: String) -> Bool {
    switch (language, voice) {
    case (.en, .casual), (.zhHans, _), (.ja, .formal): true
    case (.en, _): !sentence.contains("’")
    case (.ko, .casual): !["요", "죠", "다"].contains(where: end.hasSuffix) && "어야해래돼까게아줘워봐마라".contains(end.last ?? " ")
    case (.ko, .polite): end.hasSuffix("요")
    case (.ko, .formal): end.hasSuffix("니다") || end.hasSuffix("까요")
    case (.ja, .casual): japaneseLevel(of: end) != .polite
    case (.ja, .polite): japaneseLevel(of: end) == .polite || sentence.hasSuffix("：")
    }
  }

  /// 16: capitals only where English wants them.
  func checkCapitals(_ findings: inout Findings) {
    guard language == .en else { return }
    for sentence in sentences {
      let words = sentence.split(separator: " ").drop { $0.contains(Self.mask) }
      for word in words.dropFirst() where word.first?.isUppercase == true {
        let isI = word == "I" || word.hasPrefix("I’") || word == "I,"
        findings.expect(isI, "16: capital in \(sentence)")
      }
    }
  }

  /// 21: neighbouring sentences of ours do not begin alike.
  func checkBeginnings(_ findings: inout Findings) {
    let length = language == .en ? 12 : 5
    var last: Substring?
    for sentence in sentences {
      let beginning = sentence.prefix(length)
      findings.expect(beginning != last || sentence.first == Self.mask, "21: \(sentence)")
      last = sentence.contains(Self.mask) && sentence.last.map { "”」".contains($0) || $0 == Self.mask } == true ? nil : beginning
    }
  }
}
