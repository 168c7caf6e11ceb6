/// One of the five questions of a journal.
public enum LetterQuestion: Int, CaseIterable, Sendable {
  case situation = 1
  case feelings
  case hurt
  case reflection
  case need
}

/// A gentle word on an answer, for the one who writes it. It never blocks, and no letter changes by it.
public enum WritingHint: Equatable, Sendable {
  /// It says "always" or "never": a date or a number says more.
  case generalization
  /// An own word says what the other did. These feelings may be nearer to what it was like inside.
  case judgement([BuiltInFeeling])
  /// It says what the other must do or stop, not what that would give.
  case strategy
}

/// The hint on the answer to a question, if it calls for one.
///
/// Where any answer speaks of danger there is none: whoever was hurt is not told how to say it.
public func writingHint(on question: LetterQuestion, of answers: LetterAnswers) -> WritingHint? {
  let hint: WritingHint? =
    switch question {
    case .situation: Generalization.isNamed(in: answers.situation) ? .generalization : nil
    case .hurt: Generalization.isNamed(in: answers.hurt) ? .generalization : nil
    case .reflection: Generalization.isNamed(in: answers.reflection ?? "") ? .generalization : nil
    case .feelings: judgement(in: answers.feelings)
    case .need: Strategy.isNamed(in: answers.need) ? .strategy : nil
    }
  guard let hint, safetyNotices(for: answers).isEmpty else { return nil }
  return hint
}

/// A judgement among own words, unless the feelings behind it are all named beside it.
private func judgement(in feelings: [String]) -> WritingHint? {
  let named = feelings.map { BuiltInFeeling(matching: $0, language: .en) }
  for (word, builtIn) in zip(feelings, named) where builtIn == nil {
    let offered = DisguisedJudgement.feelings(behind: word).filter { !named.contains($0) }
    if !offered.isEmpty { return .judgement(offered) }
  }
  return nil
}

/// Words that make one event a habit.
enum Generalization {
  static func isNamed(in text: String) -> Bool {
    let spaced = exceptions.removing(from: folded(text))
    let dense = denseExceptions.removing(from: withoutSpaces(spaced))
    return words.matches(spaced) || denseWords.matches(dense) || standsAlone("늘", in: spaced)
  }

  private static let words = PhraseMatcher(words: ["always", "never", "every time", "everytime", "every single time"])

  private static let exceptions = PhraseMatcher(startingWords: ["never mind", "never again", "should never", "should have never"])

  private static let denseWords = PhraseMatcher(anywhere: [
    "항상", "맨날", "절대", "한번도", "いつも", "毎回", "絶対", "一度も", "总是", "每次", "从来", "老是",
  ])

  private static let denseExceptions = PhraseMatcher(anywhere: [
    // 한 번 도와…: "once" before a word that begins with 도.
    "한번도와", "한번도왔", "한번도움", "한번도울", "한번도전", "한번도착", "한번도망", "절대적",
    "いつもら", "いつもどおり", "いつも通り", "いつもあり", "いつも感謝", "もう一度も", "一度もら", "一度もど", "自从来", "从来自",
  ])

  /// Whether a syllable is a word of its own: 늘 (always), and not that of 오늘 (today) or 늘었다 (grew).
  private static func standsAlone(_ syllable: Unicode.Scalar, in text: [Unicode.Scalar]) -> Bool {
    text.indices.contains { place in
      text[place] == syllable && (place == 0 || !isHangul(text[place - 1]))
        && (place + 1 == text.count || !isHangul(text[place + 1]))
    }
  }

  private static func isHangul(_ scalar: Unicode.Scalar) -> Bool { (0xAC00...0xD7A3).contains(scalar.value) }
}

/// Words that tell the other what to do or to stop, where a need was asked for.
enum Strategy {
  static func isNamed(in text: String) -> Bool {
    let spaced = exceptions.removing(from: folded(text))
    let dense = denseExceptions.removing(from: withoutSpaces(spaced))
    return words.matches(spaced) || denseWords.matches(dense)
  }

  private static let words = PhraseMatcher(
    startingWords: ["need", "needed", "want", "wanted"].flatMap { verb in
      ["you", "him", "her", "them"].flatMap { ["\(verb) \($0) to", "\(verb) \($0) not to"] }
    } + ["please don't"],
    words: ["stop"])

  private static let exceptions = PhraseMatcher(
    startingWords: ["can't stop", "couldn't stop", "cannot stop", "non-stop", "stop by", "bus stop"])

  private static let denseWords = PhraseMatcher(anywhere: [
    "지마", "지말아", "지말았", "지말라", "지말길", "지말기", "지않았으면", "지않기를", "지않길", "안그랬으면", "안했으면", "그만해", "그만했", "그만하", "그만두",
    "그만둬",
    "しないで", "ないでほし", "ないで欲し", "ないでくれ", "ないでくだ", "ないで下", "ないでもら", "やめてほし", "やめて欲し", "やめてくれ", "やめてくだ", "やめてもら",
    "别", "不要再", "你不要", "他不要", "她不要", "请不要", "不许",
  ])

  private static let denseExceptions = PhraseMatcher(anywhere: [
    // 지 that ends a noun or 까지, before a word that begins with 마 or 말.
    "까지마", "까지말", "지마다", "지마저", "지마음", "지마련", "지마치", "지마침", "지마주", "지마중", "지마당",
    "しないでい", "しないです", "しないで済",
    "别人", "特别", "区别", "告别", "分别", "个别", "别的", "性别", "离别", "差别", "辨别", "级别", "别处", "别扭", "别墅", "派别", "别致", "识别", "类别", "道别", "送别",
  ])
}
