import CSystemdEvent
import Glibc
import Synchronization

/// The daemon's loop (sd-event) as a Swift executor: one thread waits, calls back and runs the jobs of ``DaemonActor``.
///
/// With nothing to do it sits in one `epoll_wait` without a time limit. Jobs from other threads wake it through an eventfd;
/// jobs from its own thread cost no system call.
///
/// Why `@unchecked Sendable`, member by member:
/// - `event` and `wake` are set once in `init`. `event` is used on the loop's thread alone: every public member that touches it is
///   isolated to ``DaemonActor`` or checks the thread. `wake` is only written to, which any thread may do.
/// - `jobs` is behind a mutex; `owner`, `isStopping` and `turnCount` are atomic.
/// - `deferred` and `running` are isolated to ``DaemonActor``.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
  /// The process's loop.
  public static let main = EventLoop()

  let event: OpaquePointer
  private let wake: Int32
  private let jobs = Mutex<JobQueue>(JobQueue())
  private let owner = Atomic<UInt>(0)
  private let isStopping = Atomic<Bool>(false)
  private let turnCount = Atomic<Int>(0)
  @DaemonActor private var deferred: [Weak] = []
  @DaemonActor private var running: [Weak] = []

  private struct Weak {
    weak var source: DeferredSource?
  }

  private struct JobQueue {
    var waiting: [UnownedJob] = []
    var isSignalled = false
  }

  private init() {
    var event: OpaquePointer?
    let result = sd_event_new(&event)
    guard result >= 0, let event else { fatalError("no event loop: error \(-result)") }
    self.event = event
    wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard wake >= 0 else { fatalError("no eventfd: error \(errno)") }
    let added = sd_event_add_io(
      event, nil, wake, UInt32(EPOLLIN.rawValue),
      { _, descriptor, _, _ in
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        return 0
      }, nil)
    guard added >= 0 else { fatalError("no wake-up source: error \(-added)") }
    adoptThread()
  }

  /// Makes the calling thread the loop's. It is the thread that first touches ``main`` until another adopts the loop; hand it
  /// over only while nothing runs on it.
  public func adoptThread() { owner.store(UInt(pthread_self()), ordering: .sequentiallyConsistent) }

  private var isOwner: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Runs until ``stop()``: jobs first, then what was put off, then whatever the kernel has ready.
  public func run() {
    precondition(isOwner, "the loop runs on the thread that adopted it")
    isStopping.store(false, ordering: .relaxed)
    while !isStopping.load(ordering: .relaxed) { turn(wait: true) }
  }

  /// One turn: the jobs that wait and what was put off, then one round of ready sources; it blocks only if `wait` and nothing is waiting.
  func turn(wait: Bool) {
    runJobs()
    let hasDeferred = DaemonActor.assumeIsolated { runDeferred() }
    let isIdle = jobs.withLock { queue in
      // From here on a job from another thread must wake the loop up.
      queue.isSignalled = !queue.waiting.isEmpty
      return queue.waiting.isEmpty
    }
    if isStopping.load(ordering: .relaxed) { return }
    let result = sd_event_run(event, wait && isIdle && !hasDeferred ? UInt64.max : 0)
    precondition(result >= 0, "the loop cannot wait: error \(-result)")
  }

  /// Ends ``run()`` after the current turn. May be called from any thread.
  public func stop() {
    isStopping.store(true, ordering: .relaxed)
    wakeUp()
  }

  /// Lets the loop ping systemd's watchdog if the service asks for it; returns whether it does.
  @DaemonActor
  @discardableResult
  public func enableWatchdog() -> Bool { sd_event_set_watchdog(event, 1) > 0 }

  /// The loop as libsystemd knows it (`sd_event *`), for the parts of that library that bring their sources along, such as
  /// `sd_bus_attach_event`. Running and ending the loop stay with this class.
  @DaemonActor
  public var systemdEvent: OpaquePointer { event }

  /// How often the loop has turned: what ran in different turns had a look at the ready sources in between.
  public var turns: Int { turnCount.load(ordering: .relaxed) }

  private func runJobs() {
    turnCount.add(1, ordering: .relaxed)
    let batch = jobs.withLock { queue in
      let batch = queue.waiting
      queue.waiting.removeAll(keepingCapacity: batch.count <= 64)
      return batch
    }
    for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  @DaemonActor
  func putOff(_ source: DeferredSource) { deferred.append(Weak(source: source)) }

  /// Does what was put off before this turn; whether more has been put off meanwhile.
  @DaemonActor
  private func runDeferred() -> Bool {
    if deferred.isEmpty { return false }
    swap(&deferred, &running)
    for weak in running { weak.source?.run() }
    running.removeAll(keepingCapacity: true)
    return !deferred.isEmpty
  }

  private func wakeUp() {
    var one: UInt64 = 1
    _ = write(wake, &one, 8)
  }

  // MARK: SerialExecutor

  /// Takes a job over; it runs on the loop's thread in the order of arrival.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustWake = jobs.withLock { queue in
      queue.waiting.append(job)
      defer { queue.isSignalled = true }
      return !queue.isSignalled
    }
    if mustWake, !isOwner { wakeUp() }
  }

  /// This executor, unowned: it lives as long as the process.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Traps unless called on the loop's thread.
  public func checkIsolated() { precondition(isOwner, "not on the loop's thread") }

  /// Whether the caller is on the loop's thread.
  public func isIsolatingCurrentContext() -> Bool? { isOwner }
}
