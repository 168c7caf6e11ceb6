// Stems, lower case; Korean, Japanese and Chinese without spaces. "…" stands for up to twenty characters.
extension SafetyCues {
  static let englishViolence = [
    "hit me", "hits me", "hit him", "hit her", "beat me", "beats me", "punched", "slapped",
    "kicked me", "kicked him", "kicked her", "choked me", "choked him", "choked her", "strangl", "shoved", "pushed me against",
    "pushed me down", "pushed him down", "pushed her down", "threw…at me", "threaten", "knife", "kill me", "kill you", "kill him",
    "kill her", "i'll kill", "i will kill", "molest", "grope", "forced me", "locked me in", "won't let me leave",
    "wouldn't let me leave", "didn't let me leave", "stalk", "abus", "domestic violence", "afraid to go home",
    "scared to go home",
    "scared of him", "scared of her", "afraid of him", "afraid of her", "bruise",
  ]

  static let englishViolentWords = ["gun", "guns", "gunpoint", "rape", "raped", "raping", "rapist", "dv"]

  static let englishSelfHarm = [
    "kill myself", "killing myself", "suicid", "end my life", "take my life", "want to die", "wanted to die", "better off dead",
    "better off without me", "don't want to live", "didn't want to live", "hurt myself", "hurting myself", "cut myself",
    "cutting myself", "self-harm", "self harm", "harm myself",
  ]

  static let englishDistance = [
    "blocked me", "restraining order", "asked me not to contact", "told me not to contact", "told me to leave…alone",
    "asked me to leave…alone",
  ]

  static let koreanViolence = [
    "때렸", "때려", "때리", "한테…맞았", "에게…맞았", "뺨", "손찌검", "주먹으로", "주먹질", "발로찼", "밀쳤", "목을조", "목졸", "머리채", "멱살", "집어던",
    "칼로", "칼을", "흉기", "폭행", "폭력", "협박", "죽이겠", "죽여버", "성폭", "성추행", "강간", "강제로", "감금", "가뒀", "스토킹", "따라다니", "학대",
    "멍이들", "멍들었", "집에가기무서",
  ]

  static let koreanSelfHarm = [
    "죽고싶", "죽어버리고싶", "자살", "자해", "극단적선택", "살기싫", "살고싶지않", "사라지고싶", "없어지고싶", "손목을그", "목숨을끊", "내가없어지면",
  ]

  static let koreanDistance = ["차단", "접근금지", "연락하지말"]

  static let japaneseViolence = [
    "殴", "蹴", "叩かれ", "叩いた", "ぶたれ", "平手", "首を絞", "突き飛ば", "物を投げ", "包丁", "刃物", "凶器", "暴力", "暴行", "脅", "殺す", "殺し",
    "殺され", "無理やり", "レイプ", "痴漢", "監禁", "閉じ込め", "つきまと", "ストーカー", "虐待", "あざができ", "帰るのが怖",
    // 性的 alone would meet 理性的 and, in Chinese, 任性的.
    "性的な", "性的に", "性的暴", "性的虐", "性的嫌が", "性的いや", "性的行為", "性的関", "性的強", "性的接触",
  ]

  static let japaneseSelfHarm = [
    "死にたい", "死のうと", "自殺", "自傷", "リストカット", "リスカ", "消えたい", "いなくなりたい", "生きていたくない", "命を絶", "首を吊",
  ]

  static let japaneseDistance = ["ブロックされ", "接近禁止", "連絡しないで"]

  static let chineseViolence = [
    "打我", "打了我", "打他", "打她", "打孩子", "动手打", "家暴", "暴力", "耳光", "巴掌", "掐", "踹", "推倒", "砸东西", "拿刀", "动刀", "凶器", "威胁",
    "恐吓", "杀了", "要杀", "弄死", "强奸", "性侵", "猥亵", "强迫我", "关起来", "锁在", "不让我出门", "跟踪", "虐待", "淤青", "不敢回家",
  ]

  static let chineseSelfHarm = [
    "想死", "不想活", "自杀", "自残", "自伤", "割腕", "轻生", "结束生命", "活不下去", "没有我会更好",
  ]

  static let chineseDistance = ["拉黑", "禁止令", "别再联系"]
}
