extension Language {
  /// The language of a tag or locale name (`ko`, `ko_KR.UTF-8`, `zh-TW`, `ja-JP`), or nil if it is none of ours.
  /// Chinese of any region is `zh-Hans`, the only kind there is here.
  public init?(locale: String) {
    let word = locale.prefix { $0.isLetter }.lowercased()
    switch word {
    case "en", "c", "posix": self = .en
    case "ko": self = .ko
    case "ja": self = .ja
    case "zh": self = .zhHans
    default: return nil
    }
  }

  /// The language of a process's environment: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set; English otherwise.
  public static func ofEnvironment(_ variable: (String) -> String?) -> Language { named(byEnvironment: variable) ?? .en }

  /// The language that an environment names: nil where nothing is set, where a language is that there is not here, and for `C` and
  /// `POSIX`, which are the absence of a language.
  public static func named(byEnvironment variable: (String) -> String?) -> Language? {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { variable($0) }.first { !$0.isEmpty }
    guard let locale, !["C", "POSIX"].contains(locale.prefix { $0.isLetter }) else { return nil }
    return Language(locale: locale)
  }

  /// The language's place in the String Catalogs.
  var index: Int {
    switch self {
    case .en: 0
    case .ko: 1
    case .ja: 2
    case .zhHans: 3
    }
  }
}

extension MessageKey {
  /// The text in a language, with `arguments` in the places of `%@` and `%lld` (in order) or `%1$@` (by number).
  public func text(in language: Language, _ arguments: String...) -> String {
    text(in: language, filling: arguments)
  }

  /// The text in a language, with `arguments` in the places of its placeholders.
  public func text(in language: Language, filling arguments: [String]) -> String {
    Self.fill(LocalizableCatalog.text(rawValue, language: language.index) ?? rawValue, arguments)
  }

  /// The text of a key that is put together at run time, or nil if there is none.
  public static func text(_ key: String, in language: Language) -> String? {
    LocalizableCatalog.text(key, language: language.index)
  }

  /// Puts the arguments into a text's places; a place without an argument stays empty, and `%%` is a percent sign.
  static func fill(_ template: String, _ arguments: [String]) -> String {
    var result = ""
    var next = 0
    var rest = template[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      var place = next
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty, rest.dropFirst(digits.count).first == "$", let number = Int(digits) {
        place = number - 1
        rest = rest.dropFirst(digits.count + 1)
      } else {
        next += 1
      }
      if rest.hasPrefix("lld") {
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("@") {
        rest = rest.dropFirst()
      } else {
        // A percent sign of the text itself (`%%`).
        next -= 1
        result += "%"
        if rest.hasPrefix("%") { rest = rest.dropFirst() }
        continue
      }
      if arguments.indices.contains(place) { result += arguments[place] }
    }
    return result + rest
  }
}
