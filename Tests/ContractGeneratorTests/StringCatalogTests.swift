import Testing

@testable import ContractGenerator

/// A catalog with one entry whose localizations are given.
private func catalog(_ localizations: String, extra: String = "") -> String {
  #"{"sourceLanguage":"en","strings":{"a.key":{\#(extra)"localizations":{\#(localizations)}}},"version":"1.0"}"#
}

private func unit(_ language: String, _ value: String, _ state: String = "translated") -> String {
  #""\#(language)":{"stringUnit":{"state":"\#(state)","value":"\#(value)"}}"#
}

private func all(_ texts: [String]) -> String { zip(StringCatalog.languages, texts).map { unit($0, $1) }.joined(separator: ",") }

@Suite struct StringCatalogTests {
  private func refusal(of text: String) throws -> String? {
    try Files.with { files in
      let path = try files.write(text, to: "Localizable.xcstrings")
      return ContractGeneratorTests.refusal { _ = try StringCatalog(path: path) }
    }
  }

  private func read(_ text: String, name: String = "Localizable") throws -> StringCatalog {
    try Files.with { try StringCatalog(path: $0.write(text, to: "\(name).xcstrings")) }
  }

  @Test func aWholeCatalogIsTaken() throws {
    let catalog = try read(catalog(all(["%1$@ of %2$lld", "%2$lld 중 %1$@", "%2$lldの%1$@", "%2$lld 中的 %1$@"])))
    #expect(catalog.entries.map(\.key) == ["a.key"])
    #expect(catalog.entries[0].texts[1] == "%2$lld 중 %1$@")
  }

  @Test(arguments: StringCatalog.languages)
  func aMissingLanguageIsRefused(language: String) throws {
    let others = StringCatalog.languages.filter { $0 != language }.map { unit($0, "x") }.joined(separator: ",")
    let text = try refusal(of: catalog(others))
    #expect(text?.contains("a.key: no plain text in \(language)") == true)
  }

  @Test(arguments: ["new", "needs_review", "stale"])
  func aTextThatIsNotTranslatedIsRefused(state: String) throws {
    let texts = [unit("en", "x"), unit("ko", "x"), unit("ja", "x", state), unit("zh-Hans", "x")].joined(separator: ",")
    #expect(try refusal(of: catalog(texts))?.contains("not translated into ja") == true)
  }

  @Test func anEmptyTextIsRefused() throws {
    #expect(try refusal(of: catalog(all(["x", "", "x", "x"])))?.contains("not translated into ko") == true)
  }

  @Test func aStaleEntryIsRefused() throws {
    let text = try refusal(of: catalog(all(["x", "x", "x", "x"]), extra: #""extractionState":"stale","#))
    #expect(text?.contains("stale") == true)
  }

  @Test(arguments: [
    ["%@", "%@", "%@", "no place"], ["%@", "%lld", "%@", "%@"], ["%@ %@", "%@", "%@ %@", "%@ %@"], ["x", "x", "x %lld", "x"],
  ])
  func differingPlaceholdersAreRefused(texts: [String]) throws {
    #expect(try refusal(of: catalog(all(texts)))?.contains("placeholders") == true)
  }

  @Test func aPercentSignIsNoPlaceholder() throws {
    #expect(try read(catalog(all(["100%%", "100퍼센트", "100パーセント", "百分百"]))).entries.count == 1)
  }

  @Test func aKeyThatStandsTwiceIsRefused() throws {
    let entry = #""a":{"localizations":{\#(all(["x", "x", "x", "x"]))}}"#
    #expect(try refusal(of: #"{"strings":{\#(entry),\#(entry)}}"#)?.contains("duplicate_name") == true)
  }

  @Test func theSourceHoldsEveryTextAndTheKeysAreSorted() throws {
    let text =
      #"{"strings":{"b":{"localizations":{\#(all(["B\\n\\\"", "나", "び", "乙"]))}},"a":{"localizations":{\#(all(["A", "가", "あ", "甲"]))}}}}"#
    let letter = CatalogSource(try read(text, name: "Letter")).text
    #expect(letter.contains("enum LetterCatalog"))
    #expect(letter.contains(#"keyText: StaticString = "ab""#))
    #expect(letter.contains(#"text1: StaticString = "가나""#))
    #expect(letter.contains(#"text0: StaticString = "AB\n\"""#))
    #expect(letter.contains("ends1: [UInt32] = [3,6]"))
    #expect(!letter.contains("enum MessageKey"))
    #expect(CatalogSource(try read(text)).text.contains("public enum MessageKey"))
  }
}
