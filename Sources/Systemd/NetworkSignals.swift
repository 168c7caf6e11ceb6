import EventLoop
import Glibc

/// What the system bus tells of the network: that NetworkManager, where there is one, sees another state of it, and that the machine has
/// woken up (logind). Having no system bus is a normal state.
@DaemonActor
public final class NetworkSignals {
  private let bus: SessionBus
  private var rules: [BusSlot] = []
  private let handler: @DaemonActor () -> Void

  /// The address of the system's bus, as the environment has it, else where it always lies.
  public nonisolated static var systemBus: String {
    getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/run/dbus/system_bus_socket"
  }

  /// Listens until it is thrown away.
  public init(bus address: String = NetworkSignals.systemBus, handler: @escaping @DaemonActor () -> Void) {
    self.handler = handler
    bus = SessionBus(address: address)
    bus.onReady = { [weak self] in self?.listen() }
    bus.onLost = { [weak self] in self?.rules = [] }
    bus.open()
  }

  private func listen() {
    // The signal is sent for each step of a connection; which one counts is decided here, since a rule can tell no number.
    let state = match("org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "StateChanged") { message in
      // NM_STATE_CONNECTED_LOCAL is 50, SITE 60, GLOBAL 70.
      message.has("u") && (message.uint32() ?? 0) >= 50
    }
    let sleep = match(
      "org.freedesktop.login1", "/org/freedesktop/login1", "PrepareForSleep", of: "org.freedesktop.login1.Manager"
    ) {
      // True is told before the sleep, false after it.
      $0.boolean() == false
    }
    rules = [state, sleep].compactMap { $0 }
  }

  private func match(
    _ sender: String, _ path: String, _ member: String, of interface: String? = nil,
    _ counts: @escaping @DaemonActor (BusMessage) -> Bool
  ) -> BusSlot? {
    let rule = "type='signal',sender='\(sender)',path='\(path)',interface='\(interface ?? sender)',member='\(member)'"
    return bus.match(rule) { [weak self] message in
      if counts(message) { self?.handler() }
    }
  }
}
