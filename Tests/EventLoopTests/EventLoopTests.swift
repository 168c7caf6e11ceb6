import CSystemdEvent
import Glibc
import TestLoop
import Testing

@testable import EventLoop

/// A one-shot answer that a callback gives and a test awaits.
@DaemonActor
private func answer<Value: Sendable>(_ body: @DaemonActor (@escaping @DaemonActor (Value) -> Void) throws -> Void) async rethrows
  -> Value
{
  let (stream, continuation) = AsyncStream<Value>.makeStream()
  try body { continuation.yield($0) }
  for await value in stream { return value }
  fatalError("the stream never ends")
}

@Suite("The loop", .serialized, .timeLimit(.minutes(1)))
struct EventLoopTests {
  init() { precondition(loopThread) }

  @Test("jobs from other threads run on the loop's thread, all of them")
  func jobs() async {
    let first = await Task { @DaemonActor in UInt(pthread_self()) }.value
    let threads = await withTaskGroup(of: UInt.self) { group in
      for _ in 0..<1_000 { group.addTask { await Task { @DaemonActor in UInt(pthread_self()) }.value } }
      return await group.reduce(into: Set<UInt>()) { $0.insert($1) }
    }
    #expect(threads == [first])
    #expect(first != UInt(pthread_self()))
  }

  @Test("a timer goes off once, not before its time, and not when disarmed") @DaemonActor
  func timer() async throws {
    var fired = 0
    var timer: TimerSource?
    let start = ContinuousClock.now
    let _: Bool = try await answer { done in
      timer = try TimerSource {
        fired += 1
        done(true)
      }
      timer?.arm(afterMilliseconds: 5_000)
      timer?.disarm()
      timer?.arm(afterMilliseconds: 30)
    }
    #expect(ContinuousClock.now - start >= .milliseconds(30))
    #expect(fired == 1)
    #expect(timer?.isArmed == false)
  }

  @Test("work that is put off again and again keeps neither descriptors, timers nor signals waiting") @DaemonActor
  func deferredForEver() async throws {
    var pipes: [Int32] = [0, 0]
    #expect(pipe(&pipes) == 0)
    defer { for end in pipes { close(end) } }
    var happened: Set<String> = []
    var sources: [EventSource] = []
    var turns = 0
    var deferred: DeferredSource?
    let _: Bool = try await answer { done in
      deferred = DeferredSource {
        turns += 1
        if turns == 1 {
          write(pipes[1], "x", 1)
          pthread_kill(pthread_self(), SIGUSR2)
        }
        if happened.count == 3 || turns == 100_000 { done(true) } else { deferred?.enable() }
      }
      let reader = try DescriptorSource(pipes[0], events: .readable) { _ in happened.insert("descriptor") }
      let timer = try TimerSource { happened.insert("timer") }
      timer.arm(afterMilliseconds: 1)
      sources = [reader, timer, try SignalSource(SIGUSR2) { happened.insert("signal") }]
      deferred?.enable()
    }
    #expect(happened == ["descriptor", "timer", "signal"])
    for source in sources { source.cancel() }
    deferred = nil
  }

  @Test("what was put off and then taken off the loop is not done; put off twice it is done once") @DaemonActor
  func deferredOnce() async throws {
    var calls: [String] = []
    let cancelled = DeferredSource { calls.append("cancelled") }
    cancelled.enable()
    cancelled.cancel()
    var gone: DeferredSource? = DeferredSource { calls.append("gone") }
    gone?.enable()
    gone = nil
    var last: DeferredSource?
    let twice = DeferredSource { calls.append("twice") }
    twice.enable()
    twice.enable()
    let _: Bool = await answer { done in
      last = DeferredSource { done(true) }
      last?.enable()
    }
    #expect(calls == ["twice"])
    last = nil
  }

  @Test("a timer counts from when it is armed, also late in a turn that takes long") @DaemonActor
  func timerLateInTurn() async throws {
    var timer: TimerSource?
    // The work of a turn: the loop's own clock stands still meanwhile.
    let busy = ContinuousClock.now + .milliseconds(60)
    while ContinuousClock.now < busy {}
    let start = ContinuousClock.now
    let _: Bool = try await answer { done in
      timer = try TimerSource { done(true) }
      timer?.arm(afterMilliseconds: 50)
    }
    timer?.cancel()
    #expect(ContinuousClock.now - start >= .milliseconds(50))
  }

  @Test("a descriptor group hands over every ready member in one turn") @DaemonActor
  func group() async throws {
    var pairs: [(Int32, Int32)] = []
    for _ in 0..<8 {
      var pair: [Int32] = [0, 0]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
      #expect(write(pair[1], "x", 1) == 1)
      pairs.append((pair[0], pair[1]))
    }
    var group: DescriptorGroup?
    let ready: [DescriptorGroup.Ready] = try await answer { done in
      group = try DescriptorGroup { ready in
        for member in ready { group?.remove(pairs[member.token].0) }
        done(ready)
      }
      for (token, pair) in pairs.enumerated() { try group?.add(pair.0, token: token, events: .readable) }
    }
    #expect(Set(ready.map(\.token)) == Set(0..<8))
    for pair in pairs {
      close(pair.0)
      close(pair.1)
    }
  }

  @Test("a directory watch names what went") @DaemonActor
  func directory() async throws {
    var template = Array("/tmp/kindverb-loop-XXXXXX".utf8CString)
    let path = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
    defer { rmdir(path) }
    var watch: DirectoryWatch?
    let name: String? = try await answer { done in
      watch = try DirectoryWatch(path, mask: UInt32(IN_DELETE)) { done($0) }
      close(creat(path + "/here", 0o600))
      unlink(path + "/here")
    }
    watch?.cancel()
    #expect(name == "here")
  }

  @Test("of two watches of one directory each goes without the other's noticing, in its own handler too") @DaemonActor
  func sharedDirectory() async throws {
    var template = Array("/tmp/kindverb-loop-XXXXXX".utf8CString)
    let path = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
    defer { rmdir(path) }
    var made: DirectoryWatch?
    var gone: DirectoryWatch?
    let first: String? = try await answer { done in
      made = try DirectoryWatch(path, mask: UInt32(IN_CREATE)) { name in
        made = nil
        done(name)
      }
      gone = try DirectoryWatch(path, mask: UInt32(IN_DELETE)) { _ in Issue.record("nothing was deleted yet") }
      close(creat(path + "/first", 0o600))
    }
    #expect(first == "first" && made == nil)
    let second: String? = try await answer { done in
      gone = try DirectoryWatch(path, mask: UInt32(IN_DELETE)) { done($0) }
      // Only the watch that has gone was interested in the first of these.
      close(creat(path + "/second", 0o600))
      unlink(path + "/second")
    }
    #expect(second == "second")
    gone?.cancel()
    unlink(path + "/first")
  }

  @Test("a child's ending is told, and it gets no descriptor of ours") @DaemonActor
  func child() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let ending: ChildProcess.Ending = try await answer { done in
      let child = try ChildProcess(
        ["/bin/sh", "-c", "ls /proc/self/fd | tr '\\n' ' '; exit 7"], environment: ["PATH=/usr/bin:/bin"], standardOutput: ends[1]
      ) { done($0) }
      children.append(child)
    }
    close(ends[1])
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = read(ends[0], &buffer, 100)
    close(ends[0])
    #expect(ending == .exited(7))
    // 3 is ls's own, for the directory.
    #expect(String(decoding: buffer[..<count], as: UTF8.self) == "0 1 2 3 ")
  }

  @Test("a child that is missing is an error at once; one that never ends can be ended") @DaemonActor
  func missingChild() async throws {
    #expect(throws: LoopError(call: "posix_spawn", errno: ENOENT)) {
      _ = try ChildProcess(["/nowhere/helper"], environment: []) { _ in }
    }
    let ending: ChildProcess.Ending = try await answer { done in
      let child = try ChildProcess(["/bin/sleep", "1000"], environment: []) { done($0) }
      children.append(child)
      child.signal(SIGKILL)
    }
    #expect(ending == .signalled(SIGKILL))
  }

  @Test("a cancelled source is silent") @DaemonActor
  func cancelled() async throws {
    var pair: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    var calls = 0
    let source = try DescriptorSource(pair[0], events: .readable) { _ in calls += 1 }
    source.cancel()
    #expect(write(pair[1], "x", 1) == 1)
    // A timer that goes off later proves that turns have passed.
    var timer: TimerSource?
    let _: Bool = try await answer { done in
      timer = try TimerSource { done(true) }
      timer?.arm(afterMilliseconds: 5)
    }
    timer?.cancel()
    #expect(calls == 0)
    close(pair[0])
    close(pair[1])
  }
}

/// Children whose ending a test awaits; they must outlive it.
@DaemonActor private var children: [ChildProcess] = []
