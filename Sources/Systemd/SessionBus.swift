import CSystemd
import EventLoop
import Glibc

/// A call that waits for its answer, or a rule for signals: as long as this lives, what comes is handed over.
@DaemonActor
final class BusSlot {
  fileprivate var handle: OpaquePointer?
  private let handler: @DaemonActor (BusMessage) -> Void

  fileprivate init(_ handler: @escaping @DaemonActor (BusMessage) -> Void) { self.handler = handler }

  isolated deinit { handle = sd_bus_slot_unref(handle) }

  fileprivate var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Hands a message to the slot behind `context`, which lives: its end takes the handler back.
  fileprivate static let receive: sd_bus_message_handler_t = { message, context, _ in
    // Why `nonisolated(unsafe)`, value by value; both are pointers that the compiler would keep from an isolated closure:
    // - `message` is libsystemd's. It calls back on the loop's thread, which is the actor's own, keeps the message until this returns,
    //   and `BusMessage` does not outlive the handler.
    // - `context` is the slot itself, which is isolated to the actor and lives: its `deinit` takes the callback back first.
    // `assumeIsolated` checks the thread and returns before this does, so neither is sent to another thread or used later.
    nonisolated(unsafe) let (message, context) = (message, context)
    DaemonActor.assumeIsolated {
      guard let message, let context else { return }
      Unmanaged<BusSlot>.fromOpaque(context).takeUnretainedValue().handler(BusMessage(handle: message))
    }
    return 0
  }
}

/// The connection to the person's session bus, on the loop. Having none is a normal state: nothing here waits, and nothing ends the
/// process.
///
/// Once asked for it is kept: a lost connection is tried again a few times, and where no bus listens the kernel tells when its socket
/// appears.
@DaemonActor
final class SessionBus {
  /// How the connection stands.
  enum State: Equatable {
    /// There is none, and none is tried until it is asked for.
    case closed
    /// No bus listens; the place of its socket is watched.
    case absent
    /// The bus has been reached and has not welcomed us yet. Calls may be made; they go out then.
    case connecting
    /// It works.
    case ready
  }

  private(set) var state = State.closed
  /// The bus's own identity, another one after each of its starts; empty before ``State/ready``.
  private(set) var identity = ""
  /// The connection has become ready.
  var onReady: @DaemonActor () -> Void = {}
  /// The connection that was there, or was about to be, is gone, and with it every call and rule.
  var onLost: @DaemonActor () -> Void = {}

  private let address: String
  private var bus: OpaquePointer?
  private var connected: BusSlot?
  private var disconnected: BusSlot?
  private var reopening: TimerSource?
  /// How often in a row it was lost as soon as it was made.
  private var losses = 0
  private var readySince = ContinuousClock.now
  /// The waits before a lost connection is tried again, in milliseconds. What listens there may be about to end, or no bus at all.
  private static let waits = [0, 100, 500, 2_000, 10_000]
  /// How often it is tried each minute after that: four hours, as long as anything waits to be shown.
  private static let mostMinutes = 240

  /// A bus at `address`; nil means the person's session bus. Nothing is opened yet.
  init(address: String? = nil) {
    self.address = BusAddress.local(address ?? BusAddress.environment())
    reopening = try? TimerSource { [weak self] in self?.open() }
  }

  isolated deinit { sd_bus_close_unref(bus) }

  /// Connects unless it has been done; ``state`` tells at once how far it got.
  func open() {
    guard state == .closed else { return }
    let result = start(watching: false)
    state = result >= 0 ? .connecting : .closed
    guard result < 0, result != -ENOMEDIUM else { return }
    if result == -ENOENT || result == -ECONNREFUSED, start(watching: true) >= 0 {
      state = .absent
    } else {
      // A full backlog, a socket of somebody else's: nothing tells when that is over.
      reopenLater()
    }
  }

  /// Whether it still stands; calls that fail because it does not get their errors before ``onLost`` is called.
  var isOpen: Bool { sd_bus_is_open(bus) > 0 }

  /// Sends a call; the answer, or the error, goes to `handler` while the slot lives. Nil if it cannot be sent.
  func send(_ call: consuming BusCall, handler: @escaping @DaemonActor (BusMessage) -> Void) -> BusSlot? {
    guard call.result >= 0 else { return nil }
    let slot = BusSlot(handler)
    // Who asks keeps time.
    let sent = sd_bus_call_async(bus, &slot.handle, call.handle, BusSlot.receive, slot.context, UInt64.max)
    return sent >= 0 ? slot : nil
  }

  /// A call to a method, to be filled and sent; nil without a connection.
  func call(_ method: String, of interface: String, path: String, to destination: String) -> BusCall? {
    guard let bus, state != .absent else { return nil }
    return BusCall(bus, to: destination, path: path, interface: interface, method: method)
  }

  /// Gets the signals that fit `rule`, as long as the slot lives.
  func match(_ rule: String, handler: @escaping @DaemonActor (BusMessage) -> Void) -> BusSlot? {
    let slot = BusSlot(handler)
    return sd_bus_add_match_async(bus, &slot.handle, rule, BusSlot.receive, nil, slot.context) >= 0 ? slot : nil
  }

  /// A connection that is being made; with `watching` it waits for the socket to appear. The result is libsystemd's.
  private func start(watching: Bool) -> Int32 {
    guard !address.isEmpty else { return -ENOMEDIUM }
    var made: OpaquePointer?
    var result = sd_bus_new(&made)
    guard result >= 0 else { return result }
    bus = made
    let steps: [() -> Int32] = [
      { sd_bus_set_address(made, self.address) },
      { sd_bus_set_bus_client(made, 1) },
      { sd_bus_set_watch_bind(made, watching ? 1 : 0) },
      { sd_bus_set_connected_signal(made, 1) },
      { sd_bus_start(made) },
      { self.watchConnection() },
      { sd_bus_attach_event(made, EventLoop.main.systemdEvent, 0) },
    ]
    for step in steps where result >= 0 { result = step() }
    if result < 0 { close() }
    return result
  }

  /// The two messages that the library makes up about the connection itself.
  private func watchConnection() -> Int32 {
    let name = "org.freedesktop.DBus.Local"
    let rule = "type='signal',sender='\(name)',path='/org/freedesktop/DBus/Local',interface='\(name)',member="
    connected = match(rule + "'Connected'") { [weak self] _ in self?.becameReady() }
    disconnected = match(rule + "'Disconnected'") { [weak self] _ in self?.wasLost() }
    return connected == nil || disconnected == nil ? -ENOMEM : 0
  }

  private func becameReady() {
    var id = sd_id128_t()
    guard sd_bus_get_bus_id(bus, &id) >= 0 else { return }
    identity = withUnsafeBytes(of: id) { bytes in bytes.map { BusAddress.hexadecimal($0) }.joined() }
    state = .ready
    readySince = .now
    onReady()
  }

  private func wasLost() {
    if state == .ready, .now - readySince > .seconds(1) { losses = 0 }
    close()
    reopenLater()
    onLost()
  }

  private func reopenLater() {
    guard losses < Self.waits.count + Self.mostMinutes else { return }
    let wait = losses < Self.waits.count ? Self.waits[losses] : 60_000
    losses += 1
    reopening?.arm(afterMilliseconds: wait, slack: wait / 10)
  }

  private func close() {
    connected = nil
    disconnected = nil
    sd_bus_close_unref(bus)
    bus = nil
    identity = ""
    state = .closed
  }
}
