import KindVerbAPI
import Testing

@Suite struct LimitTests {
  private func create(_ member: String) -> String { #"{"conflictType":"friends",\#(member)}"# }

  @Test(arguments: ["a", "가", "e\u{301}", "👍🏽", "🇰🇷"])
  func charactersAreWhatAPersonCounts(character: String) throws {
    let most = String(repeating: character, count: 500)
    let read = try Methods.JournalCreate.Params(decoding: params(create(#""hurtText":"\#(most)""#)))
    #expect(read.hurtText?.exposed == most)
    let failure = try refusal(Methods.JournalCreate.self, create(#""hurtText":"\#(most)x""#))
    #expect(failure.key == .journalTooLong && failure.field == "hurtText")
    #expect(failure.limit == 500 && failure.unit == "characters")
  }

  @Test(arguments: ["situationText", "hurtText", "reflectionText", "desiredNeedText"])
  func everyAnswerHasBothLimits(field: String) throws {
    // 320 times 25 bytes are exactly the 8 000 that stand beside 500 characters.
    let most = String(repeating: family, count: 320)
    _ = try Methods.JournalCreate.Params(decoding: params(create(#""\#(field)":"\#(most)""#)))
    let failure = try refusal(Methods.JournalCreate.self, create(#""\#(field)":"\#(most)x""#))
    #expect(failure.key == .journalTooLong && failure.field == field && failure.limit == 8_000 && failure.unit == "bytes")
  }

  @Test func oneEndlessCharacterIsNoHole() throws {
    let one = "a" + String(repeating: "\u{301}", count: 4_000)
    #expect(one.count == 1)
    #expect(try refusal(Methods.JournalCreate.self, create(#""hurtText":"\#(one)""#)).unit == "bytes")
    #expect(try refusal(Methods.JournalCreate.self, create(#""feelings":["\#(one)"]"#)).key == .journalFeelingTooLong)
    #expect(try refusal(Methods.JournalGet.self, #"{"id":"\#(one)"}"#).limit == 64)
  }

  @Test func feelings() throws {
    let eight = Array(repeating: "\"sad\"", count: 8).joined(separator: ",")
    #expect(try Methods.JournalCreate.Params(decoding: params(create(#""feelings":[\#(eight)]"#))).feelings?.count == 8)
    let many = try refusal(Methods.JournalCreate.self, create(#""feelings":[\#(eight),"x"]"#))
    #expect(many.key == .journalTooManyFeelings && many.field == "feelings" && many.limit == 8 && many.unit == "items")
    let long = try refusal(Methods.JournalCreate.self, create(#""feelings":["sad","\#(String(repeating: "가", count: 25))"]"#))
    #expect(long.key == .journalFeelingTooLong && long.field == "feelings[1]" && long.limit == 24)
    _ = try Methods.JournalCreate.Params(decoding: params(create(#""feelings":["\#(String(repeating: "가", count: 24))"]"#)))
    _ = try Methods.JournalCreate.Params(decoding: params(create(#""feelings":[]"#)))
  }

  @Test func theConstantsAreTheContractsLimits() {
    #expect(ContractLimits.AnswerText.maxLength == 500 && ContractLimits.AnswerText.maxBytes == 8_000)
    #expect(ContractLimits.Feelings.maxItems == 8 && ContractLimits.FeelingText.maxLength == 24)
    #expect(ContractLimits.PageLimit.maximum == 200 && ContractLimits.PageLimit.minimum == 1)
    #expect(ContractLimits.LetterText.maxLength == 10_000)
  }

  @Test func addressee() throws {
    let failure = try refusal(Methods.JournalCreate.self, create(#""addressee":"\#(String(repeating: "x", count: 25))""#))
    #expect(failure.key == .journalTooLong && failure.field == "addressee" && failure.limit == 24)
  }

  @Test func letters() throws {
    let most = String(repeating: "x", count: 10_000)
    _ = try Methods.LetterEdit.Params(decoding: params(#"{"id":"x","content":"\#(most)"}"#))
    let failure = try refusal(Methods.LetterEdit.self, #"{"id":"x","content":"\#(most)x"}"#)
    #expect(failure.key == .letterTooLong && failure.field == "content" && failure.limit == 10_000)
    let bytes = try refusal(Methods.LetterEdit.self, #"{"id":"x","content":"\#(String(repeating: family, count: 6_401))"}"#)
    #expect(bytes.key == .letterTooLong && bytes.limit == 160_000 && bytes.unit == "bytes")
  }

  @Test(arguments: [(0, 1), (-1, 1), (201, 200), (Int.max, 200)])
  func pages(number: Int, limit: Int) throws {
    let failure = try refusal(Methods.JournalList.self, #"{"limit":\#(number)}"#)
    #expect(failure.key == .rpcInvalidParams && failure.field == "limit" && failure.limit == limit)
    #expect(failure.unit == (limit == 1 ? "minimum" : "maximum"))
    for number in [1, 200] { _ = try Methods.JournalList.Params(decoding: params(#"{"limit":\#(number)}"#)) }
  }

  @Test func anEmptyQueryIsRefused() throws {
    let failure = try refusal(Methods.JournalSearch.self, #"{"query":""}"#)
    #expect(failure.key == .rpcInvalidParams && failure.field == "query" && failure.limit == 1)
  }

  @Test(arguments: [
    ("19.999", 20, "minimum"), ("-68.4", 20, "minimum"), ("0", 20, "minimum"), ("300.0001", 300, "maximum"),
    ("3.1e2", 300, "maximum"),
    ("1e300", 300, "maximum"),
  ])
  func numbersWithAFractionHaveLimitsToo(text: String, limit: Int, unit: String) throws {
    let failure = try refusal(Methods.HealthWeightSet.self, #"{"weightKg":\#(text)}"#)
    #expect(failure.key == .healthOutOfRange && failure.field == "weightKg" && failure.limit == limit && failure.unit == unit)
    for (text, number) in [("20", 20), ("20.0", 20), ("300", 300), ("6.84e1", 68.4)] {
      #expect(try Methods.HealthWeightSet.Params(decoding: params(#"{"weightKg":\#(text)}"#)).weightKg == number)
    }
  }

  @Test(arguments: ["\"70.5\"", "\"70,5\"", "true", "[70]", "{}"])
  func whatIsNoNumberIsNone(text: String) throws {
    let failure = try refusal(Methods.HealthWeightSet.self, #"{"weightKg":\#(text)}"#)
    #expect(failure.key == .rpcInvalidParams && failure.field == "weightKg" && failure.expected == "number")
  }
}
