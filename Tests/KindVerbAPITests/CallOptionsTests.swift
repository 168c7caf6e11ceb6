import JSON
import KindVerbAPI
import Testing

@Suite struct CallOptionsTests {
  @Test func all() throws {
    let options = try CallOptions(
      decoding: JSON.parse(#"{"idempotencyKey":"k","deadlineMs":600000,"dryRun":true,"language":"ko"}"#))
    #expect(options.idempotencyKey == "k" && options.deadlineMs == 600_000 && options.dryRun && options.language == .ko)
  }

  @Test func none() throws {
    #expect(try CallOptions(decoding: [:]) == CallOptions())
    #expect(try CallOptions(decoding: JSON.parse(#"{"language":null,"dryRun":null}"#)) == CallOptions())
  }

  @Test(arguments: [
    (#"{"deadlineMs":0}"#, "_meta.deadlineMs"), (#"{"deadlineMs":600001}"#, "_meta.deadlineMs"),
    (#"{"deadlineMs":1.5}"#, "_meta.deadlineMs"), (#"{"idempotencyKey":""}"#, "_meta.idempotencyKey"),
    (#"{"idempotencyKey":5}"#, "_meta.idempotencyKey"), (#"{"idempotencyKey":"\u0000"}"#, "_meta.idempotencyKey"),
    (#"{"dryRun":"yes"}"#, "_meta.dryRun"), (#"{"language":"fr"}"#, "_meta.language"), (#"{"dryrun":true}"#, "_meta.dryrun"),
    ("[]", "_meta"), ("null", "_meta"), ("\"x\"", "_meta"),
  ])
  func whatIsWrongIsNamed(text: String, field: String) throws {
    let json = try JSON.parse(text)
    let failure = try #require(throws: APIError.self) { _ = try CallOptions(decoding: json) }
    #expect(failure.key == .rpcInvalidParams && failure.field == field)
  }

  @Test func aKeyHasAtMost128Bytes() throws {
    _ = try CallOptions(decoding: ["idempotencyKey": .string(String(repeating: "x", count: 128))])
    let failure = try #require(throws: APIError.self) {
      _ = try CallOptions(decoding: ["idempotencyKey": .string(String(repeating: "é", count: 65))])
    }
    #expect(failure.limit == 128 && failure.unit == "bytes")
  }
}
