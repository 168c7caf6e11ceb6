import Glibc
import Synchronization
import TestLoop
import Testing

@testable import EventLoop

/// Whether this process may set the clock: tried by setting it to what it shows, which moves it by no more than the call takes.
private let maySetClock: Bool = {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return clock_settime(CLOCK_REALTIME, &time) == 0
}()

@Suite("The timer of the wall clock", .serialized, .timeLimit(.minutes(1)))
struct WallClockTests {
  init() { precondition(loopThread) }

  private typealias Cause = WallClockTimer.Cause

  /// What a timer tells, as it tells it.
  @DaemonActor
  private final class Told {
    let causes: AsyncStream<Cause>
    let timer: WallClockTimer
    private(set) var count = 0

    init(_ clock: WallClock = .system) throws {
      let (stream, continuation) = AsyncStream<Cause>.makeStream()
      causes = stream
      var note: (@DaemonActor () -> Void)?
      timer = try WallClockTimer(clock) { cause in
        note?()
        continuation.yield(cause)
      }
      note = { [weak self] in self?.count += 1 }
    }

    func next() async -> Cause? {
      for await cause in causes { return cause }
      return nil
    }

    /// Whether it tells nothing for a while; another timer of the loop says when that is over.
    func isSilent(milliseconds: Int) async throws -> Bool {
      let before = count
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let end = try TimerSource { continuation.yield() }
      end.arm(afterMilliseconds: milliseconds)
      for await _ in stream { break }
      end.cancel()
      return count == before
    }
  }

  @Test("it goes off once, when the clock shows its time and not before, and is not armed any more") @DaemonActor
  func due() async throws {
    let told = try Told()
    let at = WallClock.system.now() + 60
    told.timer.arm(at: at)
    #expect(told.timer.dueAt == at)
    #expect(await told.next() == .due)
    #expect(WallClock.system.now() >= at)
    #expect(told.timer.dueAt == nil)
    #expect(try await told.isSilent(milliseconds: 80))
  }

  @Test("armed again it forgets the former time; disarmed it is silent, and can be armed anew") @DaemonActor
  func again() async throws {
    let told = try Told()
    let now = WallClock.system.now()
    told.timer.arm(at: now + 20)
    told.timer.arm(at: now + 3_600_000)
    #expect(told.timer.dueAt == now + 3_600_000)
    #expect(try await told.isSilent(milliseconds: 60))
    told.timer.disarm()
    #expect(told.timer.dueAt == nil)
    told.timer.arm(at: WallClock.system.now() + 20)
    told.timer.disarm()
    #expect(try await told.isSilent(milliseconds: 60))
    told.timer.arm(at: WallClock.system.now() + 20)
    #expect(await told.next() == .due)
    #expect(told.count == 1)
  }

  @Test("a time that has passed is due at once", arguments: [Int64(-1), 0, 1, -86_400_000]) @DaemonActor
  func past(_ offset: Int64) async throws {
    let told = try Told()
    // Also one before 1970, which the kernel knows no timer for.
    for at in [WallClock.system.now() - 5 + min(offset, 0), offset] {
      told.timer.arm(at: at)
      #expect(await told.next() == .due)
    }
    #expect(told.count == 2)
  }

  @Test("a clock that is ahead of the system's is the one that counts") @DaemonActor
  func ahead() async throws {
    let clock = WallClock { 400 * 86_400_000 }
    let told = try Told(clock)
    let at = clock.now() + 40
    told.timer.arm(at: at)
    #expect(await told.next() == .due)
    #expect(clock.now() >= at && clock.now() < at + 20_000)
    told.timer.arm(at: WallClock.system.now() + 3_600_000)
    #expect(await told.next() == .due)
  }

  @Test("a timer that is gone tells nothing") @DaemonActor
  func gone() async throws {
    let fired = Atomic(0)
    var timer: WallClockTimer? = try WallClockTimer(.system) { _ in fired.add(1, ordering: .relaxed) }
    timer?.arm(at: WallClock.system.now() + 10)
    timer = nil
    let told = try Told()
    #expect(try await told.isSilent(milliseconds: 40))
    #expect(fired.load(ordering: .relaxed) == 0)
  }

  @Test(
    "when the clock is set it says so, once, whatever it was set to; not while it is not armed",
    .enabled(if: maySetClock, "only who may set the clock can try it")
  ) @DaemonActor
  func clockSet() async throws {
    let told = try Told()
    told.timer.arm(at: WallClock.system.now() + 3_600_000)
    #expect(maySetTheClockToWhatItShows())
    #expect(await told.next() == .clockSet)
    #expect(told.timer.dueAt == nil)
    #expect(maySetTheClockToWhatItShows())
    #expect(try await told.isSilent(milliseconds: 40))
    told.timer.arm(at: WallClock.system.now() + 20)
    #expect(await told.next() == .due)
    #expect(told.count == 2)
  }

  @Test(
    "set just before it is armed anew, the clock is not taken for what it was: the timer goes off at once",
    .enabled(if: maySetClock, "only who may set the clock can try it")
  ) @DaemonActor
  func clockSetBetween() async throws {
    let told = try Told()
    let later = WallClock.system.now() + 3_600_000
    told.timer.arm(at: later)
    #expect(maySetTheClockToWhatItShows())
    told.timer.arm(at: later)
    #expect(await told.next() == .due)
    told.timer.arm(at: later)
    #expect(try await told.isSilent(milliseconds: 40))
  }

  private func maySetTheClockToWhatItShows() -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return clock_settime(CLOCK_REALTIME, &time) == 0
  }
}
