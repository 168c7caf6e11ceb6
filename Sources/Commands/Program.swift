import Glibc

/// Programs that the CLI hands a text to, or asks.
enum Program {
  /// The path of a program, by `PATH`; nil if there is none.
  static func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program with a text on its standard input, or with the terminal's; true when it ended well. What it says is seen only
  /// if that is wanted.
  static func run(_ arguments: [String], input: String? = nil, isShown: Bool = false) -> Bool {
    guard let input else { return wait(for: spawn(arguments) { _ in }) == 0 }
    guard let ends = Pipe() else { return false }
    let child = spawn(arguments) { actions in
      posix_spawn_file_actions_adddup2(&actions, ends.reading, 0)
      if isShown { return }
      // A clipboard program stays behind and must not hold our output open.
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    close(ends.reading)
    if child != nil {
      // A program that does not read to the end is no reason to end ourselves.
      let former = signal(SIGPIPE, SIG_IGN)
      write(input, to: ends.writing)
      signal(SIGPIPE, former)
    }
    close(ends.writing)
    return wait(for: child) == 0
  }

  /// What a program says on its standard output (the first 4 KiB), and its status as `wait` tells it; nil if it cannot be run.
  static func output(_ arguments: [String]) -> (text: String, status: Int32)? {
    guard let ends = Pipe() else { return nil }
    let child = spawn(arguments) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, ends.writing, 1)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    close(ends.writing)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < chunk.count, case let count = read(ends.reading, &chunk, chunk.count), count > 0 {
      bytes += chunk[..<count]
    }
    close(ends.reading)
    return wait(for: child).map { (String(decoding: bytes, as: UTF8.self), $0) }
  }

  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init?() {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  /// Starts a program by its path, with the signals as they are for a program from a shell.
  private static func spawn(_ arguments: [String], _ prepare: (inout posix_spawn_file_actions_t) -> Void) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let copies = arguments.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var child = pid_t()
    guard let path = copies.first.flatMap({ $0 }),
      posix_spawn(&child, path, &actions, &attributes, copies + [nil], environ) == 0
    else { return nil }
    return child
  }

  private static func wait(for child: pid_t?) -> Int32? {
    guard let child else { return nil }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status
  }
}
