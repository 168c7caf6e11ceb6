import CSystemdEvent
import Glibc

/// What a descriptor is ready for, or is watched for.
public struct Readiness: OptionSet, Sendable {
  /// The kernel's bits (`EPOLLIN` …).
  public let rawValue: UInt32
  /// Bits of the kernel's.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Something can be read, or the stream has ended.
  public static let readable = Readiness(rawValue: UInt32(EPOLLIN.rawValue))
  /// Something can be written.
  public static let writable = Readiness(rawValue: UInt32(EPOLLOUT.rawValue))
  /// The other end is gone; told whether watched for or not.
  public static let gone = Readiness(rawValue: UInt32(EPOLLHUP.rawValue | EPOLLERR.rawValue))
}

/// Many descriptors under one source: all that are ready in a turn of the loop are handed over together.
///
/// sd-event calls back for one descriptor a turn. A turn that must see every ready client at once (to put their requests into
/// one transaction) needs them in one go; this keeps them in an epoll instance of its own, which the loop watches.
@DaemonActor
public final class DescriptorGroup {
  /// A descriptor that is ready: the token it was added with and its events.
  public struct Ready: Sendable {
    /// The token given to ``add(_:token:events:)``.
    public let token: Int
    /// What it is ready for.
    public let events: Readiness
  }

  private let epoll: Int32
  private var source: DescriptorSource?
  private var buffer: [epoll_event]
  private var ready: [Ready] = []

  /// A group without members; at most `batch` of them are handed over at once, the others in the next turn.
  public init(batch: Int = 64, handler: @escaping @DaemonActor ([Ready]) -> Void) throws(LoopError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw LoopError(call: "epoll_create1", errno: errno) }
    buffer = Array(repeating: epoll_event(), count: batch)
    source = try DescriptorSource(epoll, events: .readable) { [weak self] _ in
      if let self { handler(self.poll()) }
    }
  }

  isolated deinit {
    source?.cancel()
    close(epoll)
  }

  /// The members that are ready now; never waits.
  public func poll() -> [Ready] {
    ready.removeAll(keepingCapacity: true)
    let count = epoll_wait(epoll, &buffer, Int32(buffer.count), 0)
    for index in 0..<max(0, Int(count)) {
      ready.append(Ready(token: Int(buffer[index].data.u64), events: Readiness(rawValue: buffer[index].events)))
    }
    return ready
  }

  /// Watches `descriptor` for `events`; `token` comes back with it.
  public func add(_ descriptor: Int32, token: Int, events: Readiness) throws(LoopError) {
    try control(EPOLL_CTL_ADD, descriptor, token: token, events: events)
  }

  /// Watches a member for other events.
  public func change(_ descriptor: Int32, token: Int, events: Readiness) throws(LoopError) {
    try control(EPOLL_CTL_MOD, descriptor, token: token, events: events)
  }

  /// Watches it no more; call before closing the descriptor.
  public func remove(_ descriptor: Int32) { _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil) }

  private func control(_ operation: Int32, _ descriptor: Int32, token: Int, events: Readiness) throws(LoopError) {
    var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: UInt64(token)))
    guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else { throw LoopError(call: "epoll_ctl", errno: errno) }
  }
}
