import EventLoop

/// Notifications on the person's desktop (`org.freedesktop.Notifications`).
///
/// Every call is asynchronous and has its outcome within ``answerTime``. No bus, no service, one that hangs, dies or is replaced: all are
/// normal states, and the next time that a service appears ``onServiceAppeared`` tells.
@DaemonActor
public final class DesktopNotifications {
  /// What became of a notification.
  public enum Outcome: Equatable, Sendable {
    /// The service took it.
    case shown(StandingNotification)
    /// Nobody will see it.
    case notShown(Reason)
  }

  /// Why nobody sees a notification.
  public enum Reason: String, Equatable, Sendable {
    /// No session bus, or it went away meanwhile.
    case noBus
    /// Nobody shows notifications here, and no program is installed that could be started for it.
    case noService
    /// There is such a program, and it could not be started.
    case startFailed
    /// No answer in time.
    case noAnswer
    /// The bus does not let us.
    case accessDenied
    /// The service answered with an error.
    case refused
    /// The service answered with something that is no number of a notification.
    case badAnswer
    /// Whoever wanted it shown took that back at the last moment.
    case withheld
  }

  /// Why a notification stands no more.
  public enum Ending: Equatable, Sendable {
    /// Its time was over.
    case expired
    /// The person put it away.
    case dismissed
    /// ``DesktopNotifications/close(_:)``.
    case closed
    /// The service does not say.
    case undefined
    /// The service that showed it is gone.
    case serviceGone
  }

  /// The person clicked it. The token, if the service gives one, lets a program that is started now come to the front
  /// (`XDG_ACTIVATION_TOKEN`).
  public var onActivated: @DaemonActor (StandingNotification, _ token: String?) -> Void = { _, _ in }
  /// It stands no more; told once.
  public var onClosed: @DaemonActor (StandingNotification, Ending) -> Void = { _, _ in }
  /// A service is there that was not before, or answers again: what could not be shown may be tried again. Told once for each, when
  /// every ``show(_:completion:)`` has its outcome.
  public var onServiceAppeared: @DaemonActor () -> Void = {}

  /// In milliseconds: how long a bus and a service may take together.
  static let answerTime = 5_000

  let bus: SessionBus
  /// The service's unique name; nil while there is none.
  private var owner: String?
  private var isOwnerKnown = false
  private var capabilities: Set<String>?
  private var ownerChanges: BusSlot?
  private var ownerQuestion: BusSlot?
  private var signals: BusSlot?

  private var standing: [UInt32: Standing] = [:]
  /// Shown by a service that may be gone: known once the bus has told who the present one is. True for what is to be closed.
  private var unverified: [StandingNotification: Bool] = [:]
  /// Being taken off the desktop, by their numbers.
  private var closings: [UInt32: BusSlot] = [:]
  private var deliveries: [Delivery] = []
  /// Sent, and given up before the answer.
  private var late: [Delivery] = []
  private var isToldOf = true

  private struct Standing {
    let notification: StandingNotification
    var token: String?
    var isActivated = false
  }

  /// Uses the person's session bus, or the one at `address`. Nothing is connected until something is asked for.
  public init(address: String? = nil) {
    bus = SessionBus(address: address)
    bus.onReady = { [weak self] in self?.busIsReady() }
    bus.onLost = { [weak self] in self?.busIsLost() }
  }

  /// Connects, so that ``onServiceAppeared`` can tell.
  public func listen() { bus.open() }

  /// Shows a notification. A program that is installed for it is started if none runs. `completion` is called once, never before this
  /// returns. `beforeSending` is called at most once, with ``StandingNotification/service`` of who is about to get it: what must
  /// be stored before it can be seen is stored there, and with false nothing is shown. `late` is called when a service that gave no answer
  /// in time has shown it after all: with false it is taken off the desktop again. It is called with nil when it was refused after all; without `late`
  /// nobody waits for that.
  public func show(
    _ notification: DesktopNotification, beforeSending: @escaping @DaemonActor (_ service: String) -> Bool = { _ in true },
    completion: @escaping @DaemonActor (Outcome) -> Void,
    late: (@DaemonActor (StandingNotification?) -> Bool)? = { _ in false }
  ) {
    let delivery = Delivery(notification, beforeSending, completion, late) { [weak self] in self?.finish($0, .notShown($1)) }
    deliveries.append(delivery)
    bus.open()
    if bus.state == .closed || bus.state == .absent {
      delivery.fail(.noBus)
    } else {
      advance(delivery)
    }
  }

  /// Takes up a notification that was shown before this process began. If its service is gone ``onClosed`` tells,
  /// perhaps before this returns. Some services (dunst) tell of clicks only the process that showed it.
  public func adopt(_ notification: StandingNotification) {
    bus.open()
    unverified[notification] = unverified[notification] ?? false
    verify()
  }

  /// Takes a notification off the desktop; nothing happens if its service is gone.
  public func close(_ notification: StandingNotification) {
    if isOwnerKnown {
      sendClose(notification)
    } else {
      bus.open()
      unverified[notification] = true
    }
  }

  // MARK: The bus and the service on it

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  private func busIsReady() {
    ownerChanges = bus.match(
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='\(Self.name)'"
    ) { [weak self] message in
      guard message.has("sss"), message.string() == Self.name, message.string() != nil, let new = message.string() else { return }
      self?.ownerIs(new.isEmpty ? nil : new)
    }
    // Asked after the rule is in place, so that no change falls between.
    guard var call = askBus("GetNameOwner") else { return }
    call.append(Self.name)
    ownerQuestion = bus.send(call) { [weak self] message in
      guard self?.bus.isOpen == true else { return }
      self?.ownerIs(message.has("s") ? message.string() : nil)
    }
  }

  private func ownerIs(_ new: String?) {
    guard !isOwnerKnown || owner != new else { return }
    let gone = standing.values.map(\.notification)
    forgetService()
    owner = new
    isOwnerKnown = true
    isToldOf = new == nil
    for notification in gone { onClosed(notification, .serviceGone) }
    verify()
    for delivery in deliveries where delivery.stage == .waiting { advance(delivery) }
    tell()
  }

  private func busIsLost() {
    for (number, ours) in standing { unverified[ours.notification] = closings[number] != nil }
    forgetService()
    (ownerChanges, ownerQuestion, owner) = (nil, nil, nil)
    isOwnerKnown = false
    isToldOf = true
    for delivery in deliveries { finish(delivery, .notShown(.noBus)) }
  }

  private func forgetService() {
    standing = [:]
    closings = [:]
    capabilities = nil
    for delivery in late { forget(delivery) }
    signals = nil
  }

  /// Sorts out what was shown by somebody, now that it is known who is there.
  private func verify() {
    guard isOwnerKnown else { return }
    let notifications = unverified
    unverified = [:]
    for (notification, isToBeClosed) in notifications {
      guard notification.service == service else {
        onClosed(notification, .serviceGone)
        continue
      }
      listenToService()
      if standing[notification.number] == nil { standing[notification.number] = Standing(notification: notification) }
      if isToBeClosed { sendClose(notification) }
    }
  }

  /// Who shows notifications now, for ``StandingNotification/service``.
  private var service: String? { owner.map { "\(bus.identity)/\($0)" } }

  private func tell() {
    guard !isToldOf, deliveries.isEmpty, owner != nil else { return }
    isToldOf = true
    onServiceAppeared()
  }

  // MARK: From a notification to its number

  /// Takes the next step: find the service or start it, ask what it can do, hand the notification over.
  private func advance(_ delivery: Delivery) {
    guard isOwnerKnown else { return }
    if owner == nil {
      delivery.stage == .waiting ? startService(for: delivery) : delivery.fail(.noService)
    } else if let capabilities {
      notify(delivery, capabilities)
    } else {
      askCapabilities(for: delivery)
    }
  }

  private func startService(for delivery: Delivery) {
    guard var call = askBus("StartServiceByName") else { return delivery.fail(.noBus) }
    call.append(Self.name)
    call.append(0 as UInt32)
    ask(delivery, .starting, call) { [weak self] message in
      guard let self else { return }
      // The bus has told who it is before this answer; also who came by itself meanwhile, where no program could be started.
      let isThere = message.errorName == nil || owner != nil
      isThere ? advance(delivery) : delivery.fail(reason(message, starting: true))
    }
  }

  private func askCapabilities(for delivery: Delivery) {
    guard let call = askService("GetCapabilities") else { return delivery.fail(.noBus) }
    let asked = owner
    ask(delivery, .asking, call) { [weak self] message in
      guard let self, owner == asked, owner != nil, bus.isOpen else { return delivery.fail(self?.reason(message) ?? .noBus) }
      if isLate(delivery) { return answersAgain(delivery) }
      // A service that cannot tell gets the least: plain text, and nothing to click.
      let capabilities = Set((message.has("as") ? message.strings() : nil) ?? [])
      self.capabilities = capabilities
      notify(delivery, capabilities)
    }
  }

  private func notify(_ delivery: Delivery, _ capabilities: Set<String>) {
    guard let service, var call = askService("Notify") else { return delivery.fail(.noBus) }
    guard delivery.beforeSending(service) else { return delivery.fail(.withheld) }
    delivery.handedTo = service
    delivery.notification.write(to: &call, capabilities)
    listenToService()
    ask(delivery, .sent, call) { [weak self] message in
      guard let self else { return }
      guard message.errorName == nil else {
        guard isLate(delivery) else { return delivery.fail(reason(message)) }
        _ = delivery.late?(nil)
        return answersAgain(delivery)
      }
      guard message.has("u"), let number = message.uint32(), number != 0 else { return delivery.fail(.badAnswer) }
      took(delivery, StandingNotification(number: number, service: service))
    }
  }

  private func took(_ delivery: Delivery, _ notification: StandingNotification) {
    if isLate(delivery) {
      standing[notification.number] = Standing(notification: notification)
      if delivery.late?(notification) != true {
        standing[notification.number] = nil
        sendClose(notification)
      }
      return answersAgain(delivery)
    }
    // The service may have given way to another one meanwhile.
    guard notification.service == service else { return delivery.fail(.noService) }
    standing[notification.number] = Standing(notification: notification)
    finish(delivery, .shown(notification))
  }

  private func isLate(_ delivery: Delivery) -> Bool { late.contains { $0 === delivery } }

  /// An answer came that was given up: there is somebody again.
  private func answersAgain(_ delivery: Delivery) {
    isToldOf = false
    forget(delivery)
    tell()
  }

  private func ask(
    _ delivery: Delivery, _ stage: Delivery.Stage, _ call: consuming BusCall, answer: @escaping @DaemonActor (BusMessage) -> Void
  ) {
    delivery.stage = stage
    delivery.slot = bus.send(call, handler: answer)
    if delivery.slot == nil { delivery.fail(.refused) }
  }

  private func finish(_ delivery: Delivery, _ outcome: Outcome) {
    guard let index = deliveries.firstIndex(where: { $0 === delivery }) else { return forget(delivery) }
    deliveries.remove(at: index)
    delivery.stopTime()
    // A service that had it in its hands and did not show it is no news.
    if case .notShown = outcome, let handedTo = delivery.handedTo, handedTo == service { isToldOf = true }
    if outcome == .notShown(.noAnswer), delivery.late != nil, delivery.stage == .sent || delivery.stage == .asking {
      late.append(delivery)
      if late.count > 8 { forget(late[0]) }
    } else {
      delivery.slot = nil
      letServiceBe()
    }
    delivery.completion(outcome)
    tell()
  }

  /// Waits no longer for the answer to a notification that was given up.
  private func forget(_ delivery: Delivery) {
    late.removeAll { $0 === delivery }
    delivery.slot = nil
    letServiceBe()
  }

  private func reason(_ message: BusMessage, starting: Bool = false) -> Reason {
    guard bus.isOpen else { return .noBus }
    guard let name = message.errorName else { return .noService }
    let prefix = "org.freedesktop.DBus.Error."
    switch name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : "" {
    case "ServiceUnknown", "NameHasNoOwner", "NoReply": return .noService
    case "AccessDenied": return .accessDenied
    default: return starting ? .startFailed : .refused
    }
  }

  // MARK: What the service tells

  /// The service's signals are wanted while something of ours stands or is on its way, and wake nobody otherwise.
  private func listenToService() {
    guard signals == nil, let owner else { return }
    let rule = "type='signal',sender='\(owner)',path='\(Self.path)',interface='\(Self.name)'"
    signals = bus.match(rule) { [weak self] in self?.hear($0) }
  }

  private func letServiceBe() {
    if standing.isEmpty, late.isEmpty, !deliveries.contains(where: { $0.stage == .sent }) { signals = nil }
  }

  private func hear(_ message: BusMessage) {
    guard let signature = ["ActionInvoked": "us", "ActivationToken": "us", "NotificationClosed": "uu"][message.member],
      message.has(signature), let number = message.uint32(), let ours = standing[number]
    else { return }
    switch message.member {
    // What stands in a command's environment has its limits.
    case "ActivationToken": standing[number]?.token = message.string().flatMap { $0.utf8.count <= 4_096 ? $0 : nil }
    case "ActionInvoked":
      guard message.string() == DesktopNotification.defaultAction, !ours.isActivated else { return }
      standing[number]?.isActivated = true
      onActivated(ours.notification, ours.token)
    default: ended(number, message.uint32().flatMap { [1: .expired, 2: .dismissed, 3: .closed][$0] } ?? .undefined)
    }
  }

  private func ended(_ number: UInt32, _ ending: Ending) {
    closings[number] = nil
    guard let ours = standing.removeValue(forKey: number) else { return }
    letServiceBe()
    onClosed(ours.notification, ending)
  }

  // MARK: Calls

  private func sendClose(_ notification: StandingNotification) {
    guard notification.service == service, var call = askService("CloseNotification") else { return }
    let number = notification.number
    call.append(number)
    // Some services tell only the process that showed it, which may have been another one: the answer tells it as well.
    closings[number] = bus.send(call) { [weak self] _ in
      if self?.bus.isOpen == true { self?.ended(number, .closed) }
    }
  }

  private func askBus(_ method: String) -> BusCall? {
    bus.call(method, of: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", to: "org.freedesktop.DBus")
  }

  /// A call to the very service that is known, by its unique name: no other one can get it, and none is started by it.
  private func askService(_ method: String) -> BusCall? {
    owner.flatMap { bus.call(method, of: Self.name, path: Self.path, to: $0) }
  }
}
