import EventLoop
import Storage

/// Sends what waits: in the order in which it was handed in, several at once, so that one that hangs or fails holds no other. It keeps
/// no plan on disk but the state: whenever something may have changed it looks at what waits.
///
/// Waits are on the clock that nobody sets (CLOCK_BOOTTIME). What the daemon was sending when it ended may have arrived, and is
/// sent again under its own id.
@DaemonActor
public final class OutboxRunner {
  /// What the runner takes from the world.
  public struct World {
    /// Runs something in a transaction of its own, and tells of what it changed. When it throws nothing has happened.
    public var write: @DaemonActor ((Store) throws -> Void) throws -> Void
    /// Makes an item ready, inside the transaction that notes the attempt; answers what sends it.
    public var prepare: @DaemonActor (Store, OutboxItem) throws -> Parcel
    /// An item is there, and whether the other side said so: called inside the transaction that notes it.
    public var arrived: @DaemonActor (Store, OutboxItem, Bool) throws -> Void
    /// 0..<1, for the waits.
    public var jitter: @DaemonActor () -> Double
    /// Told of what could not be stored, or nil when all could.
    public var onFailure: @DaemonActor ((any Error)?) -> Void
    /// Told whether anything waits for the network.
    public var searches: @DaemonActor (Bool) -> Void

    /// A world of these parts.
    public init(
      write: @escaping @DaemonActor ((Store) throws -> Void) throws -> Void,
      prepare: @escaping @DaemonActor (Store, OutboxItem) throws -> Parcel,
      arrived: @escaping @DaemonActor (Store, OutboxItem, Bool) throws -> Void,
      jitter: @escaping @DaemonActor () -> Double,
      onFailure: @escaping @DaemonActor ((any Error)?) -> Void = { _ in },
      searches: @escaping @DaemonActor (Bool) -> Void = { _ in }
    ) {
      self.write = write
      self.prepare = prepare
      self.arrived = arrived
      self.jitter = jitter
      self.onFailure = onFailure
      self.searches = searches
    }
  }

  /// Sends one thing, once. It ends soon after its task was cancelled.
  public typealias Parcel = @DaemonActor () async -> Delivery

  /// One that is being sent.
  private struct Flight {
    let item: OutboxItem
    let task: Task<Void, Never>
  }

  /// One that waits.
  private struct Wait {
    /// On ``now``'s clock, in milliseconds.
    var until: Int
    /// Whether it waits for the network alone.
    var isSearch: Bool
    /// How often in a row nothing had left the machine.
    var misses: Int
    /// When it was tried, on ``now``'s clock.
    var triedAt: Int
  }

  /// How many are sent at once.
  private static let lanes = 4
  /// How long after a failure to store it is tried again, in milliseconds.
  private static let storeMilliseconds = 30_000

  /// How long a change of the network does not end the wait after an attempt, in milliseconds.
  private static let restMilliseconds = 1_000

  private let world: World
  private var timer: TimerSource?
  private var looking: DeferredSource?
  private var flights: [String: Flight] = [:]
  /// By the thing's own id: a row's number may come again.
  private var waits: [String: Wait] = [:]
  /// When things failed, or were seen to have been taken back, on ``now``'s clock.
  private var endings: [String: Int] = [:]
  /// What came of attempts, and could not be stored yet.
  private var unstored: [(item: OutboxItem, delivery: Delivery)] = []

  /// A runner that has not begun.
  public init(_ world: World) throws(LoopError) {
    self.world = world
    timer = try TimerSource { [weak self] in self?.lookNow() }
    looking = DeferredSource { [weak self] in self?.lookNow() }
  }

  /// Begins, once the store is open.
  public func start() {
    do { try world.write { store in try OutboxStore(store).recover() } } catch { world.onFailure(error) }
    look()
  }

  /// Ends: what is on its way is cut off, and counts as unclear at the next start.
  public func stop() {
    timer = nil
    looking = nil
    for flight in flights.values { flight.task.cancel() }
    flights = [:]
  }

  /// Something may have changed: the outbox is looked at in the next turn of the loop.
  public func look() { looking?.enable() }

  /// A person asks for it now.
  public func hurry(_ subject: String) {
    waits[subject] = nil
    look()
  }

  /// What has ended since the start, and so lately that nothing that is done to the clock on the wall makes it old.
  public var recent: Set<String> {
    let oldest = Self.now() - OutboxRule.failedDays * 86_400_000
    endings = endings.filter { $0.value > oldest }
    return Set(endings.keys)
  }

  /// There may be a network again: whatever waits for one alone waits no longer.
  public func networkChanged() {
    // A network that comes and goes all the time is no reason to try all the time.
    for (id, wait) in waits where wait.isSearch { waits[id]?.until = min(wait.until, wait.triedAt + Self.restMilliseconds) }
    look()
  }

  // MARK: Looking

  /// The time since the machine was started, in milliseconds, with the time that it slept.
  private static func now() -> Int { BootClock.milliseconds() }

  private func lookNow() {
    var next: Int?
    do {
      try storeWhatIsLeft()
      next = try begin()
      world.onFailure(nil)
    } catch {
      world.onFailure(error)
      next = Self.storeMilliseconds
    }
    world.searches(waits.values.contains(where: \.isSearch))
    if let next { timer?.arm(afterMilliseconds: max(0, next), slack: 10) } else { timer?.disarm() }
  }

  /// Begins what is due; answers in how many milliseconds something is due next.
  private func begin() throws -> Int? {
    var parcels: [(item: OutboxItem, send: Parcel)] = []
    var next: Int?
    var known: Set<String> = []
    try world.write { store in
      let outbox = OutboxStore(store)
      try cutOffWhatWasTakenBack(outbox)
      let now = Self.now()
      for item in try outbox.queued().sorted(by: Self.comesFirst) {
        known.insert(item.subject)
        // Taken back and asked for again while it was on its way: the old attempt must have ended first.
        guard flights[item.subject] == nil else { continue }
        let until = waits[item.subject]?.until ?? now
        if until > now {
          next = min(next ?? .max, until - now)
        } else if flights.count + parcels.count < Self.lanes {
          let parcel = try world.prepare(store, item)
          try outbox.begin(item)
          parcels.append((item, parcel))
        }
      }
    }
    waits = waits.filter { known.contains($0.key) || flights[$0.key] != nil }
    for parcel in parcels { send(parcel.item, parcel.send) }
    return next
  }

  /// What was tried less often comes first, so that what hangs again and again keeps nothing from its first attempt; else the order in
  /// which things were handed in.
  private static func comesFirst(_ one: OutboxItem, _ other: OutboxItem) -> Bool {
    (one.attempts, one.id) < (other.attempts, other.id)
  }

  private func cutOffWhatWasTakenBack(_ outbox: OutboxStore) throws {
    for flight in flights.values {
      guard let found = try outbox.item(flight.item.id), found.subject == flight.item.subject else {
        flight.task.cancel()
        continue
      }
      if found.state != .uploading || found.attempts != flight.item.attempts + 1 { flight.task.cancel() }
    }
  }

  private func send(_ item: OutboxItem, _ parcel: @escaping Parcel) {
    let task = Task { @DaemonActor [weak self] in
      let delivery = await parcel()
      self?.ended(item, delivery)
    }
    flights[item.subject] = Flight(item: item, task: task)
  }

  private func ended(_ item: OutboxItem, _ delivery: Delivery) {
    guard flights[item.subject]?.item == item else { return }
    flights[item.subject] = nil
    unstored.append((item, delivery))
    look()
  }

  private func storeWhatIsLeft() throws {
    while let (item, delivery) = unstored.first {
      let misses = waits[item.subject]?.misses ?? 0
      let step = OutboxRule.step(after: delivery, tries: item.tries, misses: misses, jitter: world.jitter())
      var isOwn = false
      try world.write { store in
        isOwn = try OutboxStore(store).end(item, delivery, step)
        if isOwn, case .delivered(let isConfirmed) = delivery { try world.arrived(store, item, isConfirmed) }
      }
      unstored.removeFirst()
      guard isOwn else { continue }
      if case .giveUp = step { endings[item.subject] = Self.now() }
      if case .again(_, let wait) = step {
        var isSearch = false
        if case .notReached = delivery { isSearch = true }
        waits[item.subject] = Wait(
          until: Self.now() + wait, isSearch: isSearch, misses: isSearch ? misses + 1 : 0, triedAt: Self.now())
      } else {
        waits[item.subject] = nil
      }
    }
  }
}
