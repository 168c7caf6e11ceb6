/// The feelings of a journal, sorted by the sentences that tell them; inside each the person's order.
struct Feelings {
  /// What was felt then.
  private(set) var main: [BuiltInFeeling] = []
  private(set) var regret: [BuiltInFeeling] = []
  private(set) var warm: [BuiltInFeeling] = []
  /// The person's own words, which nothing inflects.
  private(set) var words: [String] = []

  /// Reads codes, labels in any language and own words; the same feeling counts once.
  init(_ feelings: [String], language: LetterLanguage) {
    var seen: Set<String> = []
    for feeling in feelings {
      if let builtIn = BuiltInFeeling(matching: feeling, language: language) {
        if seen.insert(builtIn.code).inserted { append(builtIn) }
      } else if let word = cleanedLine(feeling) {
        let bare = String(withoutLoneStop(word[...], ".。"))
        if seen.insert("=" + bare.lowercased()).inserted { words.append(bare) }
      }
    }
  }

  private mutating func append(_ feeling: BuiltInFeeling) {
    switch feeling.group {
    case .pain, .anger, .fear, .daze, .tired: main.append(feeling)
    case .regret: regret.append(feeling)
    case .warm: warm.append(feeling)
    }
  }

  var hasTags: Bool { !main.isEmpty || !regret.isEmpty || !warm.isEmpty }

  /// Feelings by which the writer owns something.
  var ownsSomething: Bool {
    regret.contains { $0 == .guilty || $0 == .sorry || $0 == .ashamed || $0 == .regretful }
  }
}

/// Cuts a list into rows of at most three, the most that one sentence bears.
func inThrees(_ feelings: [BuiltInFeeling]) -> [[BuiltInFeeling]] {
  stride(from: 0, to: feelings.count, by: 3).map { Array(feelings[$0..<min($0 + 3, feelings.count)]) }
}
