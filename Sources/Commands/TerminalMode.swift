import Glibc

/// A terminal's mode.
struct TerminalMode {
  private(set) var settings = termios()

  /// That of standard input; nil if it is no terminal.
  static var current: TerminalMode? {
    var mode = TerminalMode()
    return tcgetattr(0, &mode.settings) == 0 ? mode : nil
  }

  func with(_ change: (inout termios) -> Void) -> TerminalMode {
    var copy = self
    change(&copy.settings)
    return copy
  }

  /// Sets the mode once what was written is out; what was typed ahead stays.
  func apply() {
    var settings = settings
    tcsetattr(0, TCSADRAIN, &settings)
  }

  /// Sets one of the control characters, which Swift sees as a tuple.
  static func set(_ mode: inout termios, _ place: Int32, _ byte: UInt8) {
    withUnsafeMutableBytes(of: &mode.c_cc) { $0[Int(place)] = byte }
  }
}

/// A terminal in a mode of our own, for the time that one line is read. However that time ends, the terminal gets its own mode back.
final class HeldTerminal {
  private let memory: UnsafeMutablePointer<Parting.Screen>
  private let former: TerminalMode
  private var formerMask = sigset_t()
  private var formerStop = sigaction()
  private var formerContinue = sigaction()

  /// Sets a mode. With `marksPastes` the terminal marks where pasted text begins and ends.
  init(_ former: TerminalMode, as own: TerminalMode, marksPastes: Bool) {
    self.former = former
    memory = .allocate(capacity: 1)
    memory.initialize(to: Parting.Screen(former: former.settings, own: own.settings, marksPastes: marksPastes))
    Parting.holds(memory)
    // Stopping and going on wait until the next byte is waited for: only then is it seen that the line must be drawn again.
    var held = sigset_t()
    sigemptyset(&held)
    for number in [SIGTSTP, SIGCONT] { sigaddset(&held, number) }
    sigprocmask(SIG_BLOCK, &held, &formerMask)
    formerStop = Parting.handle(SIGTSTP) { Parting.stops($0) }
    formerContinue = Parting.handle(SIGCONT) { Parting.goesOn($0) }
    _ = Parting.takeStale()
    own.apply()
    if marksPastes { write("\u{1B}[?2004h", to: 1) }
  }

  /// Gives the terminal back.
  func end() {
    if memory.pointee.marksPastes { write("\u{1B}[?2004l", to: 1) }
    former.apply()
    Parting.holds(nil)
    sigaction(SIGTSTP, &formerStop, nil)
    sigaction(SIGCONT, &formerContinue, nil)
    sigprocmask(SIG_SETMASK, &formerMask, nil)
    memory.deallocate()
  }

  /// Waits until something was typed; false if what is shown must be drawn again first.
  func waitForInput() -> Bool {
    while !Parting.takeStale() {
      var set = fd_set()
      withUnsafeMutableBytes(of: &set) { $0[0] = 1 }
      if pselect(1, &set, nil, nil, nil, &formerMask) >= 0 || errno != EINTR { return true }
    }
    return false
  }

  /// Stops the program as Ctrl-Z does; it goes on here.
  func stop() {
    kill(getpid(), SIGTSTP)
    var held = sigset_t()
    sigprocmask(SIG_SETMASK, &formerMask, &held)
    sigprocmask(SIG_SETMASK, &held, nil)
  }
}
