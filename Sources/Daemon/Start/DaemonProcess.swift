import CivilTime
import EventLoop
import Glibc
import KindVerb
import KindVerbAPI
import RPCServer
import Storage
import Systemd

/// The composition root: it knows every part, and nothing else knows it.
@DaemonActor
final class DaemonProcess {
  let options: Options
  let turn = TurnEngine()
  let lane = SlowLane()
  let events: EventHub
  let dispatcher: Dispatcher
  let server: Server
  let backups: Backups
  let entitling: Entitling
  let world: World
  private let zones: ZoneKeeper
  private(set) var reminding: Reminding?
  private(set) var sending: Sending?
  let isActivated: Bool
  var databasePath: String { options.dataDirectory + "/kindverb.db" }
  private(set) var exitStatus = ExitStatus.ok

  private let router = Router()
  private let environmentLanguage: Language
  private var configuration: Configuration
  var socket: SocketPath?
  var activatedSocket: Int32?
  private var system: SystemMethods?
  private var signals: [SignalSource] = []
  var watches: [DirectoryWatch] = []
  private var tidy: TimerSource?
  private var burstGoesOn = false
  private var isReady = false
  private var patience: TimerSource?
  /// What the status says while nothing is written.
  private var whyReadOnly = ""
  let log = Log("daemon")

  /// Puts the parts together and takes over a socket that was handed in. Neither the data directory nor a path is touched yet.
  init(_ options: Options, _ configuration: Configuration, language: Language, world: World = World()) throws(StartFailure) {
    self.world = world
    zones = ZoneKeeper(world.zones)
    entitling = Entitling(turn: turn, roots: world.purchaseRoots)
    self.options = options
    self.configuration = configuration
    environmentLanguage = language
    events = EventHub(turn: turn, lane: lane)
    dispatcher = Dispatcher(router: router, events: events, turn: turn, limits: DispatchLimits())
    do {
      server = try Server(processor: dispatcher)
      backups = try Backups(turn: turn, lane: lane, directory: options.dataDirectory + "/backups")
      activatedSocket = try Systemd.Activation.socket()
      isActivated = activatedSocket != nil
    } catch let error as Systemd.Activation.Failure {
      throw StartFailure(.socket, .daemonStartActivation, language, ["\(error)"])
    } catch {
      throw StartFailure(.system, .daemonStartFailed, language, ["sd-event", "\(error)"])
    }
    let system = SystemMethods(self)
    self.system = system
    system.register(on: router)
    DomainRoutes(
      turn: turn, lane: lane, entitling: entitling, zones: zones,
      defaultLanguage: { [unowned self] in self.configuration.language ?? self.environmentLanguage }
    ).register(on: router)
    registerEvents()
    registerReminders()
    registerSending()
    dispatcher.onBurst = { [unowned self] in self.noteBurst() }
    dispatcher.onCommit = { [unowned self] changes in self.committed(changes) }
    turn.onHealth = { [unowned self] health in self.note(health) }
    backups.onDamage = { [unowned self] in self.noteDamage() }
    apply(configuration)
  }

  private func registerEvents() {
    router.onConnection(Methods.EventsSubscribe.self) { [unowned self] params, _, connection in
      try self.events.subscribe(params, connection)
    }
    router.onConnection(Methods.EventsUnsubscribe.self) { [unowned self] params, _, connection in
      try self.events.unsubscribe(params.subscription, connection)
    }
  }

  private func registerReminders() {
    let reminding = Reminding(
      clock: world.clock, zones: zones, turn: turn, entitling: entitling, takesWrites: { [unowned self] in takesWrites },
      publish: { [unowned self] changes in publish(changes) }, language: { [unowned self] in dispatcher.language })
    self.reminding = reminding
    ReminderRoutes(turn: turn, reminding: reminding).register(on: router)
    NotificationRoutes(turn: turn, zones: zones, entitling: entitling).register(on: router)
    world.whenClockIsSet { [weak reminding] in reminding?.clockWasSet() }
  }

  private func registerSending() {
    let directory = options.configPath.split(separator: "/").dropLast().joined(separator: "/")
    let sending = Sending(
      turn: turn, clock: world.clock, zones: zones, keyDirectory: "/" + directory, countsDrafts: world.countsDrafts,
      entitlement: { [entitling] in try entitling.present($0) },
      write: { [unowned self] in try write($0) })
    sending.drafting.progress = (
      { [events] in events.isFollowed(.ai) }, { [events] in events.tellProgress(journalID: $0, characters: $1) }
    )
    self.sending = sending
    sending.register(on: router)
    reminding?.others.append(sending.tidying)
    reminding?.onClockSet = { [sharing = sending.sharing] in sharing.woke() }
  }

  /// Runs something in a transaction of its own and tells what it changed. Nothing is written while the store takes no writes.
  private func write(_ body: (Store) throws -> Void) throws {
    guard takesWrites else { throw APIError(.storageReadOnly) }
    publish(try turn.writeAlone(body))
  }

  /// Tells what was committed outside a turn.
  private func publish(_ changes: [ChangeRecord]) {
    guard !changes.isEmpty else { return }
    events.publish(changes)
    committed(changes)
  }

  private func apply(_ configuration: Configuration) {
    self.configuration = configuration
    if entitling.rules != configuration.purchaseRules {
      entitling.rules = configuration.purchaseRules
      reminding?.look()
    }
    let defaults = ServerLimits()
    server.limits.partialLineMilliseconds = configuration.partialLineMs ?? defaults.partialLineMilliseconds
    server.limits.stalledOutputMilliseconds = configuration.stalledOutputMs ?? defaults.stalledOutputMilliseconds
    backups.isAutomatic = configuration.backsUpAutomatically
    reminding?.command.arguments = configuration.reminderCommand
    reminding?.quietCommand.arguments = configuration.notificationCommand
    sending?.apply(configuration.sending)
    refreshLanguage()
  }

  private func refreshLanguage() {
    let chosen = (try? turn.store?.setting("language")).flatMap { $0 }.flatMap(Language.init(rawValue:))
    dispatcher.language = chosen ?? configuration.language ?? environmentLanguage
  }
}

// MARK: - Start

extension DaemonProcess {
  /// Opens the socket and the store; the daemon answers `system.info` from the first on.
  func start() async throws(StartFailure) {
    precondition(router.missing.isEmpty, "methods without a handler: \(router.missing)")
    let opening: StoreOpening
    do {
      opening = try StoreOpening(
        directory: options.dataDirectory,
        environment: StoreEnvironment(now: world.clock.now, random: StoreEnvironment.live.random), migrations: world.migrations)
    } catch {
      throw StartFailure(error, environmentLanguage)
    }
    try listen()
    try takeSignals()
    EventLoop.main.enableWatchdog()
    let store: Store
    do { store = opening.mustMigrate || opening.mustCheck ? try await openAside(opening) : try opening.open() } catch {
      socket?.remove()
      throw StartFailure(error, environmentLanguage)
    }
    ready(with: store)
  }

  private func listen() throws(StartFailure) {
    do {
      if let activatedSocket {
        try server.listen(on: activatedSocket)
      } else {
        let socket = try SocketPath(options.socketPath)
        self.socket = socket
        try server.listen(on: socket.descriptor)
      }
      watchSocket()
    } catch let error as SocketPathError {
      throw StartFailure(error, environmentLanguage)
    } catch {
      throw StartFailure(.system, .daemonStartFailed, environmentLanguage, [options.socketPath, "\(error)"])
    }
  }

  private func takeSignals() throws(StartFailure) {
    signal(SIGPIPE, SIG_IGN)
    // A limit on the length of files is then an error of a write, and told as a full disk.
    signal(SIGXFSZ, SIG_IGN)
    do {
      for number in [SIGTERM, SIGINT] {
        signals.append(try SignalSource(number) { [weak self] in self?.stop(.ok) })
      }
      signals.append(try SignalSource(SIGHUP) { [weak self] in self?.reload() })
      tidy = try TimerSource { [weak self] in self?.giveMemoryBack() }
    } catch { throw StartFailure(.system, .daemonStartFailed, environmentLanguage, ["signals", "\(error)"]) }
  }

  /// Opens a store that must be upgraded or looked through first, on another thread, while the loop answers "not ready" and says
  /// how far it is.
  private func openAside(_ opening: StoreOpening) async throws(StoreError) -> Store {
    dispatcher.state = opening.mustMigrate ? .migrating(0) : .starting
    Service.status(statusText)
    Service.extendTimeout(seconds: 60)
    patience = try? TimerSource { [weak self] in
      Service.extendTimeout(seconds: 60)
      self?.patience?.arm(afterMilliseconds: 20_000)
    }
    patience?.arm(afterMilliseconds: 20_000)
    defer { patience = nil }
    return try await OpeningAside.run(opening) { done in
      Task { @DaemonActor [weak self] in self?.dispatcher.state = .migrating(done) }
    }
  }

  private func ready(with store: Store) {
    turn.store = store
    dispatcher.state = .ready
    refreshLanguage()
    watchStore()
    backups.noteStart()
    do { try reminding?.start(store) } catch { log.error("no reminders: \(public: error.call) \(error.errno)") }
    do { try sending?.start() } catch { log.error("nothing is sent: \(public: error.call) \(error.errno)") }
    if store.logHoldsDeletions { noteBurst() }
    isReady = true
    Service.ready(status: statusText)
    log.info("ready: schema \(store.schemaVersion()), change \(store.committedSeq)")
  }
}

// MARK: - Life

extension DaemonProcess {
  private func committed(_ changes: [ChangeRecord]) {
    backups.noteChange()
    if turn.store?.logHoldsDeletions == true { noteBurst() }
    if changes.contains(where: { $0.topic == Topic.settings.rawValue }) { refreshLanguage() }
    reminding?.committed(changes)
    entitling.committed(changes) { try write($0) }
    sending?.committed(changes)
  }

  private func note(_ health: TurnEngine.StoreHealth) {
    switch (health, dispatcher.state) {
    case (.full, .ready):
      dispatcher.state = .storageFull
      Service.status(statusText)
    case (.writable, .storageFull):
      dispatcher.state = .ready
      Service.status(statusText)
      log.notice("the disk has space again")
      reminding?.look()
      sending?.sharing.look()
    case (.lost, _): checkStore()
    case (.readOnly, _): noteReadOnlyDisk()
    default: break
    }
  }

  /// A burst leaves memory behind that nobody needs, a deletion words in the log. They go once a second has passed without another.
  private func noteBurst() {
    burstGoesOn = true
    guard let tidy, !tidy.isArmed else { return }
    tidy.arm(afterMilliseconds: 1_000, slack: 500)
  }

  private func giveMemoryBack() {
    if burstGoesOn {
      burstGoesOn = false
      tidy?.arm(afterMilliseconds: 1_000, slack: 500)
      return
    }
    turn.store?.scrubLog()
    turn.store?.releaseMemory()
    releaseFreeMemory()
  }

  /// The line of `systemctl status`.
  private var statusText: String {
    switch dispatcher.state {
    case .starting: "checking the store"
    case .migrating: "upgrading the store"
    case .ready: "ready"
    case .storageFull: "the disk is full: nothing is saved until there is space"
    case .readOnly: whyReadOnly
    case .stopping: "stopping"
    }
  }

  private func reload() {
    // The end of a reload is told as readiness, which is not there before the store is open.
    if isReady { Service.reloading() }
    do {
      apply(try Configuration.read(options.configPath) ?? Configuration())
      backups.noteStart()
      log.notice("configuration read anew")
    } catch { log.error("configuration not taken over, not valid at: \(public: error.place)") }
    if isReady { Service.ready(status: statusText) }
  }

  /// From here on nothing is written. What is there can still be read, and lies as it is for whoever looks at it.
  func stopWriting(_ store: Store, because why: String) {
    store.abandon()
    dispatcher.state = .readOnly
    // What cannot be stored as shown must not be shown; only a restart changes that.
    reminding?.stop()
    sending?.stop()
    whyReadOnly = why
    Service.status(statusText)
    log.error("\(public: databasePath): \(public: why)")
  }

  var takesWrites: Bool { dispatcher.state == .ready || dispatcher.state == .storageFull }

  private func noteDamage() {
    guard let store = turn.store, takesWrites else { return }
    // What is written into a damaged file may be lost with it.
    stopWriting(store, because: "the database is damaged: nothing is saved; restore a backup")
  }

  private func noteReadOnlyDisk() {
    guard let store = turn.store, takesWrites else { return }
    stopWriting(store, because: "the disk is read-only: nothing is saved; restart the daemon when it can be written to again")
  }

  /// Ends the daemon: no new clients, what is done is answered, the store is closed with its seal.
  func stop(_ status: ExitStatus) {
    guard dispatcher.state != .stopping else { return }
    let wasIntact = dispatcher.state != .readOnly
    dispatcher.state = .stopping
    exitStatus = status
    Service.stopping(status: statusText)
    server.stopListening()
    dispatcher.endTurn()
    server.closeAll()
    reminding?.stop()
    sending?.stop()
    if wasIntact, let damage = turn.store?.close() {
      log.error("\(public: databasePath) was damaged while in use: SQLite \(damage.extendedCode); restore a backup")
      if status == .ok { exitStatus = .damaged }
    }
    turn.store = nil
    socket?.remove()
    EventLoop.main.stop()
  }
}
