/// What follows the writer's own part.
enum AfterLine: Equatable {
  /// They owned something, so the letter says sorry for that and nothing else.
  case apology
  /// They told their side.
  case neutral
  /// They deny; whatever we added would sound wrong.
  case none

  init(reflection: String, feelings: Feelings) {
    let text = folded(reflection)
    let dense = withoutSpaces(text)
    if Self.denying.matches(text) || Self.denyingDense.matches(dense) {
      self = .none
    } else if feelings.ownsSomething || Self.owning.matches(Self.others.removing(from: text))
      || Self.owningDense.matches(Self.othersDense.removing(from: dense))
    {
      self = .apology
    } else {
      self = .neutral
    }
  }

  private static let owning = PhraseMatcher(anywhere: [
    "sorry", "my fault", "i was wrong", "should have", "shouldn't have", "should not have", "could have", "overreact", "i regret",
  ])

  private static let owningDense = PhraseMatcher(anywhere: [
    "미안", "죄송", "잘못", "어야했", "말았어야", "지나쳤", "심했", "못했",
    "ごめん", "すまな", "申し訳", "悪かった", "べきだった", "べきでした", "ばよかった", "言い過ぎ", "言いすぎ", "反省",
    "对不起", "抱歉", "不该", "应该", "我错", "太冲动", "没能",
  ])

  /// The same words about the other own nothing.
  private static let others = PhraseMatcher(startingWords: [
    "you should have", "you shouldn't have", "you should not have", "you could have", "he should have", "she should have",
    "they should have", "he could have", "she could have", "they could have", "he shouldn't have", "she shouldn't have",
    "they shouldn't have",
  ])

  private static let othersDense = PhraseMatcher(anywhere: [
    "네잘못", "너의잘못", "상대잘못", "상대방잘못", "상대의잘못", "상대방의잘못",
    "あなたが悪かった", "相手が悪かった", "相手も悪かった", "向こうが悪かった", "彼が悪かった", "彼女が悪かった",
    "你应该", "您应该", "他应该", "她应该", "对方应该", "你不该", "您不该", "他不该", "她不该", "对方不该",
  ])

  private static let denying = PhraseMatcher(anywhere: [
    "not my fault", "wasn't my fault", "isn't my fault", "nothing wrong", "did nothing", "wasn't wrong", "was not wrong",
    "not sorry", "nothing to apologi", "nothing to be sorry", "don't regret", "no regret",
  ])

  private static let denyingDense = PhraseMatcher(anywhere: [
    "잘못없", "잘못이없", "잘못은없", "잘못도없", "잘못한게없", "잘못한것없", "잘못한것이없", "잘못한건없", "잘못하지않", "잘못이아니", "미안하지않", "미안할것없",
    "미안할게없", "미안할이유", "안미안",
    "悪くない", "悪くなかった", "悪くありません", "悪いとは思わ", "謝ることはない", "謝る気はない", "謝る必要は",
    "我没错", "没有错", "没做错", "不是我的错", "不怪我", "不觉得我错", "不觉得抱歉", "没什么对不起", "没什么好抱歉", "没什么好道歉",
  ])
}
