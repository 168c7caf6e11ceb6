import CLinux
import CSystemdEvent
import Glibc

/// A program that the daemon started: it inherits descriptors 0–2 and nothing else, and is reaped by the loop.
@DaemonActor
public final class ChildProcess: EventSource {
  /// How a child ended.
  public enum Ending: Equatable, Sendable {
    /// It called exit with this status.
    case exited(Int32)
    /// A signal of this number ended it.
    case signalled(Int32)
  }

  /// The child's process id.
  public private(set) var pid: pid_t = 0
  private let handler: @DaemonActor (Ending) -> Void

  /// Starts `arguments[0]` (an absolute path) and calls `handler` once when it has ended.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: the whole environment, `NAME=value` each.
  ///   - standardInput, standardOutput, standardError: descriptors to give as 0, 1 and 2; nil gives `/dev/null`.
  /// - Throws: ``LoopError`` when the program is missing, not executable, or no process can be made.
  public init(
    _ arguments: [String], environment: [String], standardInput: Int32? = nil, standardOutput: Int32? = nil,
    standardError: Int32? = nil, handler: @escaping @DaemonActor (Ending) -> Void
  ) throws(LoopError) {
    self.handler = handler
    super.init()
    // SIGCHLD must be blocked before the child can end, or its end is missed.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGCHLD)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    pid = try Self.spawn(arguments, environment, [standardInput, standardOutput, standardError])
    var source: OpaquePointer?
    let result = sd_event_add_child(
      EventLoop.main.event, &source, pid, WEXITED,
      { _, information, context in
        guard let information else { return 0 }
        let code = kv_child_code(information)
        let status = kv_child_status(information)
        DaemonActor.assumeIsolated {
          EventSource.at(context, as: ChildProcess.self)?.handler(code == CLD_EXITED ? .exited(status) : .signalled(status))
        }
        return 0
      }, context)
    try adopt("sd_event_add_child", result, source)
  }

  /// Sends the child a signal; nothing happens once it has ended.
  public func signal(_ number: Int32) {
    guard let handle else { return }
    _ = sd_event_source_send_child_signal(handle, number, nil, 0)
  }

  private static func spawn(_ arguments: [String], _ environment: [String], _ standard: [Int32?]) throws(LoopError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in standard.enumerated() {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    kv_spawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    // What the daemon passes over would be passed over by its children too.
    for number in [SIGPIPE, SIGXFSZ, SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&mask, number) }
    posix_spawnattr_setsigdefault(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var pid: pid_t = 0
    let result = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        arguments[0].map { posix_spawn(&pid, $0, &actions, &attributes, arguments, environment) } ?? EINVAL
      }
    }
    guard result == 0 else { throw LoopError(call: "posix_spawn", errno: result) }
    return pid
  }
}

/// Calls `body` with the strings as a NULL-terminated array of C strings.
private func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
