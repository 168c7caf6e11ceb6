/// The state in which a feeling is told.
public enum FeelingGroup: String, CaseIterable, Sendable {
  case pain, anger, fear, daze, tired
  /// Felt now, looking back.
  case regret
  /// Felt beside the rest.
  case warm
}

/// The feelings that a journal offers. The raw value is the code; it never appears in a letter.
public enum BuiltInFeeling: String, CaseIterable, Sendable {
  case sad, hurt, upset, heartbroken, downhearted, disappointed, discouraged, lonely, empty, heavy
  case angry, frustrated, irritated, indignant, jealous
  case anxious, worried, afraid, tense, uneasy
  case confused, flustered, shocked, torn, helpless, awkward, numb
  case tired, overwhelmed
  case guilty, sorry, ashamed, regretful, embarrassed
  case grateful, hopeful, relieved, longing, tender, happy

  /// The code by which journals store the feeling.
  public var code: String { rawValue }

  /// The group, which decides the sentence that tells the feeling.
  public var group: FeelingGroup {
    switch self {
    case .sad, .hurt, .upset, .heartbroken, .downhearted, .disappointed, .discouraged, .lonely, .empty, .heavy: .pain
    case .angry, .frustrated, .irritated, .indignant, .jealous: .anger
    case .anxious, .worried, .afraid, .tense, .uneasy: .fear
    case .confused, .flustered, .shocked, .torn, .helpless, .awkward, .numb: .daze
    case .tired, .overwhelmed: .tired
    case .guilty, .sorry, .ashamed, .regretful, .embarrassed: .regret
    case .grateful, .hopeful, .relieved, .longing, .tender, .happy: .warm
    }
  }

  /// The word that a picker shows.
  public func label(in language: LetterLanguage) -> String {
    LetterCatalog.text("emotion." + rawValue + ".label", language: language.index) ?? rawValue
  }

  /// The built-in feeling that a typed word means: its code or its label in any of the four languages. A word that two languages
  /// share (不安) is read in `language` first.
  public init?(matching word: String, language: LetterLanguage) {
    let key = FeelingIndex.key(of: word)
    guard let match = FeelingIndex.byCode[key] ?? FeelingIndex.byLabel[language]?[key] ?? FeelingIndex.inAnyLanguage(key) else {
      return nil
    }
    self = match
  }

  /// The feeling after "I felt" and in Chinese after 感到, 很 or 有.
  var phrase: (en: String, zh: String) {
    switch self {
    case .sad: ("sad", "难过")
    case .hurt: ("hurt", "受伤")
    case .upset: ("upset", "难受")
    case .heartbroken: ("heartbroken", "心碎")
    case .downhearted: ("downhearted", "失落")
    case .disappointed: ("disappointed", "失望")
    case .discouraged: ("discouraged", "沮丧")
    case .lonely: ("lonely", "孤单")
    case .empty: ("empty", "空虚")
    case .heavy: ("heavy-hearted", "沉重")
    case .angry: ("angry", "生气")
    case .frustrated: ("frustrated", "郁闷")
    case .irritated: ("irritated", "烦躁")
    case .indignant: ("indignant", "委屈")
    case .jealous: ("jealous", "嫉妒")
    case .anxious: ("anxious", "焦虑")
    case .worried: ("worried", "担心")
    case .afraid: ("afraid", "害怕")
    case .tense: ("tense", "紧张")
    case .uneasy: ("uneasy", "不安")
    case .confused: ("confused", "困惑")
    case .flustered: ("flustered", "慌乱")
    case .shocked: ("shocked", "震惊")
    case .torn: ("torn", "矛盾")
    case .helpless: ("helpless", "无助")
    case .awkward: ("awkward", "尴尬")
    case .numb: ("numb", "麻木")
    case .tired: ("tired", "疲惫")
    case .overwhelmed: ("overwhelmed", "心累")
    case .guilty: ("guilty", "内疚")
    case .sorry: ("sorry", "抱歉")
    case .ashamed: ("ashamed", "惭愧")
    case .regretful: ("regretful", "后悔")
    case .embarrassed: ("embarrassed", "难为情")
    case .grateful: ("grateful", "感激")
    case .hopeful: ("hopeful", "期待")
    case .relieved: ("relieved", "释然")
    case .longing: ("full of longing", "想念")
    case .tender: ("full of tenderness", "心疼")
    case .happy: ("happy", "开心")
    }
  }
}

/// Typed words by which built-in feelings are found.
private enum FeelingIndex {
  static let byCode = index { $0.code }
  static let byLabel: [LetterLanguage: [String: BuiltInFeeling]] = Dictionary(
    uniqueKeysWithValues: LetterLanguage.allCases.map { language in (language, index { $0.label(in: language) }) })
  private static let byPhrase = index { $0.phrase.en }

  static func inAnyLanguage(_ key: String) -> BuiltInFeeling? {
    for language in [LetterLanguage.en, .ko, .ja, .zhHans] {
      if let match = byLabel[language]?[key] { return match }
    }
    return byPhrase[key]
  }

  static func key(of word: String) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: withoutSpaces(folded(word)))
    return String(view)
  }

  private static func index(_ word: (BuiltInFeeling) -> String) -> [String: BuiltInFeeling] {
    Dictionary(BuiltInFeeling.allCases.map { (key(of: word($0)), $0) }, uniquingKeysWith: { first, _ in first })
  }
}
