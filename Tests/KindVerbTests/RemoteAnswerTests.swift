import JSON
import KindVerbAPI
import Outbox
import Testing

@testable import KindVerb

@Suite("What services answer") struct RemoteAnswerTests {
  private func body(_ status: String, code: Int, details: String = "") -> [UInt8] {
    Array(#"{"error":{"code":\#(code),"status":"\#(status)","message":"x"\#(details)}}"#.utf8)
  }

  @Test(
    "a protobuf duration",
    arguments: [
      ("37s", 37_000), ("37.5s", 37_500), ("0s", 0), ("-1s", 0), ("0.000000001s", 0), ("999999999999s", 86_400_000), ("37", nil),
      ("s", nil),
      ("infs", nil), ("nans", nil), ("", nil), ("1e3s", 1_000_000),
    ] as [(String, Int?)])
  func durations(text: String, milliseconds: Int?) { #expect(GoogleError.milliseconds(text) == milliseconds) }

  @Test(
    "what an answer means for a letter that must be there once", arguments: [false, true],
    [ShareService.Rules.createOnly, .readable])
  func commits(mayHaveArrived: Bool, rules: ShareService.Rules) {
    func step(_ status: Int, _ body: [UInt8], wish: Int? = nil) -> FirestoreVerdict.Step {
      FirestoreVerdict.ofCommit(status: status, body: body, retryAfterMs: wish, mayHaveArrived: mayHaveArrived, rules: rules)
    }
    #expect(step(200, Array(#"{"writeResults":[{"updateTime":"x"}],"commitTime":"x"}"#.utf8)) == .settled(.delivered()))
    #expect(step(200, Array("<html>".utf8)) == .settled(.unconfirmed(.linkUnconfirmed, mayHaveArrived: true)))
    #expect(step(409, body("ALREADY_EXISTS", code: 409)) == .settled(.delivered()))
    #expect(step(409, body("ABORTED", code: 409)) == .settled(.unconfirmed(.networkUnavailable, mayHaveArrived: false)))
    let denied = step(403, body("PERMISSION_DENIED", code: 403))
    switch (mayHaveArrived, rules) {
    case (false, _): #expect(denied == .settled(.refused(.linkPermissionDenied)))
    case (true, .createOnly): #expect(denied == .settled(.delivered(isConfirmed: false)))
    case (true, .readable): #expect(denied == .look)
    }
    #expect(
      step(429, body("RESOURCE_EXHAUSTED", code: 429), wish: 5)
        == .settled(.unconfirmed(.linkRateLimited, mayHaveArrived: false, retryAfterMs: 5)))
    for (status, name) in [(500, "INTERNAL"), (503, "UNAVAILABLE"), (504, "DEADLINE_EXCEEDED")] {
      #expect(step(status, body(name, code: status)) == .settled(.unconfirmed(.networkUnavailable, mayHaveArrived: true)))
    }
    #expect(step(400, body("INVALID_ARGUMENT", code: 400)) == .settled(.refused(.linkInvalidContent)))
    let key = #","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]"#
    #expect(step(400, body("INVALID_ARGUMENT", code: 400, details: key)) == .settled(.refused(.linkPermissionDenied)))
    // A front end that refuses at the door: no word of what got through before.
    let front = step(403, Array("<html>".utf8))
    #expect(
      front == .settled(mayHaveArrived ? .unconfirmed(.linkUnconfirmed, mayHaveArrived: false) : .refused(.linkPermissionDenied)))
  }

  @Test("what looking says")
  func looks() {
    #expect(FirestoreVerdict.ofLook(status: 200, body: Array(#"{"name":"x"}"#.utf8), retryAfterMs: nil) == .delivered())
    #expect(
      FirestoreVerdict.ofLook(status: 404, body: body("NOT_FOUND", code: 404), retryAfterMs: nil)
        == .refused(.linkPermissionDenied, isAbsent: true))
    #expect(
      FirestoreVerdict.ofLook(status: 403, body: body("PERMISSION_DENIED", code: 403), retryAfterMs: nil)
        == .delivered(isConfirmed: false))
    #expect(
      FirestoreVerdict.ofLook(status: 502, body: Array("<html>".utf8), retryAfterMs: 9)
        == .unconfirmed(.networkUnavailable, mayHaveArrived: true, retryAfterMs: 9))
  }

  @Test("a commit holds the letter, its end, and nothing else")
  func commit() throws {
    let service = ShareService(project: "p")
    let made = try #require(
      FirestoreCommit(
        "0f8fad5b-d9cb-469f-a165-70867728950e", content: "안녕 \"you\"\n", language: .ko, expireAt: 1_000, service: service))
    let json = try JSON(parsing: made.body)
    let write = try #require(json["writes"]?[0])
    #expect(write["update"]?["fields"]?.objectValue?.names.sorted() == ["content", "expireAt", "language", "schema"])
    #expect(write["update"]?["fields"]?["content"]?["stringValue"]?.stringValue == "안녕 \"you\"\n")
    #expect(write["update"]?["fields"]?["expireAt"]?["timestampValue"]?.stringValue == "1970-01-01T00:00:01Z")
    #expect(write["currentDocument"]?["exists"]?.boolValue == false)
    #expect(made.url == "https://firestore.googleapis.com/v1/projects/p/databases/(default)/documents:commit")
    #expect("\(made)" == "an upload" && !String(reflecting: made).contains("안녕"))
    #expect(FirestoreCommit("x", content: "x", language: .ko, expireAt: 0, service: ShareService()) == nil)
  }

  @Test(
    "a fence or quotation marks around the whole letter go, others stay",
    arguments: [
      ("```\nHi.\n```", "Hi."), ("```text\nHi.\n\nBye.\n```\n", "Hi.\n\nBye."), ("\n\n  Hi.\n\n", "  Hi."), ("\"Hi.\"", "Hi."),
      ("“Hi.”", "Hi."),
      ("「やあ。」", "やあ。"), ("\"Hi,\" she said, \"bye.\"", "\"Hi,\" she said, \"bye.\""), ("Hi.\r\nBye.\r\n", "Hi.\nBye."), ("", ""),
    ])
  func bare(text: String, letter: String) { #expect(GeminiAnswer.bare(text) == letter) }

  @Test("a stream cut at any byte is the same letter")
  func stream() throws {
    let events = ["안녕, ", "<PERSON_1>", "야. 😀"].map { #"data: {"candidates":[{"content":{"parts":[{"text":"\#($0)"}]}}]}"# }
    let last = #"data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{}}"#
    let bytes = Array((events + [last]).joined(separator: "\r\n\r\n").utf8)
    for size in 1...bytes.count {
      var stream = GeminiStream()
      var rest = bytes[...]
      while !rest.isEmpty {
        stream.take(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      stream.end()
      #expect(try stream.answer.letter() == "안녕, <PERSON_1>야. 😀")
    }
  }
}
