import Testing

@testable import KindVerbAPI

@Suite struct LanguageTests {
  @Test(arguments: [
    ("ko", Language.ko), ("ko_KR.UTF-8", .ko), ("KO-kr", .ko), ("ja_JP.eucJP", .ja), ("ja", .ja), ("en_GB", .en),
    ("C.UTF-8", .en),
    ("C", .en), ("POSIX", .en), ("zh-Hans", .zhHans), ("zh_CN.GB18030", .zhHans), ("zh-TW", .zhHans), ("zh-Hant-HK", .zhHans),
    ("zh_SG@pinyin", .zhHans),
  ])
  func locales(name: String, language: Language) { #expect(Language(locale: name) == language) }

  @Test(arguments: ["", "fr_FR", "kok_IN", "jam", "english", "zhx", "_", "e"])
  func othersAreNone(name: String) { #expect(Language(locale: name) == nil) }

  @Test func theEnvironmentsFirstWordCounts() {
    func language(_ variables: [String: String]) -> Language { Language.ofEnvironment { variables[$0] } }
    #expect(language([:]) == .en)
    #expect(language(["LANG": "ko_KR.UTF-8"]) == .ko)
    #expect(language(["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"]) == .ja)
    #expect(language(["LANG": "ko_KR.UTF-8", "LC_ALL": "zh_CN.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"]) == .zhHans)
    #expect(language(["LANG": "ko_KR.UTF-8", "LC_ALL": ""]) == .ko, "an empty variable is none")
    #expect(language(["LANG": "ko_KR.UTF-8", "LC_ALL": "fr_FR.UTF-8"]) == .en, "a language that is not there is English")
  }

  @Test(arguments: [
    (nil, Language?.none), ("", nil), ("C.UTF-8", nil), ("C", nil), ("POSIX", nil), ("fr_FR.UTF-8", nil), ("en_US.UTF-8", .en),
    ("ko_KR.UTF-8", .ko),
  ])
  func aLocaleNamesALanguageOrNone(locale: String?, language: Language?) {
    #expect(Language.named(byEnvironment: { $0 == "LANG" ? locale : nil }) == language)
  }

  @Test func theCatalogsOrder() {
    #expect(Language.allCases.map { LocalizableCatalog.languages[$0.index] } == Language.allCases.map(\.rawValue))
  }
}

@Suite struct CatalogTests {
  @Test func everyKeyIsFound() {
    #expect(LocalizableCatalog.keys.count == MessageKey.allCases.count)
    #expect(LocalizableCatalog.keys == MessageKey.allCases.map(\.rawValue), "keys are sorted")
    for key in MessageKey.allCases {
      for language in Language.allCases {
        #expect(MessageKey.text(key.rawValue, in: language)?.isEmpty == false, "\(key.rawValue)")
      }
    }
  }

  @Test(arguments: ["", "a", "error", "error.journal.too_lon", "error.journal.too_longer", "zzz", "\u{10FFFF}"])
  func whatIsNotThereIsNil(key: String) { #expect(MessageKey.text(key, in: .en) == nil) }

  @Test func aLanguageThatIsNotThereIsNil() {
    #expect(LocalizableCatalog.text("error.journal.too_long", language: 4) == nil)
    #expect(LocalizableCatalog.text("error.journal.too_long", language: -1) == nil)
  }

  @Test func textsStandInTheirLanguage() {
    #expect(MessageKey.errorJournalNotFound.text(in: .en) == "This journal does not exist, or it was deleted.")
    #expect(MessageKey.errorJournalNotFound.text(in: .zhHans) == "这篇记录不存在，或已被删除。")
  }

  @Test func placesAreFilled() {
    let text = MessageKey.daemonStartAlreadyRunning.text(in: .ja, "/run/x", "17")
    #expect(text == "すでに実行中です: /run/x はプロセス 17 が使っています。")
    #expect(MessageKey.daemonStartAlreadyRunning.text(in: .en, "100%", "%@") == "Already running: 100% is in use by process %@.")
    #expect(MessageKey.daemonStartAlreadyRunning.text(in: .en, "x") == "Already running: x is in use by process .")
  }

  @Test(arguments: [
    ("%@ and %@", "a and b"), ("%2$@ before %1$@", "b before a"), ("%2$@, %@", "b, a"), ("%lld of %2$lld", "a of b"),
    ("100%% of %@", "100% of a"), ("%%@", "%@"), ("%%%@%%", "%a%"), ("%3$@%0$@.", "."), ("%", "%"), ("5 % of %@", "5 % of a"),
    ("", ""),
  ])
  func formsOfPlaces(template: String, filled: String) { #expect(MessageKey.fill(template, ["a", "b"]) == filled) }
}
