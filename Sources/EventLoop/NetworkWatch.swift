import CLinux
import Glibc

/// Tells that the network is another: a link, an address or a route has come or gone (rtnetlink). What it is like now, nobody says; it is
/// a reason to try.
@DaemonActor
public final class NetworkWatch {
  private let descriptor: Int32
  private var source: DescriptorSource?
  private var settling: TimerSource?

  /// How long the network must have been quiet before it is told, in milliseconds: a link that comes up brings a dozen messages, and its
  /// routes last.
  private static let quietMilliseconds = 200

  /// Watches until it is thrown away.
  public init(handler: @escaping @DaemonActor () -> Void) throws(LoopError) {
    descriptor = kv_route_socket()
    guard descriptor >= 0 else { throw LoopError(call: "netlink", errno: errno) }
    let settling = try TimerSource { handler() }
    self.settling = settling
    source = try DescriptorSource(descriptor, events: .readable) { [weak self] _ in
      guard let self else { return }
      self.drain()
      // The first message starts the wait and later ones do not put it off: a network that never rests is told of too.
      if !settling.isArmed { settling.arm(afterMilliseconds: Self.quietMilliseconds, slack: 20) }
    }
  }

  isolated deinit {
    source?.cancel()
    close(descriptor)
  }

  /// What the messages say is not read. More of them than fit (ENOBUFS) mean the same.
  private func drain() {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 || errno == ENOBUFS {}
  }
}
