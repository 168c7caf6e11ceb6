/// The Japanese forms of a feeling.
struct JapaneseFeeling {
  /// The て form, before another feeling.
  let continuing: String
  let plainPast: String
  let politePast: String
  /// The noun, before も.
  let noun: String

  fileprivate init(_ continuing: String, _ plainPast: String, _ politePast: String, _ noun: String) {
    self.continuing = continuing
    self.plainPast = plainPast
    self.politePast = politePast
    self.noun = noun
  }
}

extension BuiltInFeeling {
  var japanese: JapaneseFeeling {
    switch self {
    case .sad: JapaneseFeeling("悲しくて", "悲しかった", "悲しかったです", "悲しさ")
    case .hurt: JapaneseFeeling("傷ついて", "傷ついた", "傷つきました", "心の痛み")
    case .upset: JapaneseFeeling("つらくて", "つらかった", "つらかったです", "つらさ")
    case .heartbroken: JapaneseFeeling("胸が張り裂けそうで", "胸が張り裂けそうだった", "胸が張り裂けそうでした", "胸が張り裂けそうな思い")
    case .downhearted: JapaneseFeeling("切なくて", "切なかった", "切なかったです", "切なさ")
    case .disappointed: JapaneseFeeling("がっかりして", "がっかりした", "がっかりしました", "落胆")
    case .discouraged: JapaneseFeeling("気落ちして", "気落ちした", "気落ちしました", "沈んだ気持ち")
    case .lonely: JapaneseFeeling("寂しくて", "寂しかった", "寂しかったです", "寂しさ")
    case .empty: JapaneseFeeling("むなしくて", "むなしかった", "むなしかったです", "むなしさ")
    case .heavy: JapaneseFeeling("心が重くて", "心が重かった", "心が重かったです", "心の重さ")
    case .angry: JapaneseFeeling("腹が立って", "腹が立った", "腹が立ちました", "怒り")
    case .frustrated: JapaneseFeeling("もどかしくて", "もどかしかった", "もどかしかったです", "もどかしさ")
    case .irritated: JapaneseFeeling("いらいらして", "いらいらした", "いらいらしました", "いらだち")
    case .indignant: JapaneseFeeling("悔しくて", "悔しかった", "悔しかったです", "悔しさ")
    case .jealous: JapaneseFeeling("やきもちを焼いて", "やきもちを焼いた", "やきもちを焼きました", "やきもち")
    case .anxious: JapaneseFeeling("不安で", "不安だった", "不安でした", "不安")
    case .worried: JapaneseFeeling("心配で", "心配だった", "心配でした", "心配")
    case .afraid: JapaneseFeeling("怖くて", "怖かった", "怖かったです", "怖さ")
    case .tense: JapaneseFeeling("緊張して", "緊張していた", "緊張していました", "緊張")
    case .uneasy: JapaneseFeeling("落ち着かなくて", "落ち着かなかった", "落ち着きませんでした", "落ち着かない思い")
    case .confused: JapaneseFeeling("戸惑って", "戸惑った", "戸惑いました", "戸惑い")
    case .flustered: JapaneseFeeling("動揺して", "動揺した", "動揺しました", "動揺")
    case .shocked: JapaneseFeeling("ショックで", "ショックだった", "ショックでした", "ショック")
    case .torn: JapaneseFeeling("気持ちが複雑で", "気持ちが複雑だった", "気持ちが複雑でした", "複雑な思い")
    case .helpless: JapaneseFeeling("途方に暮れて", "途方に暮れた", "途方に暮れました", "心細さ")
    case .awkward: JapaneseFeeling("気まずくて", "気まずかった", "気まずかったです", "気まずさ")
    case .numb: JapaneseFeeling("呆然として", "呆然とした", "呆然としました", "呆然とした思い")
    case .tired: JapaneseFeeling("疲れて", "疲れてしまった", "疲れてしまいました", "疲れ")
    case .overwhelmed: JapaneseFeeling("いっぱいいっぱいで", "いっぱいいっぱいだった", "いっぱいいっぱいでした", "余裕のなさ")
    case .guilty: JapaneseFeeling("罪悪感があって", "罪悪感があった", "罪悪感がありました", "罪悪感")
    case .sorry: JapaneseFeeling("申し訳なくて", "申し訳なく思った", "申し訳なく思いました", "申し訳ない気持ち")
    case .ashamed: JapaneseFeeling("恥ずかしくて", "恥ずかしかった", "恥ずかしかったです", "恥ずかしい気持ち")
    case .regretful: JapaneseFeeling("後悔して", "後悔した", "後悔しました", "後悔")
    case .embarrassed: JapaneseFeeling("きまりが悪くて", "きまりが悪かった", "きまりが悪かったです", "きまりの悪さ")
    case .grateful: JapaneseFeeling("ありがたくて", "ありがたかった", "ありがたく思いました", "感謝の気持ち")
    case .hopeful: JapaneseFeeling("希望を感じて", "希望を感じた", "希望を感じました", "希望")
    case .relieved: JapaneseFeeling("ほっとして", "ほっとした", "ほっとしました", "ほっとした気持ち")
    case .longing: JapaneseFeeling("恋しくて", "恋しかった", "恋しかったです", "恋しい気持ち")
    case .tender: JapaneseFeeling("いとおしくて", "いとおしかった", "いとおしかったです", "いとおしい気持ち")
    case .happy: JapaneseFeeling("うれしくて", "うれしかった", "うれしかったです", "うれしい気持ち")
    }
  }
}
