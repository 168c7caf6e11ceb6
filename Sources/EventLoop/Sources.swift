import CSystemdEvent
import Glibc

/// A call that the loop could not take: the name of what failed and the error number.
public struct LoopError: Error, Equatable, Sendable {
  /// The call, such as `sd_event_add_io`.
  public let call: String
  /// The error number, positive.
  public let errno: Int32
}

/// What every source shares: the loop's handle, given back when the object goes.
@DaemonActor
public class EventSource {
  fileprivate(set) var handle: OpaquePointer?

  init() {}

  /// Takes the source off the loop; its handler is not called again.
  public func cancel() {
    guard let handle else { return }
    sd_event_source_disable_unref(handle)
    self.handle = nil
  }

  isolated deinit { cancel() }

  func adopt(_ call: String, _ result: Int32, _ source: OpaquePointer?) throws(LoopError) {
    guard result >= 0 else { throw LoopError(call: call, errno: -result) }
    handle = source
  }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// A descriptor that the loop watches. The descriptor stays the caller's: cancel the source before closing it.
@DaemonActor
public final class DescriptorSource: EventSource {
  private let handler: @DaemonActor (Readiness) -> Void

  /// Watches `descriptor` for `events`; the handler gets those that are there.
  public init(_ descriptor: Int32, events: Readiness, handler: @escaping @DaemonActor (Readiness) -> Void) throws(LoopError) {
    self.handler = handler
    super.init()
    var source: OpaquePointer?
    let result = sd_event_add_io(
      EventLoop.main.event, &source, descriptor, events.rawValue,
      { _, _, events, context in
        DaemonActor.assumeIsolated { EventSource.at(context, as: DescriptorSource.self)?.handler(Readiness(rawValue: events)) }
        return 0
      }, context)
    try adopt("sd_event_add_io", result, source)
  }
}

/// A timer on the monotonic clock. It waits; what the time means to a person is no matter of its.
@DaemonActor
public final class TimerSource: EventSource {
  private let handler: @DaemonActor () -> Void

  /// A timer that is not armed yet.
  public init(handler: @escaping @DaemonActor () -> Void) throws(LoopError) {
    self.handler = handler
    super.init()
    var source: OpaquePointer?
    let result = sd_event_add_time(
      EventLoop.main.event, &source, CLOCK_MONOTONIC, UInt64.max, 0,
      { _, _, context in
        DaemonActor.assumeIsolated { EventSource.at(context, as: TimerSource.self)?.fire() }
        return 0
      }, context)
    try adopt("sd_event_add_time", result, source)
    disarm()
  }

  /// Whether it will go off.
  public private(set) var isArmed = false

  /// Goes off once, `milliseconds` from now; a former setting is forgotten. The kernel may be late by `slack` milliseconds.
  public func arm(afterMilliseconds milliseconds: Int, slack: Int = 1) {
    guard let handle else { return }
    // From now, not from the beginning of the loop's turn, as sd_event_source_set_time_relative would have it: never too early.
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
    _ = sd_event_source_set_time(handle, microseconds + UInt64(max(0, milliseconds)) * 1_000)
    _ = sd_event_source_set_time_accuracy(handle, UInt64(max(1, slack)) * 1000)
    _ = sd_event_source_set_enabled(handle, Int32(SD_EVENT_ONESHOT))
    isArmed = true
  }

  /// Does not go off any more until armed again.
  public func disarm() {
    isArmed = false
    guard let handle else { return }
    _ = sd_event_source_set_enabled(handle, Int32(SD_EVENT_OFF))
  }

  fileprivate func fire() {
    isArmed = false
    handler()
  }
}

/// Work for the next turn of the loop, without any wait.
///
/// It is the loop's own and no source of sd-event's, which does not look at the kernel at all while such a source is pending: work that
/// puts itself off again and again would keep new clients, signals and timers waiting.
@DaemonActor
public final class DeferredSource {
  private let handler: @DaemonActor () -> Void
  private var isEnabled = false

  /// A source that is not enabled yet.
  public init(handler: @escaping @DaemonActor () -> Void) { self.handler = handler }

  /// Calls the handler once in the next turn.
  public func enable() {
    guard !isEnabled else { return }
    isEnabled = true
    EventLoop.main.putOff(self)
  }

  /// Takes what was put off back.
  public func cancel() { isEnabled = false }

  func run() {
    guard isEnabled else { return }
    isEnabled = false
    handler()
  }
}

/// A Unix signal, taken by the loop in place of a handler. The signal is blocked for the process's threads made afterwards.
@DaemonActor
public final class SignalSource: EventSource {
  private let handler: @DaemonActor () -> Void

  /// Takes `signal` (such as `SIGTERM`).
  public init(_ signal: Int32, handler: @escaping @DaemonActor () -> Void) throws(LoopError) {
    self.handler = handler
    super.init()
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    var source: OpaquePointer?
    let result = sd_event_add_signal(
      EventLoop.main.event, &source, signal,
      { _, _, context in
        DaemonActor.assumeIsolated { EventSource.at(context, as: SignalSource.self)?.handler() }
        return 0
      }, context)
    try adopt("sd_event_add_signal", result, source)
  }
}

extension EventSource {
  /// The object behind a callback's context. It lives: `deinit` takes the source off the loop first.
  static func at<Source: EventSource>(_ context: UnsafeMutableRawPointer?, as type: Source.Type) -> Source? {
    context.map { Unmanaged<Source>.fromOpaque($0).takeUnretainedValue() }
  }
}
