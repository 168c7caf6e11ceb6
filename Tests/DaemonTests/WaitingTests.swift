import EventLoop
import Glibc
import JSON
import JSONRPC
import KindVerbAPI
import TestLoop
import Testing

@testable import Daemon
@testable import RPCServer

private struct Odd: Error {
  let words: String
}

/// A house whose searches never end by themselves.
@DaemonActor
private func houseThatWaits(_ limits: DispatchLimits = DispatchLimits()) throws -> House {
  try House(limits) { router in
    router.on(Methods.SystemPing.self) { _, _ in Pong(pong: true) }
    router.onWaiting(Methods.JournalSearch.self) { _, _ in try await waitForever() }
  }
}

private func search(_ id: Int, _ more: String = "") -> String { call(id, "journal.search", #"{"query":"x"\#(more)}"#) }

@Suite("Calls that wait", .serialized, .timeLimit(.minutes(1)))
struct WaitingTests {
  init() { precondition(loopThread) }

  @Test("a cancelled call is answered so, once, and its id is free again")
  @DaemonActor func cancel() async throws {
    let house = try houseThatWaits()
    house.send(search(1), search(2), call(3, "rpc.cancel", #"{"id":2}"#), call(4, "rpc.cancel", #"{"id":2}"#))
    var answers: [JSON] = []
    for _ in 0..<3 { answers.append(try await house.reply()) }
    let of = { (id: Int) in answers.first { $0["id"]?.intValue == id } }
    #expect(code(of(2)) == -32800)
    #expect(of(3)?["result"] == ["cancelled": true] && of(4)?["result"] == ["cancelled": false])
    house.send(search(2), call(5, "rpc.cancel", #"{"id":1}"#))
    #expect(Set([try await house.reply(), try await house.reply()].map { code($0) }) == [nil, -32800])
    #expect(house.connection.unanswered == 1)
  }

  @Test("a call that came too long ago is refused before it runs; another line of the same connection is not")
  @DaemonActor func tooLate() async throws {
    let house = try House()
    let create = { (id: Int) in call(id, "journal.create", #"{"conflictType":"friends","_meta":{"deadlineMs":60000}}"#) }
    house.arrive(create(1), ago: 60_500)
    house.arrive(create(2), ago: 60_500)
    house.arrive(create(3))
    house.run()
    let answers = [try await house.reply(), try await house.reply(), try await house.reply()]
    #expect(answers.map { code($0) } == [-32002, -32002, nil])
    #expect(answers[0]["error"]?["data"]?["retriable"] == true)
    #expect(try await house.journals().count == 1)
  }

  @Test("a call that waits has what is left of its time since it came")
  @DaemonActor func deadline() async throws {
    let house = try houseThatWaits()
    house.send(search(1, #","_meta":{"deadlineMs":600000}"#), ago: 599_950)
    #expect(code(try await house.reply()) == -32002)
    #expect(house.connection.unanswered == 0)
    house.send(search(1, #","_meta":{"deadlineMs":600000}"#), call(2, "rpc.cancel", #"{"id":1}"#))
    #expect(Set([try await house.reply(), try await house.reply()].map { code($0) }) == [nil, -32800])
  }

  @Test("wrong parameters of a call that waits are told at once, and take no place")
  @DaemonActor func wrong() async throws {
    var limits = DispatchLimits()
    limits.callsInFlight = 1
    let house = try houseThatWaits(limits)
    house.send(call(1, "journal.search", #"{"q":1}"#), search(2), search(3), search(2))
    let answers = [try await house.reply(), try await house.reply(), try await house.reply()]
    #expect(answers.map { code($0) } == [-32602, -32001, -32001])
  }

  @Test(
    "until the store is open, what needs it is refused with the state; what does not is answered",
    arguments: [DaemonState.starting, .migrating(0.5), .stopping])
  @DaemonActor func notReady(_ state: DaemonState) async throws {
    let house = try House()
    house.dispatcher.state = state
    for method in ["journal.create", "journal.list", "journal.search", "events.subscribe"] {
      let answer = try await house.ask(call(1, method))
      #expect(code(answer) == -32004)
      #expect(answer["error"]?["data"]?["reason"]?.stringValue == state.name)
      #expect(answer["error"]?["data"]?["retryAfterMs"]?.intValue ?? 0 > 0)
    }
    #expect(code(try await house.ask(call(2, "system.ping"))) == nil)
  }

  @Test("an error that nobody foresaw is a bare one, with the number that the log has and none of its words")
  @DaemonActor func unforeseen() async throws {
    let house = try House { router in
      router.on(Methods.SystemPing.self) { _, _ in throw Odd(words: "Geheimnis") }
      router.onWaiting(Methods.JournalSearch.self) { _, _ in throw Odd(words: "Geheimnis") }
    }
    for (number, line) in [call(1, "system.ping"), search(2)].enumerated() {
      house.send(line)
      let text = String(decoding: try await house.line(), as: UTF8.self)
      let answer = try JSON.parse(text)
      #expect(code(answer) == -32603 && answer["error"]?["data"]?["reason"]?.stringValue == "request-\(number + 1)")
      #expect(!text.contains("Geheimnis"))
    }
    #expect(StoreFaults.detail(Odd(words: "Geheimnis")) == "Odd")
    #expect(StoreFaults.apiError(CancellationError()).key == .rpcCancelled)
  }
}

@Suite("Calls in flight", .serialized)
struct InFlightTests {
  init() { precondition(loopThread) }

  /// Two connections, one of them with a client, and no calls yet.
  @DaemonActor
  private final class Pair {
    let house: House
    let other: Connection
    let calls = InFlight()
    private let peer: Int32
    var one: Connection { house.connection }

    init() throws {
      house = try House()
      (other, peer) = try House.connect(2, house.server)
    }

    isolated deinit {
      close(peer)
      other.markClosed()
    }
  }

  private func id(_ text: String) -> RequestID { RequestID(bytes: Array(text.utf8)) }

  @Test("an id is taken once on a connection, by its bytes; calls without one never meet")
  @DaemonActor func ids() throws {
    let pair = try Pair()
    let calls = pair.calls
    #expect(calls.add(id("1"), on: pair.one) != nil)
    #expect(calls.add(id("1"), on: pair.one) == nil)
    #expect(calls.add(id("1"), on: pair.other) != nil)
    #expect(calls.add(id(#""1""#), on: pair.one) != nil)
    #expect(calls.add(nil, on: pair.one) != nil && calls.add(nil, on: pair.one) != nil)
    #expect(calls.count(on: pair.one) == 4 && calls.count(on: pair.other) == 1)
  }

  @Test("whoever takes a call out answers it: it goes out once")
  @DaemonActor func remove() throws {
    let pair = try Pair()
    let entry = try #require(pair.calls.add(id("1"), on: pair.one))
    #expect(!pair.calls.remove(entry, on: pair.other))
    #expect(pair.calls.remove(entry, on: pair.one))
    #expect(!pair.calls.remove(entry, on: pair.one))
    #expect(pair.calls.count(on: pair.one) == 0 && pair.calls.add(id("1"), on: pair.one) != nil)
  }

  @Test(
    "a call is found by its id in whatever escapes, on its own connection alone",
    arguments: [
      ("7", "7", true), (#""\u0061""#, #""a""#, true), ("null", "null", true), ("7", #""7""#, false), ("7", "8", false),
    ])
  @DaemonActor func cancel(_ sent: String, _ named: String, _ isFound: Bool) throws {
    let pair = try Pair()
    let entry = try #require(pair.calls.add(id(sent), on: pair.one))
    var cancelled = 0
    entry.onCancel = { cancelled += 1 }
    entry.task = Task { @DaemonActor in _ = try? await waitForever() }
    let name = try JSON.parse(named)
    #expect(!pair.calls.cancel(name, on: pair.other) && cancelled == 0)
    #expect(pair.calls.cancel(name, on: pair.one) == isFound)
    #expect(cancelled == (isFound ? 1 : 0) && entry.task?.isCancelled == isFound)
    entry.task?.cancel()
  }

  @Test("of a connection that is gone everything is cancelled, and nobody is told")
  @DaemonActor func cancelAll() throws {
    let pair = try Pair()
    var told = 0
    for number in 0..<3 {
      let entry = try #require(pair.calls.add(id("\(number)"), on: pair.one))
      entry.onCancel = { told += 1 }
      entry.task = Task { @DaemonActor in _ = try? await waitForever() }
    }
    let kept = try #require(pair.calls.add(id("1"), on: pair.other))
    kept.task = Task { @DaemonActor in _ = try? await waitForever() }
    pair.calls.cancelAll(on: pair.one)
    #expect(told == 0 && pair.calls.count(on: pair.one) == 0 && pair.calls.count(on: pair.other) == 1)
    #expect(kept.task?.isCancelled == false)
    kept.task?.cancel()
  }
}
