import JSON
import KindVerbAPI
import Testing

@Suite struct ErrorTests {
  private func written(_ failure: APIError, _ language: Language = .en) throws -> JSON {
    var writer = JSONWriter()
    failure.write(to: &writer, language: language)
    return try JSON(parsing: writer.bytes)
  }

  @Test(arguments: ErrorKey.allCases)
  func everyErrorIsWholeInEveryLanguage(key: ErrorKey) throws {
    #expect(key.rawValue == "error.\(key.domain).\(key.name)")
    var texts: Set<String> = []
    for language in Language.allCases {
      let json = try written(APIError(key), language)
      let message = try #require(json["message"]?.stringValue)
      #expect(!message.isEmpty && message != key.rawValue)
      texts.insert(message)
      #expect(json["code"]?.intValue == key.code)
      let data = try #require(json["data"]?.objectValue)
      #expect(data.names == ["domain", "code", "messageKey", "message", "retriable"], "details only where they apply")
      #expect(data["message"]?.stringValue == message && data["messageKey"]?.stringValue == key.rawValue)
      #expect(data["retriable"] == .bool(key.isRetriable))
    }
    #expect(texts.count == Language.allCases.count, "a text was not translated")
  }

  @Test func codesOfTheDomainsAreTheirOwn() {
    let domains = ErrorKey.allCases.filter { $0.code > 0 }
    #expect(Set(domains.map(\.code)).count == domains.count)
    for key in domains { #expect((1_100..<3_000).contains(key.code)) }
    #expect(ErrorKey.rpcParseError.code == -32700 && ErrorKey.rpcInvalidRequest.code == -32600)
    #expect(ErrorKey.rpcMethodNotFound.code == -32601 && ErrorKey.rpcInvalidParams.code == -32602)
    #expect(ErrorKey.rpcInternal.code == -32603 && ErrorKey.rpcOverloaded.code == -32001 && ErrorKey.rpcDeadline.code == -32002)
    #expect(ErrorKey.rpcTooLarge.code == -32003 && ErrorKey.rpcNotReady.code == -32004 && ErrorKey.storageFull.code == -32005)
    #expect(ErrorKey.storageBusy.code == -32006 && ErrorKey.rpcCancelled.code == -32800)
  }

  @Test func theSeedsKeys() {
    #expect(ErrorKey.journalTooLong.rawValue == "error.journal.too_long")
    #expect(ErrorKey.journalEmotionEmpty.rawValue == "error.journal.emotion_empty")
    #expect(ErrorKey.journalWantEmpty.rawValue == "error.journal.want_empty")
    #expect(ErrorKey.storageFailed.rawValue == "error.storage.failed")
    #expect(ErrorKey.entitlementProRequired.rawValue == "error.entitlement.pro_required")
  }

  @Test func detailsStandInData() throws {
    var failure = APIError(.journalTooLong, field: "hurtText")
    failure.limit = 500
    failure.unit = "characters"
    failure.retryAfterMs = 7
    failure.expected = "e"
    failure.got = "g"
    failure.nearest = "n"
    failure.offset = 3
    failure.reason = "r"
    let data = try #require(try written(failure, .ko)["data"]?.objectValue)
    #expect(data["field"] == "hurtText" && data["limit"] == 500 && data["unit"] == "characters" && data["retryAfterMs"] == 7)
    #expect(
      data["expected"] == "e" && data["got"] == "g" && data["nearest"] == "n" && data["offset"] == 3 && data["reason"] == "r")
    #expect(data["message"]?.stringValue == "글이 너무 길어요. 조금만 줄여 주세요.")
  }

  @Test func textThatAPersonWroteDescribesItselfAsWithheld() {
    let text = PersonalText("nobody may read this")
    var dumped = ""
    dump(text, to: &dumped)
    for description in [
      "\(text)", String(reflecting: text), dumped, "\([text])", "\(Change.set(text))", "\(Optional(text) as Any)",
    ] {
      #expect(!description.contains("nobody"), "\(description)")
    }
    #expect(text.exposed == "nobody may read this")
  }
}
