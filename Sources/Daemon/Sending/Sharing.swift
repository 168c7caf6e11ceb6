import EventLoop
import HTTP
import KindVerb
import KindVerbAPI
import Outbox
import Storage
import Systemd

/// Links put together: the outbox, the service, and what tells that the network is there again.
@DaemonActor
final class Sharing {
  /// Where letters are shared, by the configuration.
  var service = ShareService()
  /// Where the service's key is kept, if it needs one.
  var key: KeyFile
  private let network: Network
  private let now: @Sendable () -> Int64
  private let write: @DaemonActor ((Store) throws -> Void) throws -> Void
  private var runner: OutboxRunner?
  private var links: NetworkWatch?
  private var signals: NetworkSignals?
  private var hasFailed = false
  private let log = Log("share")

  /// Links over a network; `write` runs something in a transaction of its own and tells of what it changed.
  init(
    network: Network, key: KeyFile, now: @escaping @Sendable () -> Int64,
    write: @escaping @DaemonActor ((Store) throws -> Void) throws -> Void
  ) {
    self.network = network
    self.key = key
    self.now = now
    self.write = write
  }

  /// Begins, once the store is open.
  func start() throws(LoopError) {
    let runner = try OutboxRunner(
      OutboxRunner.World(
        write: write,
        prepare: { [unowned self] store, item in try parcel(store, item) },
        arrived: { [unowned self] store, item, isConfirmed in
          try ShareParcel.arrived(store, item, isConfirmed: isConfirmed, service)
        },
        jitter: { Double.random(in: 0..<1) },
        onFailure: { [unowned self] in note(failure: $0) },
        searches: { [unowned self] in watchNetwork($0) }))
    self.runner = runner
    runner.start()
  }

  /// Ends.
  func stop() {
    runner?.stop()
    runner = nil
    watchNetwork(false)
  }

  /// Something was committed: something may have been handed in or taken back.
  func committed(_ changes: [ChangeRecord]) {
    if changes.contains(where: { $0.topic == Topic.share.rawValue }) { runner?.look() }
  }

  /// Something may be possible again: there is space on the disk, the configuration is another.
  func look() { runner?.look() }

  /// The machine woke up, or its clock was set.
  func woke() { runner?.networkChanged() }

  /// Forgets what failed or expired long ago; answers when to do so again. While something waits that is soon: see ``Sending``.
  func tidy(_ now: Int64) throws -> Int64? {
    var next: Int64?
    let recent = runner?.recent ?? []
    try write { store in
      let outbox = OutboxStore(store)
      let unresolved = try ShareStore(store).unresolved(now: now)
      let watched = try outbox.waiting() > 0 || !unresolved.isEmpty ? now + 86_400_000 : nil
      let purged = try outbox.purge(now: now, recent: recent.union(unresolved))
      next = try [ShareStore(store).purge(now: now), purged, watched].compactMap { $0 }.min()
    }
    return next
  }

  /// A person asks for it now.
  func hurry(_ id: String) { runner?.hurry(id) }

  private func parcel(_ store: Store, _ item: OutboxItem) throws -> OutboxRunner.Parcel {
    switch try ShareParcel.prepare(store, item, service) {
    case .settled(let delivery): return { delivery }
    case .send(let call):
      var secret: Secret?
      switch key.read() {
      case .key(let found): secret = found
      case .absent: break
      case .refused(let why):
        log.error("the key in \(public: key.path) is not used: \(public: why.rawValue)")
        return { .refused(.linkKeyRefused) }
      }
      let sender = ShareSender(network: network, service: service, key: secret, now: now)
      return { [log] in
        let delivery = await sender.send(call, item)
        if case .refused(let error, _) = delivery { log.notice("a link was refused: \(public: error.rawValue)") }
        return delivery
      }
    }
  }

  private func note(failure: (any Error)?) {
    if let failure, !hasFailed {
      log.error("links could not be stored, none is sent until they can: \(public: StoreFaults.detail(failure))")
    }
    hasFailed = failure != nil
  }

  /// While something waits for a network the machine is asked to tell of one; at any other time nothing here listens.
  private func watchNetwork(_ isNeeded: Bool) {
    guard isNeeded != (links != nil) else { return }
    guard isNeeded else {
      links = nil
      signals = nil
      return
    }
    let changed: @DaemonActor () -> Void = { [weak self] in self?.runner?.networkChanged() }
    do { links = try NetworkWatch(handler: changed) } catch {
      log.warning("no word of the network: \(public: error.call) \(error.errno)")
    }
    signals = NetworkSignals(handler: changed)
  }
}
