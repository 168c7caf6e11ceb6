import EventLoop
import Foundation
import KindVerbAPI
import Storage
import TestLoop
import Testing

@testable import Outbox

/// A store and a runner whose parcels a test answers.
@DaemonActor
final class PostOffice {
  let store: Store
  private let path: String
  private(set) var runner: OutboxRunner?
  /// What is being sent, in the order in which it began.
  private(set) var sent: [String] = []
  private var waiting: [String: CheckedContinuation<Delivery, Never>] = [:]
  private var watchers: [(isSo: @DaemonActor () throws -> Bool, wake: CheckedContinuation<Void, Never>)] = []
  private(set) var arrived: [String] = []
  private(set) var isSearching = false
  var failsToWrite = false

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "kindverb-outbox-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    store = try StoreOpening(directory: path + "/data").open()
  }

  isolated deinit {
    runner?.stop()
    store.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  func start() throws {
    runner = try OutboxRunner(
      OutboxRunner.World(
        write: { [unowned self] in try write($0) },
        prepare: { [unowned self] _, item in
          { [weak self] in await self?.send(item.subject) ?? .notReached(.networkUnavailable) }
        },
        arrived: { [unowned self] _, item, _ in arrived.append(item.subject) }, jitter: { 0 },
        searches: { [unowned self] in isSearching = $0 }))
    runner?.start()
  }

  func write(_ body: (Store) throws -> Void) throws {
    if failsToWrite { throw APIError(.storageFull) }
    try store.begin()
    do { try body(store) } catch {
      store.rollback()
      throw error
    }
    _ = try store.commit()
    wakeWatchers()
  }

  private func send(_ subject: String) async -> Delivery {
    sent.append(subject)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting[subject] = continuation
        wakeWatchers()
      }
    } onCancel: {
      Task { @DaemonActor [weak self] in self?.answer(subject, .unconfirmed(.networkUnavailable, mayHaveArrived: true)) }
    }
  }

  func answer(_ subject: String, _ delivery: Delivery) { waiting.removeValue(forKey: subject)?.resume(returning: delivery) }

  private func wakeWatchers() {
    let ready = watchers.filter { (try? $0.isSo()) == true }
    watchers.removeAll { watcher in (try? watcher.isSo()) == true }
    for watcher in ready { watcher.wake.resume() }
  }

  /// Waits for something that a write or a beginning brings about.
  func until(_ isSo: @escaping @DaemonActor () throws -> Bool) async {
    if (try? isSo()) == true { return }
    await withCheckedContinuation { watchers.append((isSo, $0)) }
  }

  func isSending(_ subject: String) -> Bool { waiting[subject] != nil }

  func add(_ subject: String) throws -> Int64 {
    var row: Int64 = 0
    try write { row = try OutboxStore($0).add(kind: "share", subject: subject) }
    runner?.look()
    return row
  }

  func state(_ row: Int64) throws -> DeliveryState? { try OutboxStore(store).item(row)?.state }
}

@Suite("The outbox", .serialized) struct OutboxRunnerTests {
  init() { #expect(loopThread) }

  @DaemonActor
  @Test("one that is refused and one that hangs hold no other, and the order is kept")
  func order() async throws {
    let office = try PostOffice()
    try office.start()
    let rows = try ["a", "b", "c", "d", "e"].map(office.add)
    await office.until { office.sent.count == 4 }
    #expect(office.sent == ["a", "b", "c", "d"])
    // The first hangs; the second is refused, and its place is taken by the last.
    office.answer("b", .refused(.linkInvalidContent))
    await office.until { office.isSending("e") }
    office.answer("e", .delivered())
    await office.until { try office.state(rows[4]) == .succeeded }
    #expect(try office.state(rows[0]) == .uploading && office.state(rows[1]) == .failed)
    #expect(office.arrived == ["e"])
  }

  @DaemonActor
  @Test("what was on its way at the end is unclear at the next start, and sent again")
  func recovery() async throws {
    let office = try PostOffice()
    var row: Int64 = 0
    try office.write { store in
      let outbox = OutboxStore(store)
      row = try outbox.add(kind: "share", subject: "a")
      try outbox.begin(try #require(try outbox.item(row)))
    }
    try office.start()
    await office.until { office.isSending("a") }
    let item = try #require(try OutboxStore(office.store).item(row))
    #expect(item.mayHaveArrived && item.attempts == 2 && item.tries == 0)
    office.answer("a", .delivered())
    await office.until { try office.state(row) == .succeeded }
  }

  @DaemonActor
  @Test("without a network it is no attempt, and a change of the network ends the wait at once")
  func network() async throws {
    let office = try PostOffice()
    try office.start()
    let row = try office.add("a")
    for miss in 1...8 {
      await office.until { office.isSending("a") }
      office.answer("a", .notReached(.networkUnavailable))
      await office.until { try office.state(row) == .queued }
      let item = try #require(try OutboxStore(office.store).item(row))
      #expect(item.tries == 0 && item.attempts == miss && !item.mayHaveArrived && item.lastError == .networkUnavailable)
      office.runner?.networkChanged()
    }
    #expect(office.isSearching)
    await office.until { office.isSending("a") }
    office.answer("a", .delivered())
    await office.until { try office.state(row) == .succeeded }
  }

  @DaemonActor
  @Test("what is taken back while it is on its way is cut off, and asked for again sent again")
  func takenBack() async throws {
    let office = try PostOffice()
    try office.start()
    let row = try office.add("a")
    await office.until { office.isSending("a") }
    try office.write { try OutboxStore($0).cancel(row) }
    office.runner?.look()
    try office.write { try OutboxStore($0).retry(row) }
    office.runner?.look()
    await office.until { office.sent.count == 2 && office.isSending("a") }
    let item = try #require(try OutboxStore(office.store).item(row))
    #expect(item.mayHaveArrived && item.state == .uploading)
    office.answer("a", .delivered())
    await office.until { try office.state(row) == .succeeded }
  }

  @DaemonActor
  @Test("an answer that could not be stored is stored later, and nothing is sent twice meanwhile")
  func fullDisk() async throws {
    let office = try PostOffice()
    try office.start()
    let row = try office.add("a")
    await office.until { office.isSending("a") }
    office.failsToWrite = true
    office.answer("a", .delivered())
    office.runner?.look()
    // Two turns of the loop: the answer came, and was not stored.
    for _ in 0..<4 { await Task.yield() }
    office.failsToWrite = false
    #expect(try office.state(row) == .uploading)
    office.runner?.look()
    await office.until { try office.state(row) == .succeeded }
    #expect(office.sent == ["a"])
  }

  @DaemonActor
  @Test("a hundred may wait, and the next is refused by name")
  func capacity() throws {
    let office = try PostOffice()
    for number in 0..<OutboxRule.capacity { _ = try office.add("n\(number)") }
    #expect(throws: APIError.self) { try office.add("one more") }
    let status = try OutboxStore(office.store).status(.en)
    #expect(status.queued == 100 && status.capacity == 100)
  }

  @DaemonActor
  @Test("what failed goes after seven days, and not before")
  func purge() throws {
    let office = try PostOffice()
    let row = try office.add("a")
    try office.write { try OutboxStore($0).cancel(row) }
    let end = office.store.now() + 7 * 86_400_000
    var next: Int64?
    try office.write { next = try OutboxStore($0).purge(now: end - 60_000) }
    #expect(try office.state(row) == .canceled && (next ?? 0) <= end)
    try office.write { next = try OutboxStore($0).purge(now: end + 1) }
    #expect(try office.state(row) == nil && next == nil)
  }
}
