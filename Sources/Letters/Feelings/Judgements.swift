/// Words that name what the other did, dressed as a feeling. As the person's own word they stay, and one sentence softens them.
enum DisguisedJudgement {
  static func isNamed(in word: String) -> Bool {
    let scalars = folded(word)
    return spaced.matches(scalars) || dense.matches(withoutSpaces(scalars))
  }

  private static let spaced = PhraseMatcher(
    startingWords: [
      "ignor", "neglect", "dismissed", "disregard", "mistreat", "unheard", "invisible", "betray", "abandon", "reject", "unwanted",
      "disrespect", "unappreciat",
      "taken for granted",
      "misunderst", "attack", "blame", "blamed", "criticis", "criticiz", "judged", "manipulat", "controlled", "smother",
      "pressur",
      "left out", "excluded", "humiliat", "belittl", "deceiv", "lied to", "compared", "unfair", "treated unfairly", "unloved",
      "provok", "worthless", "failure", "a failure", "threaten", "abus",
    ],
    words: ["used", "been used"])

  private static let dense = PhraseMatcher(anywhere: korean + japanese + chinese)

  private static let korean = [
    "무시", "홀대", "푸대접", "안들어준", "안들어줘", "투명인간", "찬밥", "배신", "버림받", "버려진", "거절당", "짐이된", "이용당", "존중받지", "인정받지", "당연하게여", "오해받",
    "공격당", "비난", "탓을들", "판단당", "조종당", "휘둘", "간섭", "통제", "강요", "소외", "따돌", "왕따", "모욕", "창피당", "얕보", "만만하게", "속은",
    "속았", "비교당", "차별", "부당", "사랑받지", "약올", "쓸모없", "못난", "위협", "학대",
  ]

  private static let japanese = [
    "無視", "軽く扱", "雑に扱", "後回しに", "聞いてもらえ", "空気みたい", "裏切", "見捨て", "拒絶", "お荷物", "利用され", "軽んじ", "認めてもら", "当たり前と思", "誤解", "責められ", "攻撃",
    "決めつけ", "操られ", "振り回", "束縛", "支配", "押しつけ", "押し付け", "仲間外れ", "仲間はずれ", "恥をかか", "見下", "馬鹿に", "バカに", "ばかに", "だまさ",
    "騙さ", "比べられ", "不公平", "愛されて", "挑発", "ダメな人間", "だめな人間", "価値がない", "脅", "虐待",
  ]

  private static let chinese = [
    "忽视", "轻视", "敷衍", "无视", "没人听", "像空气", "背叛", "抛弃", "被拒", "累赘", "被利用", "不被尊重", "没被尊重", "不被认可", "理所当然", "误解", "误会", "指责",
    "攻击", "评判", "操控", "被控制", "被逼", "排挤", "冷落", "羞辱", "没面子", "看不起", "被骗", "被比较", "不公平", "不被爱", "激怒", "没用", "失败",
    "威胁", "虐待",
  ]
}
