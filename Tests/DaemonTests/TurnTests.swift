import EventLoop
import Glibc
import JSON
import KindVerbAPI
import TestLoop
import Testing

@testable import Daemon
@testable import RPCServer

private let create = #"{"conflictType":"friends","situationText":"words","_meta":{"idempotencyKey":"k"}}"#
private let draft = #"{"conflictType":"friends"}"#

@Suite("A turn and its commit", .serialized, .timeLimit(.minutes(1)))
struct TurnTests {
  init() { precondition(loopThread) }

  /// Runs lines in one turn whose commit fails, and gives the answers; nothing of it may be left afterwards.
  @DaemonActor
  private func answersOfALostTurn(_ house: House, _ lines: [String]) async throws -> [JSON] {
    let before = try await house.journals()
    for line in lines { house.arrive(line) }
    // A file that is not in its place takes no commit: nobody would find it again.
    rename(house.path + "/data/kindverb.db", house.path + "/data/elsewhere")
    house.run()
    rename(house.path + "/data/elsewhere", house.path + "/data/kindverb.db")
    var answers: [JSON] = []
    for _ in lines { answers.append(try await house.reply()) }
    #expect(try await house.journals() == before)
    return answers
  }

  @Test("whatever was answered from a transaction that is then lost is taken back: writes, replays, reads and errors")
  @DaemonActor func lost() async throws {
    let house = try House()
    let old = try #require(try await house.ask(call(0, "journal.create", draft))["result"]?["id"]?.stringValue)
    let answers = try await answersOfALostTurn(
      house,
      [
        call(1, "journal.get", #"{"id":"\#(old)"}"#), call(2, "journal.create", create), call(3, "journal.create", create),
        call(4, "journal.resume"), call(5, "journal.list"), call(6, "system.ping"), call(7, "journal.get", #"{"id":5}"#),
        call(8, "journal.create", #"{"conflictType":"friends","_meta":{"idempotencyKey":"k"}}"#),
        call(9, "journal.delete", #"{"id":"\#(old)"}"#), call(10, "journal.get", #"{"id":"\#(old)"}"#),
        call(11, "journal.create", #"{"conflictType":"friends","_meta":{"dryRun":true}}"#), call(12, "settings.get"),
      ])
    let lost = 1602
    #expect(answers.map { code($0) } == [nil, lost, lost, lost, lost, nil, -32602, lost, lost, lost, lost, lost])
    #expect(answers.map { $0["id"]?.intValue } == Array(1...12))
    #expect(try await house.ask(call(13, "journal.get", #"{"id":"\#(old)"}"#))["result"]?["id"]?.stringValue == old)
    // The key is free as well.
    let again = try await house.ask(call(14, "journal.create", create))["result"]?["id"]?.stringValue
    #expect(try await house.journals() == [again, old].compactMap { $0 })
  }

  @Test("the same in a batch, whose answer stays one line")
  @DaemonActor func lostBatch() async throws {
    let house = try House()
    let batch = "[\(call(1, "journal.create", create)),\(call(2, "journal.create", create)),\(call(3, "journal.resume"))]"
    let answers = try await answersOfALostTurn(house, [batch])
    #expect(answers[0].arrayValue?.map { code($0) } == [1602, 1602, 1602])
  }

  @Test(
    "of a batch over several turns, what a lost turn did is taken back, and what those before and after it did stays told as done"
  )
  @DaemonActor func lostPiece() async throws {
    let house = try House()
    let calls = (1...6).map { call($0, "journal.create", draft) }
    house.arrive("[\(calls.joined(separator: ",")),\(call(7, "journal.resume"))]")
    house.arrive(call(8, "system.ping"))
    house.run(calls: 2)
    rename(house.path + "/data/kindverb.db", house.path + "/data/elsewhere")
    house.run(calls: 2)
    rename(house.path + "/data/elsewhere", house.path + "/data/kindverb.db")
    #expect(house.connection.pendingOutput == 0)
    house.run(calls: 2)
    house.run()
    let answers = try #require(try await house.reply().arrayValue)
    #expect(answers.map { code($0) } == [nil, nil, 1602, 1602, nil, nil, nil])
    #expect(answers.map { $0["id"]?.intValue } == Array(1...7))
    #expect(try await house.reply()["id"] == 8)
    let made = [0, 1, 4, 5].compactMap { answers[$0]["result"]?["id"]?.stringValue }
    #expect(try await house.journals().sorted() == made.sorted())
  }

  @Test("a batch whose last turn is lost")
  @DaemonActor func lostEnd() async throws {
    let house = try House()
    house.arrive("[\(call(1, "journal.create", draft)),\(call(2, "journal.create", draft))]")
    house.run(calls: 1)
    rename(house.path + "/data/kindverb.db", house.path + "/data/elsewhere")
    house.run()
    rename(house.path + "/data/elsewhere", house.path + "/data/kindverb.db")
    #expect(try await house.reply().arrayValue?.map { code($0) } == [nil, 1602])
    #expect(try await house.journals().count == 1)
  }

  @Test("a daemon that stops answers a batch with what has been done of it")
  @DaemonActor func stopped() async throws {
    let house = try House()
    house.arrive("[\(call(1, "journal.create", draft)),\(call(2, "journal.create", draft)),\(call(3, "system.ping"))]")
    house.run(calls: 1)
    house.dispatcher.state = .stopping
    house.run()
    #expect(try await house.reply().arrayValue?.map { code($0) } == [nil, -32004, nil])
  }

  @Test("a deadline counts from the batch's own arrival, whatever comes behind it meanwhile")
  @DaemonActor func deadline() async throws {
    let house = try House()
    let late = call(2, "journal.create", #"{"conflictType":"friends","_meta":{"deadlineMs":5000}}"#)
    house.arrive("[\(call(1, "system.ping")),\(late)]", ago: 6_000)
    house.run(calls: 1)
    house.arrive(call(3, "system.ping"))
    house.run()
    #expect(try await house.reply().arrayValue?.map { code($0) } == [nil, -32002])
  }

  @Test("a call that waits in an early piece is answered in its place; cancelling it from behind the batch works")
  @DaemonActor func waiting() async throws {
    let house = try House { router in
      router.on(Methods.SystemPing.self) { _, _ in Pong(pong: true) }
      router.onWaiting(Methods.JournalSearch.self) { _, _ in try await waitForever() }
    }
    house.arrive("[\(call(1, "journal.search", #"{"query":"x"}"#)),\(call(2, "system.ping")),\(call(3, "system.ping"))]")
    house.arrive(call(4, "rpc.cancel", #"{"id":1}"#))
    house.run(calls: 2)
    #expect(house.connection.unanswered == 1)
    house.run()
    let answers = [try await house.reply(), try await house.reply()]
    #expect(answers.contains { $0["result"]?["cancelled"] == true })
    #expect(answers.compactMap(\.arrayValue).first?.map { code($0) } == [-32800, nil, nil])
  }

  @Test("what was only tried, before anything was written, stays answered")
  @DaemonActor func triedOnly() async throws {
    let house = try House()
    let answers = try await answersOfALostTurn(
      house,
      [
        call(1, "journal.create", #"{"conflictType":"friends","_meta":{"dryRun":true}}"#), call(2, "journal.list"),
        call(3, "journal.create", #"{"conflictType":"couple"}"#),
      ])
    #expect(answers.map { code($0) } == [nil, nil, 1301])
  }

  @Test("a turn that changes nothing says nothing of the disk")
  @DaemonActor func unchanged() async throws {
    let house = try House()
    var told: [TurnEngine.StoreHealth] = []
    let id = try #require(try await house.ask(call(1, "journal.create", draft))["result"]?["id"]?.stringValue)
    house.turn.onHealth = { told.append($0) }
    let commits = house.turn.commits
    _ = try await house.ask(call(2, "journal.update", #"{"id":"\#(id)"}"#))
    #expect(told.isEmpty && house.turn.commits == commits)
    _ = try await house.ask(call(3, "journal.update", #"{"id":"\#(id)","hurtText":"x"}"#))
    #expect(told == [.writable] && house.turn.commits == commits + 1)
  }

  @Test(
    "a retry is the same call in any spelling of it: absent or null, 5 or 5.0, in any order",
    arguments: [
      (#"{"conflictType":"friends"}"#, #"{"hurtText":null,"conflictType":"friends","feelings":null}"#, true),
      (#"{"conflictType":"friends","hurtText":"a"}"#, #"{"hurtText":"\u0061","conflictType":"friends"}"#, true),
      (#"{"conflictType":"friends"}"#, #"{"conflictType":"friends","hurtText":""}"#, false),
      (#"{"conflictType":"friends","hurtText":"\u00e9"}"#, #"{"conflictType":"friends","hurtText":"e\u0301"}"#, false),
    ])
  @DaemonActor func spelling(_ first: String, _ second: String, _ isSame: Bool) async throws {
    let house = try House()
    let key = #","_meta":{"idempotencyKey":"k"}}"#
    let one = try await house.ask(call(1, "journal.create", first.dropLast() + key))
    let two = try await house.ask(call(1, "journal.create", second.dropLast() + key))
    #expect(code(one) == nil)
    #expect(isSame ? one == two : code(two) == 1501)
    #expect(try await house.journals().count == 1)
  }

  @Test("in an update null clears and absence keeps: two different calls")
  @DaemonActor func clearing() async throws {
    let house = try House()
    let id = try #require(try await house.ask(call(1, "journal.create", draft))["result"]?["id"]?.stringValue)
    let key = #""_meta":{"idempotencyKey":"u"}"#
    #expect(code(try await house.ask(call(2, "journal.update", #"{"id":"\#(id)","hurtText":null,\#(key)}"#))) == nil)
    #expect(code(try await house.ask(call(3, "journal.update", #"{"id":"\#(id)",\#(key)}"#))) == 1501)
  }

  @Test("a wrong parameter is an error before the key is looked at")
  @DaemonActor func wrongFirst() async throws {
    let house = try House()
    _ = try await house.ask(call(1, "journal.create", create))
    let wrong = #"{"conflictType":"friends","nope":1,"_meta":{"idempotencyKey":"k"}}"#
    #expect(code(try await house.ask(call(2, "journal.create", wrong))) == -32602)
  }
}

@Suite("The length of answers", .serialized, .timeLimit(.minutes(1)))
struct AnswerLengthTests {
  init() { precondition(loopThread) }

  private let long = #"{"conflictType":"friends","hurtText":"\#(String(repeating: "\u{1F438}", count: 500))"}"#

  @DaemonActor
  private func limits(_ bytes: Int) -> DispatchLimits {
    var limits = DispatchLimits()
    limits.replyBytes = bytes
    return limits
  }

  @Test("a batch's line is within the limit; a call whose reply has no room is undone, and those after it are not run")
  @DaemonActor func batch() async throws {
    // Each reply has some 2 300 bytes; three are promised 8 KiB each at first.
    let house = try House(limits(3 * Answer.promise))
    for _ in 0..<20 { house.send(call(0, "journal.create", long)) }
    for _ in 0..<20 { _ = try await house.reply() }
    let list = call(1, "journal.list", #"{"limit":200}"#)
    house.send("[\(call(7, "journal.create", draft)),\(list),\(call(8, "journal.create", draft))]")
    let line = try await house.line()
    #expect(line.count <= 3 * Answer.promise)
    #expect(try JSON(parsing: line).arrayValue?.map { code($0) } == [nil, -32003, -32003])
    #expect(try await house.ask(call(9, "journal.list", #"{"limit":2}"#))["result"]?["items"]?.arrayValue?.count == 2)
    let total = try house.store.connection.integer("SELECT count(*) FROM journal")
    #expect(total == 21)
  }

  @Test("a write whose reply is too long has not happened")
  @DaemonActor func write() async throws {
    let house = try House(limits(2_000))
    let answer = try await house.ask(call(1, "journal.create", long))
    #expect(code(answer) == -32003 && answer["error"]?["data"]?["limit"] == 2_000)
    #expect(try await house.journals().isEmpty)
  }

  @Test("replies that come later count as well")
  @DaemonActor func later() async throws {
    let house = try House(limits(4 * Answer.promise))
    for _ in 0..<6 { house.send(call(0, "journal.create", long)) }
    for _ in 0..<6 { _ = try await house.reply() }
    let searches = (1...3).map { call($0, "journal.search", #"{"query":"\#u{1F438}"}"#) }
    house.send("[\(searches.joined(separator: ","))]")
    let line = try await house.line()
    #expect(line.count <= 4 * Answer.promise)
    let codes = try JSON(parsing: line).arrayValue?.map { code($0) } ?? []
    #expect(codes.count == 3 && codes.contains(nil) && codes.contains(-32003))
  }
}
