import EventLoop
import Glibc
import JSON
import KindVerbAPI
import Storage
import TestLoop
import Testing

@testable import Daemon
@testable import RPCServer

@Suite("The slow lane", .serialized, .timeLimit(.minutes(1)))
struct SlowLaneTests {
  init() { precondition(loopThread) }

  @Test("in one turn of the loop one piece is done, in the order of asking, and all come to their end")
  @DaemonActor func fair() async {
    let lane = SlowLane()
    var pieces: [(worker: Int, turn: Int)] = []
    let workers = (0..<5).map { worker in
      Task { @DaemonActor in
        for _ in 0..<4 {
          await lane.turn()
          pieces.append((worker, EventLoop.main.turns))
        }
      }
    }
    for worker in workers { await worker.value }
    #expect(pieces.map(\.worker) == (0..<4).flatMap { _ in 0..<5 })
    #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.turn < $1.turn })
  }

  @Test("one that went away leaves its turn to the next, and a lane that was empty moves again")
  @DaemonActor func goesOn() async {
    let lane = SlowLane()
    let gone = Task { @DaemonActor in await lane.turn() }
    gone.cancel()
    for _ in 0..<3 { await lane.turn() }
    await gone.value
    await lane.turn()
  }
}

@Suite("Catching up", .serialized, .timeLimit(.minutes(1)))
struct CatchUpTests {
  init() { precondition(loopThread) }

  @DaemonActor
  private func commit(_ house: House, _ ids: some Sequence<String>) throws {
    try house.store.begin()
    for id in ids { try house.store.record(topic: "journal", id: id, op: "updated") }
    house.events.publish(try house.store.commit())
  }

  @DaemonActor
  private func subscribe(_ house: House, _ more: String = "") async throws -> String {
    let answer = try await house.ask(call(1, "events.subscribe", #"{"topics":["journal"]\#(more)}"#))
    return try #require(answer["result"]?["cursor"]?.stringValue)
  }

  @Test("what came while it was read comes after it, each change once and in order")
  @DaemonActor func meanwhile() async throws {
    let house = try House()
    let cursor = try await subscribe(house)
    house.events.unsubscribeAll(house.connection)
    try commit(house, (0..<1_900).map { "old-\($0)" })
    _ = try await subscribe(house, #","since":"\#(cursor)""#)
    var told: [String] = []
    for number in 0..<50 {
      try commit(house, ["new-\(number)"])
      await Task.yield()
    }
    while told.last != "new-49" {
      let event = try await house.reply()
      #expect(event["method"] == "events.changed")
      told.append(try #require(event["params"]?["id"]?.stringValue))
    }
    #expect(told == (0..<1_900).map { "old-\($0)" } + (0..<50).map { "new-\($0)" })
  }

  @Test("too much is one gap with its number, from which it goes on; the loop turned in between")
  @DaemonActor func gap() async throws {
    let house = try House()
    let cursor = try await subscribe(house)
    house.events.unsubscribeAll(house.connection)
    let count = 30_000
    try commit(house, (0..<count).map { "id-\($0)" })
    _ = try await subscribe(house, #","since":"\#(cursor)""#)
    let before = EventLoop.main.turns
    let event = try await house.reply()
    #expect(event["method"] == "events.lagged" && event["params"]?["missed"]?.intValue == count)
    #expect(EventLoop.main.turns - before >= EventHub.catchUpLimit / EventHub.piece.read + count / EventHub.piece.counted)
    try commit(house, ["after"])
    #expect(try await house.reply()["params"]?["id"] == "after")
  }

  @Test("all that come back at once are brought up to date, also those for whose events the output has no room yet")
  @DaemonActor func many() async throws {
    let house = try House()
    let cursor = try await subscribe(house)
    house.events.unsubscribeAll(house.connection)
    let ids = (0..<1_500).map { "id-\($0)" }
    try commit(house, ids)
    for _ in 0..<EventHub.perConnection {
      house.arrive(call(1, "events.subscribe", #"{"topics":["journal"],"since":"\#(cursor)"}"#))
    }
    house.run()
    var told: [String: [String]] = [:]
    for _ in 0..<EventHub.perConnection * (ids.count + 1) {
      let line = try await house.reply()
      guard let params = line["params"], let name = params["subscription"]?.stringValue else { continue }
      told[name, default: []].append(try #require(params["id"]?.stringValue))
    }
    #expect(told.count == EventHub.perConnection && told.values.allSatisfy { $0 == ids })
  }

  @Test("one that ended meanwhile is told nothing any more")
  @DaemonActor func ended() async throws {
    let house = try House()
    let cursor = try await subscribe(house)
    house.events.unsubscribeAll(house.connection)
    try commit(house, ["a"])
    house.send(call(2, "events.subscribe", #"{"topics":["journal"],"since":"\#(cursor)"}"#))
    house.events.catchUp(house.connection)
    house.events.unsubscribeAll(house.connection)
    for _ in 0..<3 { await house.lane.turn() }
    #expect(try await house.reply()["id"] == 2)
    #expect(try await house.ask(call(9, "system.ping"))["id"] == 9)
  }
}

@Suite("Backups", .serialized, .timeLimit(.minutes(1)))
struct BackupsTests {
  init() { precondition(loopThread) }

  @DaemonActor
  private func backups(_ house: House) throws -> Backups {
    try Backups(turn: house.turn, lane: house.lane, directory: house.path + "/data/backups")
  }

  @DaemonActor
  private func change(_ house: House) async throws {
    _ = try await house.ask(call(1, "journal.create", #"{"conflictType":"friends"}"#))
  }

  @Test("after a start a backup is due if something changed since the last, and not otherwise")
  @DaemonActor func due() async throws {
    let house = try House()
    let directory = house.path + "/data/backups"
    let fresh = try backups(house)
    fresh.noteStart()
    #expect(!fresh.isDue, "nothing was ever written")
    try await change(house)
    let never = try backups(house)
    never.noteStart()
    #expect(never.isDue, "there is none yet")
    // One that was asked for is no daily one.
    _ = try await never.make(at: nil, isDryRun: false)
    let asked = try backups(house)
    asked.noteStart()
    #expect(asked.isDue && asked.newest == nil)
    let daily = BackupFiles.name(directory, .daily, at: house.store.now())
    _ = try await asked.make(at: daily, isDryRun: false)
    let changed = try #require(try house.store.newestChangeTime())
    for (difference, isDue) in [(0, false), (1, false), (-1, true), (86_400_000, true)] as [(Int64, Bool)] {
      let time = changed + difference
      let stamp = timespec(tv_sec: Int(time / 1_000), tv_nsec: Int(time % 1_000) * 1_000_000)
      var times = [stamp, stamp]
      #expect(utimensat(AT_FDCWD, daily, &times, 0) == 0)
      let later = try backups(house)
      later.noteStart()
      #expect(later.isDue == isDue, "a backup \(difference) ms after the newest change")
    }
    let off = try backups(house)
    off.isAutomatic = false
    off.noteStart()
    #expect(!off.isDue)
  }

  @Test("a backup that is not wanted any more before it begins leaves no file, nor one half-way")
  @DaemonActor func cancelled() async throws {
    let house = try House()
    try await change(house)
    let backups = try backups(house)
    let directory = house.path + "/data/backups"
    for waits in 0..<2 {
      let task = Task { @DaemonActor in try await backups.make(at: nil, isDryRun: false) }
      for _ in 0..<waits { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(entries(directory).isEmpty)
    }
    #expect(try await backups.make(at: nil, isDryRun: false).bytes > 0)
    #expect(entries(directory).count == 1)
  }
}
