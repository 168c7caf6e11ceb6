import Glibc
import Synchronization

/// Ctrl-C while something is waited for, that has something to say before it ends the program.
enum Interruption {
  /// How often it is looked for. A wait of the system ends with the signal, but one that begins just after it does not.
  static let tickMilliseconds = 100
  private static let came = Atomic<Bool>(false)

  /// Whether it came since the wait began.
  static var hasCome: Bool { came.load(ordering: .sequentiallyConsistent) }

  /// Runs something during which Ctrl-C is only noted. One that is ignored (`nohup`) stays ignored.
  static func noted<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    came.store(false, ordering: .sequentiallyConsistent)
    var former = Parting.handle(SIGINT, holding: []) { _ in Interruption.note() }
    defer { sigaction(SIGINT, &former, nil) }
    return try body()
  }

  private static func note() { came.store(true, ordering: .sequentiallyConsistent) }
}
