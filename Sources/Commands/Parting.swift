import Glibc
import Synchronization

/// What has to be done before a signal ends or stops the program: the terminal gets its mode back, and where a text was kept is told.
///
/// Handlers may interrupt anything, so they do nothing but system calls, with what was made ready for them: they find it by these
/// addresses, which are 0 while there is nothing.
enum Parting {
  /// A terminal's modes: the one that it came with, and the one that a line is read in.
  struct Screen {
    var former: termios
    var own: termios
    /// Whether the terminal marks pasted text.
    var marksPastes: Bool
  }

  private static let screen = Atomic<UInt>(0)
  private static let message = Atomic<UInt>(0)
  private static let isStale = Atomic<Bool>(false)

  // MARK: What there is to do

  /// From now on the terminal is not as it was found; nil: it is again. The memory must last until then.
  static func holds(_ memory: UnsafeMutablePointer<Screen>?) {
    screen.store(UInt(bitPattern: memory), ordering: .sequentiallyConsistent)
  }

  /// Whether the program was stopped, or the terminal set up anew, since this was asked: what is shown has to be drawn again.
  static func takeStale() -> Bool { isStale.exchange(false, ordering: .sequentiallyConsistent) }

  /// A line that tells where a text is kept; nil: there is none. It must last until it is replaced.
  static func tells(_ line: UnsafeMutablePointer<CChar>?) {
    message.store(UInt(bitPattern: line), ordering: .sequentiallyConsistent)
  }

  // MARK: The ends

  private static var ends: [Int32] { [SIGTERM, SIGINT, SIGQUIT, SIGHUP] }

  /// Makes the signals that end programs go by here. One that is ignored (`nohup`) stays ignored.
  static func arm() {
    // Made now: a handler must not be the first to need them.
    holds(nil)
    tells(nil)
    _ = takeStale()
    for number in ends { handle(number, holding: ends + [SIGTSTP, SIGCONT]) { Parting.diesBy($0) } }
  }

  /// Sets a handler during which some signals have to wait, unless the signal is ignored; gives what was there before.
  ///
  /// SIGTTOU must not be one of them: held back, it would let a program in the background set the terminal's mode.
  @discardableResult
  static func handle(
    _ number: Int32, holding held: [Int32], _ handler: @escaping @convention(c) (Int32) -> Void
  ) -> sigaction {
    var former = sigaction()
    sigaction(number, nil, &former)
    // SIG_IGN is the number 1 in a function's clothes, and functions cannot be compared: only the two pointers' bits are looked at.
    if unsafeBitCast(former.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      return former
    }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigemptyset(&action.sa_mask)
    for other in held { sigaddset(&action.sa_mask, other) }
    sigaction(number, &action, nil)
    return former
  }

  /// Gives the terminal its mode back, and leaves the line. Safe in a handler.
  static func giveTerminalBack() {
    guard let memory = UnsafeMutablePointer<Screen>(bitPattern: screen.load(ordering: .sequentiallyConsistent)) else { return }
    // In the background the terminal is someone else's. (-1: it is not the one that this process is controlled by.)
    let foreground = tcgetpgrp(0)
    if foreground > 0, foreground != getpgrp() { return }
    put(memory.pointee.marksPastes ? "\u{1B}[?2004l\n" : "\n", 1)
    tcsetattr(0, TCSANOW, &memory.pointee.former)
  }

  /// Tells where a text is kept. Safe in a handler.
  static func tellKept() {
    guard let line = UnsafePointer<CChar>(bitPattern: message.load(ordering: .sequentiallyConsistent)) else { return }
    _ = Glibc.write(2, line, strlen(line))
  }

  /// Writes to a terminal that takes it; one that is stuck must not keep the program from ending.
  private static func put(_ text: StaticString, _ descriptor: Int32) {
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    if poll(&ready, 1, 0) > 0 { _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount) }
  }

  private static func diesBy(_ number: Int32) {
    giveTerminalBack()
    tellKept()
    signal(number, SIG_DFL)
    // It comes when this handler has returned.
    kill(getpid(), number)
  }

  // MARK: Stopping and going on

  /// The handler of SIGTSTP while a line is read: gives the terminal back, stops, and takes it again.
  static func stops(_: Int32) {
    giveTerminalBack()
    var byDefault = sigaction()
    byDefault.__sigaction_handler.sa_handler = SIG_DFL
    var own = sigaction()
    sigaction(SIGTSTP, &byDefault, &own)
    kill(getpid(), SIGTSTP)
    var one = sigset_t()
    var former = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, SIGTSTP)
    // Here it stops; and goes on when it is continued.
    sigprocmask(SIG_UNBLOCK, &one, &former)
    sigaction(SIGTSTP, &own, nil)
    sigprocmask(SIG_SETMASK, &former, nil)
    takeTerminal()
  }

  /// The handler of SIGCONT while a line is read: whoever had the terminal meanwhile has set it as they like.
  static func goesOn(_: Int32) { takeTerminal() }

  private static func takeTerminal() {
    guard let memory = UnsafeMutablePointer<Screen>(bitPattern: screen.load(ordering: .sequentiallyConsistent)) else { return }
    tcsetattr(0, TCSANOW, &memory.pointee.own)
    if memory.pointee.marksPastes { put("\u{1B}[?2004h", 1) }
    isStale.store(true, ordering: .sequentiallyConsistent)
  }
}
