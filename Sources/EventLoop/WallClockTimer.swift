import CSystemdEvent
import Glibc

/// The clock on the wall, in milliseconds since 1970. It can be set, in either direction, at any time.
public struct WallClock: Sendable {
  /// How far this clock is ahead of the system's, in milliseconds: 0 but where time is tried out.
  public let ahead: @Sendable () -> Int64

  /// A clock that is ahead of the system's by what a closure says.
  public init(ahead: @escaping @Sendable () -> Int64) { self.ahead = ahead }

  /// The system's clock.
  public static let system = WallClock { 0 }

  /// The time now.
  public func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000 + ahead()
  }
}

/// A timer that waits for a time on the wall, however the clock comes to show it: by going on, by being set, or by a resume.
///
/// While it is armed it also tells when the clock was set or the machine woke up (`TFD_TIMER_CANCEL_ON_SET`), since a time that was
/// reckoned before may mean nothing after. While it is not, it costs nothing.
@DaemonActor
public final class WallClockTimer {
  /// Why the handler is called.
  public enum Cause: Sendable {
    /// The time has come.
    case due
    /// The clock was set, or the machine was resumed. The timer is not armed any more.
    case clockSet
  }

  private let descriptor: Int32
  private let clock: WallClock
  private var source: DescriptorSource?
  /// When it goes off, in milliseconds since 1970; nil while it is not armed.
  public private(set) var dueAt: Int64?

  /// A timer that is not armed yet.
  public init(_ clock: WallClock, handler: @escaping @DaemonActor (Cause) -> Void) throws(LoopError) {
    self.clock = clock
    descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard descriptor >= 0 else { throw LoopError(call: "timerfd_create", errno: errno) }
    source = try DescriptorSource(descriptor, events: .readable) { [weak self] _ in
      guard let self, let cause = self.take() else { return }
      handler(cause)
    }
  }

  isolated deinit {
    source?.cancel()
    close(descriptor)
  }

  /// Goes off once when the clock shows `milliseconds` since 1970 or later; at once if it does already. A former setting is forgotten.
  public func arm(at milliseconds: Int64) {
    dueAt = milliseconds
    // Zero would disarm it, and nothing is due before 1970.
    let system = max(1, milliseconds - clock.ahead())
    let flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET
    if set(seconds: system / 1_000, nanoseconds: system % 1_000 * 1_000_000, flags: flags) { return }
    // The clock was set since the last setting, and the kernel tells it here alone: `milliseconds` may have been reckoned before.
    set(seconds: 0, nanoseconds: 1, flags: flags)
  }

  /// Does not go off any more until armed again.
  public func disarm() {
    guard dueAt != nil else { return }
    dueAt = nil
    // Without the flag: the kernel would go on telling that the clock was set.
    set(seconds: 0, nanoseconds: 0, flags: TFD_TIMER_ABSTIME)
  }

  @discardableResult
  private func set(seconds: Int64, nanoseconds: Int64, flags: Int) -> Bool {
    var value = itimerspec()
    value.it_value.tv_sec = Int(seconds)
    value.it_value.tv_nsec = Int(nanoseconds)
    return timerfd_settime(descriptor, Int32(flags), &value, nil) == 0
  }

  /// What made the descriptor readable; nil if another setting has overtaken it.
  private func take() -> Cause? {
    var count: UInt64 = 0
    let result = read(descriptor, &count, 8)
    guard result == 8 || (result < 0 && errno == ECANCELED) else { return nil }
    disarm()
    return result == 8 ? .due : .clockSet
  }
}
