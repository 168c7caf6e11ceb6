/// Joins feelings into what a phrase's blank takes.
struct FeelingJoiner {
  let language: LetterLanguage
  let voice: Voice
  let isHumble: Bool

  /// What a row of feelings is told as.
  enum Use {
    /// The first sentence, in the past.
    case felt
    /// The next ones, in the past.
    case more
    /// Now, looking back.
    case regret
    /// Now, looking back, with nothing but warm feelings.
    case warmAlone
    case warm
  }

  /// The blank of the phrase and what goes into it.
  func blank(for feelings: [BuiltInFeeling], as use: Use) -> (name: String, value: String) {
    switch (language, use) {
    case (.en, _): ("{L}", englishList(feelings.map { $0.phrase.en }))
    case (.zhHans, .regret): ("{V}", chineseVerbs(feelings))
    case (.zhHans, _): ("{L}", chineseList(feelings))
    case (.ko, .felt): ("{C}", koreanPast(feelings))
    case (.ko, .more): ("{M}", koreanAddition(feelings))
    case (.ko, .regret), (.ko, .warmAlone): ("{R}", koreanNoun(feelings) + "이")
    case (.ko, .warm): ("{W}", koreanNoun(feelings) + "도")
    case (.ja, .felt): ("{C}", japanesePast(feelings))
    case (.ja, _): ("{N}", japaneseNouns(feelings))
    }
  }

  // MARK: - English, Chinese

  private func chineseList(_ feelings: [BuiltInFeeling]) -> String {
    var words = feelings.map { $0.phrase.zh }
    guard words.count > 1, let last = words.popLast() else { return words.first ?? "" }
    return words.joined(separator: "、") + "和" + last
  }

  private func chineseVerbs(_ feelings: [BuiltInFeeling]) -> String {
    feelings.map { "很" + $0.phrase.zh }.joined(separator: feelings.count > 2 ? "、" : "，也")
  }

  // MARK: - Korean

  /// 외롭고 서운했어
  private func koreanPast(_ feelings: [BuiltInFeeling]) -> String {
    koreanClause(feelings) { form in
      switch voice {
      case .casual: form.past
      case .polite: form.past + "요"
      case .formal: form.formalPast
      }
    }
  }

  /// 외롭고 지치기도 했어
  private func koreanAddition(_ feelings: [BuiltInFeeling]) -> String {
    let did =
      switch voice {
      case .casual: "했어"
      case .polite: "했어요"
      case .formal: "했습니다"
      }
    return koreanClause(feelings) { $0.connective.dropLast() + "기도 " + did }
  }

  /// Forms with 마음이 stand first and say 마음이 once.
  private func koreanClause(_ feelings: [BuiltInFeeling], last: (KoreanFeeling) -> String) -> String {
    let heart = "마음이 "
    let forms = feelings.map { $0.korean(humble: isHumble) }
    let sorted = forms.filter { $0.connective.hasPrefix(heart) } + forms.filter { !$0.connective.hasPrefix(heart) }
    var parts: [String] = []
    for (index, form) in sorted.enumerated() {
      let text = index == sorted.count - 1 ? last(form) : form.connective
      parts.append(index > 0 && text.hasPrefix(heart) ? String(text.dropFirst(heart.count)) : text)
    }
    return parts.joined(separator: " ")
  }

  /// 죄책감과 미안하고 부끄러운 마음, without its particle.
  private func koreanNoun(_ feelings: [BuiltInFeeling]) -> String {
    let nouns = feelings.compactMap(koreanNounAlone)
    let others = feelings.filter { koreanNounAlone($0) == nil }.map { $0.korean(humble: isHumble) }
    guard let last = others.last else { return nouns.joined(separator: "과 ") }
    let described = (others.dropLast().map(\.connective) + [last.adnominal]).joined(separator: " ") + " 마음"
    return (nouns + [described]).joined(separator: "과 ")
  }

  private func koreanNounAlone(_ feeling: BuiltInFeeling) -> String? {
    switch feeling {
    case .guilty: "죄책감"
    case .relieved: "안도감"
    default: nil
    }
  }

  // MARK: - Japanese

  /// 悲しくて、不安で、つらかった
  private func japanesePast(_ feelings: [BuiltInFeeling]) -> String {
    guard let last = feelings.last?.japanese else { return "" }
    let ending = voice == .casual ? last.plainPast : last.politePast
    return feelings.dropLast().map { $0.japanese.continuing + "、" }.joined() + ending
  }

  private func japaneseNouns(_ feelings: [BuiltInFeeling]) -> String {
    feelings.map { $0.japanese.noun }.joined(separator: feelings.count == 2 ? "と" : "、")
  }
}

/// A list with the serial comma.
func englishList(_ items: [String]) -> String {
  switch items.count {
  case 0, 1: items.first ?? ""
  case 2: items[0] + " and " + items[1]
  default: items.dropLast().joined(separator: ", ") + ", and " + items[items.count - 1]
  }
}
