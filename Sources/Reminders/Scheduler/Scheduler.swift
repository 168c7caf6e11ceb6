import CivilTime
import EventLoop

/// Something that has its times: it is asked what is to be done now, does it, and says when it wants to be asked again.
@DaemonActor
public protocol Scheduled: AnyObject {
  /// Does what is due at an instant in a zone. Answers the next instant that means something to it, always later than `now`; nil for
  /// none. Throws when it could not be stored: then nothing of it has happened, and it is asked again after a while.
  func look(at now: Int64, in zone: Zone) throws -> Int64?
}

/// The one timer for all that has its times. It keeps no plan: whenever something may have changed — the time has come, the clock was
/// set, the zone is another, a setting or a reading was written — everything is looked at anew.
@DaemonActor
public final class Scheduler {
  private let clock: WallClock
  private let zone: @DaemonActor () -> Zone
  private var timer: WallClockTimer?
  private var looking: DeferredSource?
  private var retry: TimerSource?
  private var parts: [any Scheduled] = []
  /// How long after a failure to store it is tried again, in milliseconds.
  private static let retryMilliseconds = 30_000
  /// Called after each look, with what could not be stored, or nil if all could.
  public var onFailure: (@DaemonActor ((any Error)?) -> Void)?
  /// Called when the clock was set or the machine was resumed.
  public var onClockSet: (@DaemonActor () -> Void)?

  /// A scheduler of a clock; the zone is read afresh at every look.
  public init(clock: WallClock, zone: @escaping @DaemonActor () -> Zone) throws(LoopError) {
    self.clock = clock
    self.zone = zone
    timer = try WallClockTimer(clock) { [weak self] cause in
      if cause == .clockSet { self?.onClockSet?() }
      self?.lookAtAll()
    }
    retry = try TimerSource { [weak self] in self?.lookAtAll() }
    looking = DeferredSource { [weak self] in self?.lookAtAll() }
  }

  /// Takes something in; it is looked at with the next ``look()``.
  public func add(_ part: any Scheduled) { parts.append(part) }

  /// Something may have changed: all is looked at in the next turn of the loop, once however often this is called until then.
  public func look() { looking?.enable() }

  /// Something could not be stored: all is looked at again in a while.
  public func lookLater() { retry?.arm(afterMilliseconds: Self.retryMilliseconds, slack: 1_000) }

  /// Ends it: nothing is looked at any more.
  public func stop() {
    timer = nil
    retry = nil
    looking = nil
    parts = []
  }

  private func lookAtAll() {
    retry?.disarm()
    let now = clock.now()
    let zone = zone()
    var next: Int64?
    var failure: (any Error)?
    for part in parts {
      do {
        guard let wanted = try part.look(at: now, in: zone) else { continue }
        next = min(next ?? wanted, wanted)
      } catch {
        failure = error
        lookLater()
      }
    }
    onFailure?(failure)
    if let next { timer?.arm(at: next) } else { timer?.disarm() }
  }
}
