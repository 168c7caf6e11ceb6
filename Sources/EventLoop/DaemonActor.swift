/// The one actor of the daemon: everything that touches connections, the store or a timer runs on it, on the loop's thread.
@globalActor
public actor DaemonActor {
  /// The actor itself; its executor is ``EventLoop/main``.
  public static let shared = DaemonActor()

  /// Runs the actor's jobs on the loop's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.main.asUnownedSerialExecutor() }

  /// Runs `operation` at once, as a part of the actor. Only for code that is known to be on the loop's thread, such as a C
  /// callback that the loop made; anywhere else it traps.
  public static func assumeIsolated<Value: Sendable>(_ operation: @DaemonActor () throws -> Value) rethrows -> Value {
    EventLoop.main.preconditionIsolated("not on the loop's thread")
    // The same as `MainActor.assumeIsolated`: the check above is what the isolation in the type stands for.
    return try withoutActuallyEscaping(operation) { operation in
      try unsafeBitCast(operation, to: (() throws -> Value).self)()
    }
  }
}
