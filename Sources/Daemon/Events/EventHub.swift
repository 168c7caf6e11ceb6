import EventLoop
import JSON
import KindVerb
import KindVerbAPI
import RPCServer
import Storage
import Systemd

/// The subscriptions: every committed change goes to those who asked for its topic.
///
/// Nothing is queued for a slow reader. A subscription is a place in the change log: while its connection keeps up, changes are
/// written out as they happen; once more than ``highWater`` bytes wait for it, it only falls behind. When it has drained, what it
/// missed is read from the log, piece by piece in the slow lane, merged to the last change of each thing, or, if that is too much,
/// told as one gap.
@DaemonActor
final class EventHub {
  /// Output of a connection above which its subscriptions fall behind, in bytes.
  static let highWater = 256 << 10
  /// Merged changes that a subscription that fell behind is told one by one; with more it gets one gap.
  static let catchUpLimit = 2_000
  /// Changes that are read, or only counted, in one piece of the slow lane.
  static let piece = (read: 1_000, counted: 10_000)
  /// Subscriptions of one connection.
  static let perConnection = 16

  private final class Entry {
    let name: String
    let topics: Set<Topic>
    var seen: Int64
    var isBehind = false
    /// Whether what it missed is being read, or will be.
    var isCatchingUp = false

    init(name: String, topics: Set<Topic>, seen: Int64) {
      self.name = name
      self.topics = topics
      self.seen = seen
    }
  }

  private var entries: [Int: (connection: Connection, list: [Entry])] = [:]
  private var catchingUp: [(entry: Entry, connection: Connection)] = []
  private var isReading = false
  private var lastNumber = 0
  private let turn: TurnEngine
  private let lane: SlowLane
  private let log = Log("events")
  /// Events told since the start.
  private(set) var published = 0
  /// Subscriptions that are open.
  var count: Int { entries.values.reduce(0) { $0 + $1.list.count } }

  init(turn: TurnEngine, lane: SlowLane) {
    self.turn = turn
    self.lane = lane
  }

  /// `events.subscribe`
  func subscribe(_ params: Methods.EventsSubscribe.Params, _ connection: Connection) throws -> Subscription {
    let store = try turn.begin()
    var list = entries[connection.id]?.list ?? []
    guard list.count < Self.perConnection else {
      var failure = APIError(.eventsTooManySubscriptions)
      failure.limit = Self.perConnection
      throw failure
    }
    let given = Set(params.topics ?? [])
    let topics = given.isEmpty ? Set(Topic.allCases) : given
    let names = topics.map(\.rawValue)
    let current = try store.newestChange()
    var since = current
    if let cursor = params.since { since = try place(cursor, names, store) }
    lastNumber += 1
    let entry = Entry(name: "s\(lastNumber)", topics: topics, seen: since)
    entry.isBehind = since < current
    list.append(entry)
    entries[connection.id] = (connection, list)
    connection.onDrained = { [weak self] connection in self?.catchUp(connection) }
    return Subscription(
      subscription: entry.name, cursor: store.cursor(at: since, topics: names), resumed: params.since != nil)
  }

  private func place(_ cursor: String, _ topics: [String], _ store: Store) throws -> Int64 {
    switch try store.resume(cursor, topics: topics) {
    case .at(let seq): return seq
    case .stale(let reason):
      var failure = APIError(.eventsCursorStale, field: "since")
      failure.reason = reason
      throw failure
    }
  }

  /// `events.unsubscribe`
  func unsubscribe(_ name: String, _ connection: Connection) throws(APIError) -> Unsubscription {
    guard var list = entries[connection.id]?.list, let index = list.firstIndex(where: { $0.name == name }) else {
      throw APIError(.eventsSubscriptionNotFound, field: "subscription")
    }
    list.remove(at: index)
    entries[connection.id] = list.isEmpty ? nil : (connection, list)
    return Unsubscription(subscription: name, ended: true)
  }

  /// Ends all subscriptions of a connection.
  func unsubscribeAll(_ connection: Connection) { entries[connection.id] = nil }

  /// Tells the changes of a turn to those who keep up; the others fall behind.
  func publish(_ changes: [ChangeRecord]) {
    guard let store = turn.store else { return }
    for (connection, list) in entries.values {
      for entry in list where !entry.isBehind {
        if connection.pendingOutput > Self.highWater {
          entry.isBehind = true
          continue
        }
        for change in changes { tell(change, entry, connection, store) }
      }
    }
  }

  /// Whether anybody follows a topic.
  func isFollowed(_ topic: Topic) -> Bool {
    entries.values.contains { $0.list.contains { $0.topics.contains(topic) } }
  }

  /// Tells how far a draft is to those who follow drafts and keep up. It is no change: who is behind misses nothing.
  func tellProgress(journalID: String, characters: Int) {
    for (connection, list) in entries.values where connection.pendingOutput <= Self.highWater {
      for entry in list where !entry.isBehind && entry.topics.contains(.ai) {
        let progress = AiProgress(subscription: entry.name, journalId: journalID, receivedCharacters: characters)
        send(AiProgress.method, connection) { progress.write(to: &$0) }
      }
    }
  }

  /// Subscriptions that begin in the past, or fell behind, are brought up to date once their connection has room.
  func catchUp(_ connection: Connection) {
    guard let list = entries[connection.id]?.list, connection.pendingOutput <= Self.highWater else { return }
    for entry in list where entry.isBehind && !entry.isCatchingUp {
      entry.isCatchingUp = true
      catchingUp.append((entry, connection))
    }
    if !isReading, !catchingUp.isEmpty { readOneByOne() }
  }

  /// However many come back at once, only what one of them missed is held at a time.
  private func readOneByOne() {
    isReading = true
    Task { @DaemonActor in
      while !catchingUp.isEmpty {
        let (entry, connection) = catchingUp.removeFirst()
        do { try await readWhatIsMissing(entry, connection) } catch {
          log.error("a subscriber could not be brought up to date: \(public: StoreFaults.detail(error))")
        }
        entry.isCatchingUp = false
      }
      isReading = false
    }
  }

  private func readWhatIsMissing(_ entry: Entry, _ connection: Connection) async throws {
    var missed = MissedChanges(after: entry.seen, topics: entry.topics.map(\.rawValue), limit: Self.catchUpLimit)
    while true {
      await lane.turn()
      // Meanwhile it may have ended, and other output may have come in between: then its draining begins this anew.
      guard entries[connection.id]?.list.contains(where: { $0 === entry }) == true, let store = turn.store,
        connection.pendingOutput <= Self.highWater
      else { return }
      let rows = missed.isComplete ? Self.piece.read : Self.piece.counted
      let isDone = try turn.alone { store in try store.readOn(&missed, rows: rows) }
      guard isDone else { continue }
      // From here to the end nothing is committed in between.
      entry.isBehind = false
      if missed.isComplete {
        for change in missed.changes { tell(change, entry, connection, store) }
      } else {
        tellGap(missed, entry, connection, store)
      }
      entry.seen = max(entry.seen, missed.newest)
      return
    }
  }

  private func tell(_ change: ChangeRecord, _ entry: Entry, _ connection: Connection, _ store: Store) {
    guard change.seq > entry.seen else { return }
    entry.seen = change.seq
    guard let topic = Topic(rawValue: change.topic), entry.topics.contains(topic) else { return }
    let event = EventsChanged(
      subscription: entry.name, seq: Int(change.seq), topic: topic, id: change.id, op: change.op,
      at: Instant.text(change.at), cursor: store.cursor(at: change.seq, topics: entry.topics.map(\.rawValue)))
    send(EventsChanged.method, connection) { event.write(to: &$0) }
  }

  private func tellGap(_ missed: MissedChanges, _ entry: Entry, _ connection: Connection, _ store: Store) {
    log.notice("subscription \(public: entry.name) of connection \(connection.id) fell \(missed.total) changes behind")
    let event = EventsLagged(
      subscription: entry.name, cursor: store.cursor(at: missed.newest, topics: entry.topics.map(\.rawValue)),
      missed: missed.total)
    send(EventsLagged.method, connection) { event.write(to: &$0) }
  }

  private func send(_ method: String, _ connection: Connection, _ params: (inout JSONWriter) -> Void) {
    published += 1
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("method")
    writer.string(method)
    writer.name("params")
    params(&writer)
    writer.endObject()
    connection.send(writer.bytes)
  }
}
