/// Words that name what the other did, dressed as a feeling. As the person's own word they stay, and one sentence softens them.
enum DisguisedJudgement {
  static func isNamed(in word: String) -> Bool { !feelings(behind: word).isEmpty }

  /// What it may have been like inside, for a word that says what the other did; empty for any other word.
  static func feelings(behind word: String) -> [BuiltInFeeling] {
    let spaced = folded(word)
    let dense = withoutSpaces(spaced)
    return kinds.first { $0.spaced.matches(spaced) || $0.dense.matches(dense) }?.feelings ?? []
  }

  /// One thing that is said to have been done, in every language, with the feelings that are often behind it.
  private struct Kind {
    let feelings: [BuiltInFeeling]
    /// For scripts that write spaces.
    let spaced: PhraseMatcher
    /// For Korean, Japanese and Chinese, without spaces.
    let dense: PhraseMatcher

    init(_ feelings: [BuiltInFeeling], _ english: [String], words: [String] = [], _ dense: [String]) {
      self.feelings = feelings
      spaced = PhraseMatcher(startingWords: english, words: words)
      self.dense = PhraseMatcher(anywhere: dense)
    }
  }

  private static let kinds: [Kind] = [
    Kind(
      [.lonely, .hurt, .frustrated], ["ignor", "neglect", "dismissed", "disregard", "mistreat", "unheard"],
      [
        "무시", "홀대", "푸대접", "안들어준", "안들어줘", "無視", "軽く扱", "雑に扱", "後回しに", "聞いてもらえ", "忽视", "轻视", "敷衍", "无视", "没人听",
      ]),
    Kind([.lonely, .downhearted], ["invisible"], ["투명인간", "찬밥", "空気みたい", "像空气"]),
    Kind([.shocked, .hurt, .disappointed], ["betray"], ["배신", "裏切", "背叛"]),
    Kind([.afraid, .lonely, .sad], ["abandon"], ["버림받", "버려진", "見捨て", "抛弃"]),
    Kind([.hurt, .sad, .lonely], ["reject", "unwanted"], ["거절당", "짐이된", "拒絶", "お荷物", "被拒", "累赘"]),
    Kind([.indignant, .disappointed], [], words: ["used", "been used"], ["이용당", "利用され", "被利用"]),
    Kind([.indignant, .hurt], ["disrespect"], ["존중받지", "軽んじ", "不被尊重", "没被尊重"]),
    Kind(
      [.downhearted, .tired], ["unappreciat", "taken for granted"],
      ["인정받지", "당연하게여", "認めてもら", "当たり前と思", "不被认可", "理所当然"]),
    Kind([.frustrated, .indignant], ["misunderst"], ["오해받", "誤解", "误解", "误会"]),
    Kind(
      [.tense, .hurt, .afraid], ["attack", "blame", "criticis", "criticiz"],
      ["공격당", "비난", "탓을들", "責められ", "攻撃", "指责", "攻击"]),
    Kind([.tense, .embarrassed], ["judged"], ["판단당", "決めつけ", "评判"]),
    Kind([.uneasy, .angry, .confused], ["manipulat"], ["조종당", "휘둘", "操られ", "振り回", "操控"]),
    Kind([.overwhelmed, .frustrated], ["controlled", "smother"], ["간섭", "통제", "束縛", "支配", "被控制"]),
    Kind([.tense, .overwhelmed], ["pressur"], ["강요", "押しつけ", "押し付け", "被逼"]),
    Kind(
      [.lonely, .sad], ["left out", "excluded"],
      ["소외", "따돌", "왕따", "仲間外れ", "仲間はずれ", "排挤", "冷落"]),
    Kind([.embarrassed, .angry], ["humiliat"], ["모욕", "창피당", "恥をかか", "羞辱", "没面子"]),
    Kind([.hurt, .indignant], ["belittl"], ["얕보", "만만하게", "見下", "馬鹿に", "バカに", "ばかに", "看不起"]),
    Kind([.shocked, .disappointed], ["deceiv", "lied to"], ["속은", "속았", "だまさ", "騙さ", "被骗"]),
    Kind([.jealous, .hurt], ["compared"], ["비교당", "比べられ", "被比较"]),
    Kind([.indignant, .sad], ["unfair", "treated unfairly"], ["차별", "부당", "不公平"]),
    Kind([.lonely, .sad], ["unloved"], ["사랑받지", "愛されて", "不被爱"]),
    Kind([.angry, .irritated], ["provok"], ["약올", "挑発", "激怒"]),
    Kind(
      [.discouraged, .ashamed], ["worthless", "failure", "a failure"],
      ["쓸모없", "못난", "ダメな人間", "だめな人間", "価値がない", "没用", "失败"]),
    Kind([.afraid], ["threaten", "abus"], ["위협", "학대", "脅", "虐待", "威胁"]),
  ]
}
