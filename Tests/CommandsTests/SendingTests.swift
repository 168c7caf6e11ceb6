import CivilTime
import FakeDaemon
import JSON
import JSONRPC
import KindVerbAPI
import Synchronization
import Testing

@testable import Commands

/// Half past ten in the morning of 30 November, an hour east of Greenwich.
private let clock = LocalClock(now: 1_796_031_000_000, zone: .fixed(3_600))

private func letter(fallback: DraftFallback? = nil, fromStore: Bool? = nil) -> LetterDraft {
  LetterDraft(
    id: "a", journalId: "b", schemaVersion: 1, status: .drafted, content: PersonalText("Hi"), tone: .concise, register: .casual,
    language: .en, source: .template, aiModel: nil, promptVersion: 1, iteration: 1, createdAt: "", updatedAt: "",
    finalizedAt: nil,
    notices: [], fallback: fallback, fromStore: fromStore)
}

private func share(
  _ status: DeliveryState, url: String? = nil, expiresAt: String? = nil, error: String? = nil, mayHaveArrived: Bool = false
) -> Share {
  Share(
    id: "0f9e8d7c-6b5a-4321-9abc-ef0123456789", letterId: "b", status: status, remoteId: nil, url: url, expiresAt: expiresAt,
    expiresInDays: 7, contentHash: "", confirmed: true, mayHaveArrived: mayHaveArrived, attempts: 1, nextAttemptAt: nil,
    lastError: error.map { DeliveryError(messageKey: "k", message: $0, retriable: true) }, createdAt: "2026-11-30T23:30:00Z",
    updatedAt: "2026-11-30T23:30:00Z")
}

@Suite("What is sent, in words")
struct SendingWordTests {
  @Test("moments are those of the clock here, and dates those of its wall")
  func moments() {
    let words = WallClockWords(.en, clock: clock)
    #expect(words.moment("2026-11-30T23:30:00Z") == "tomorrow 00:30")
    #expect(words.date("2026-11-30T23:30:00Z") == "2026-12-01")
    #expect(words.moment("2026-12-07T08:00:00.500Z") == "Monday, 7 December 09:00")
    #expect(words.moment("soon") == "soon" && words.date("soon") == "soon")
    #expect(words.isPast("2026-11-30T08:00:00Z") && !words.isPast("2026-11-30T12:00:00Z") && !words.isPast("soon"))
  }

  @Test(
    "when to try again: at once, in seconds, in minutes, at a time; never sooner than it may be",
    arguments: [
      (-1, "You can simply try again."), (0, "You can simply try again."), (1, "in 1 s."), (1_001, "in 2 s."),
      (89_999, "in 90 s."),
      (90_000, "in about 2 min."), (60_001 * 10, "in about 11 min."), (3_600_000, "from today"), (86_400_000, "from tomorrow"),
    ])
  func retry(_ milliseconds: Int, _ wanted: String) {
    #expect(WallClockWords(.en, clock: clock).retry(afterMilliseconds: milliseconds).contains(wanted))
  }

  @Test("beside a letter stands where it came from, if that is to be told", arguments: Language.allCases)
  func beside(_ language: Language) {
    #expect(AIDraft.words(letter(), language, clock: clock).isEmpty)
    #expect(AIDraft.words(letter(fromStore: true), language, clock: clock).count == 1)
    let waiting = DraftFallback(messageKey: "k", message: "The reason.", retriable: true, retryAfterMs: 600_000)
    let told = AIDraft.words(letter(fallback: waiting), language, clock: clock)
    #expect(told.count == 1 && told[0].contains("The reason.") && told[0].contains("10"))
    let final = DraftFallback(messageKey: "k", message: "The reason.", retriable: false)
    let words = AIDraft.words(letter(fallback: final), language, clock: clock)
    #expect(words[0].hasSuffix("The reason."), "nothing of trying again, which would not help")
  }

  @Test("the state of drafts: what is missing is told with the way to it, and what it waits for")
  func status() {
    let status = { (left: Int, machine: Int, wait: Int, key: Bool) in
      AIStatus(
        enabled: true, configured: key, model: "m", usedToday: 1 - left, limitPerDay: 1, leftToday: left,
        renewsAt: "2026-11-30T23:00:00Z", machineLeftToday: machine, machineLeftThisMinute: 6, retryAfterMs: wait)
    }
    let lines = { (status: AIStatus) in AIWords(.en, clock: clock).status(status, host: "h") }
    #expect(
      lines(status(1, 20, 0, true)) == [
        "Drafts by an AI are on: h, m.", "There is a key.", "Left for today: 1 of 1. More from tomorrow 00:00 on.",
      ])
    #expect(lines(status(1, 20, 0, false))[1].contains("gemini-key"))
    #expect(lines(status(1, 20, 3_600_000, true)).count == 4)
    #expect(lines(status(0, 20, 3_600_000, true)).count == 3, "when there are more is said already")
    #expect(lines(status(1, 0, 0, true)).count == 4)
  }

  @Test("a link's row: how far, until when, where or why not", arguments: Language.allCases)
  func row(_ language: Language) {
    let words = ShareWords(language, clock: clock)
    let there = words.row(share(.succeeded, url: "https://x/1", expiresAt: "2026-12-07T08:00:00Z"))
    #expect(there[0] == "23456789" && there[1] == "2026-12-01" && there[3].contains("09:00") && there[4] == "https://x/1")
    #expect(words.row(share(.failed, error: "Why."))[3...] == ["", "Why."])
    #expect(words.row(share(.canceled, error: "Why."))[4] == "", "nobody asks why it did not go")
    let states = [
      share(.queued), share(.uploading), share(.failed), share(.canceled), share(.succeeded, expiresAt: "2026-12-07T08:00:00Z"),
      share(.succeeded, expiresAt: "2026-11-30T08:00:00Z"),
    ].map(words.status)
    #expect(Set(states).count == states.count)
    #expect(words.canceled(share(.canceled)).count == 1)
    #expect(words.canceled(share(.canceled, mayHaveArrived: true)).count == 2)
  }

  @Test("the outbox is spoken of while something waits in it")
  func outbox() {
    let status = { (queued: Int, uploading: Int, next: String?) in
      OutboxStatus(
        queued: queued, uploading: uploading, failed: 3, capacity: 100, oldestAt: nil, nextAttemptAt: next, lastError: nil)
    }
    let words = ShareWords(.en, clock: clock)
    #expect(words.outbox(status(0, 0, nil)) == nil)
    #expect(words.outbox(status(1, 1, nil)) == "Waiting to be sent: 2.")
    #expect(
      words.outbox(status(1, 0, "2026-11-30T10:00:00Z")) == "Waiting to be sent: 1. The next attempt comes by today 11:00.")
  }
}

@Suite("A call that takes its time", .timeLimit(.minutes(1)))
struct WaitingCallTests {
  @Test("notifications are handed over as they come, and the answer ends the wait")
  func notifications() throws {
    let daemon = FakeDaemon { request in
      let told = #"{"jsonrpc":"2.0","method":"ai.progress","params":{"receivedCharacters":7}}"#
      return .line(told + "\n" + #"{"jsonrpc":"2.0","id":\#(request["id"]?.description ?? ""),"result":{}}"#)
    }
    var seen: [Int?] = []
    let client = try Client(path: daemon.path)
    let reply = try client.call("x", timeoutMilliseconds: 20_000, tickMilliseconds: 10_000) { notification in
      seen.append(notification?.params["receivedCharacters"]?.intValue)
      return true
    }
    #expect(reply == .result(JSON.object(JSONObject())) && seen == [7])
  }

  @Test("whoever goes on no longer has the call cancelled, once, by its id, and gets the cancellation")
  func cancellation() throws {
    let asked = Mutex<[JSON]>([])
    let daemon = FakeDaemon { request in
      let isFirst = asked.withLock { asked in
        asked.append(request)
        return asked.count == 1
      }
      // What is told meanwhile, in the place of an answer.
      if isFirst { return .line(#"{"jsonrpc":"2.0","method":"ai.progress","params":{}}"#) }
      let id = request["params"]?["id"]?.description ?? ""
      return .line(
        #"{"jsonrpc":"2.0","id":\#(request["id"]?.description ?? ""),"result":{"cancelled":true}}"# + "\n"
          + #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32800,"message":"cancelled"}}"#)
    }
    let client = try Client(path: daemon.path)
    let reply = try client.call("x", timeoutMilliseconds: 20_000, tickMilliseconds: 10) { _ in false }
    #expect(reply == .error(code: -32_800, message: "cancelled", data: .null))
    let methods = asked.withLock { $0.map { $0["method"]?.stringValue } }
    #expect(methods == ["x", "rpc.cancel"])
  }

  @Test("a daemon that answers nothing is waited for no longer than that: a second after a cancellation")
  func silence() throws {
    let daemon = FakeDaemon { _ in .silence }
    let client = try Client(path: daemon.path)
    let start = ContinuousClock.now
    #expect(throws: ClientError.self) {
      try client.call("x", timeoutMilliseconds: 60_000, tickMilliseconds: 10) { _ in false }
    }
    #expect(ContinuousClock.now - start < .seconds(30))
    let again = try Client(path: daemon.path)
    var ticks = 0
    #expect(throws: ClientError.self) {
      try again.call("x", timeoutMilliseconds: 200, tickMilliseconds: 10) { _ in
        ticks += 1
        return true
      }
    }
    #expect(ticks > 1)
  }
}
