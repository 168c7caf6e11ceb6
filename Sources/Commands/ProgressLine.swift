import Glibc

/// What stands in the last line of a terminal while something is waited for. It goes to standard error; where that is no terminal there
/// is nothing.
final class ProgressLine {
  private let isTerminal: Bool
  /// Whether the line can be written over.
  private let canMove: Bool
  private var shown: String?
  private let start = ContinuousClock.now

  init(isTerminal: Bool = isatty(2) == 1, type: String? = OutsideText.variable("TERM")) {
    self.isTerminal = isTerminal
    canMove = isTerminal && type != "dumb" && type?.isEmpty == false
  }

  /// Whole seconds since the wait began.
  var seconds: String { String(Int((ContinuousClock.now - start) / .seconds(1))) }

  /// Shows a text in the place of the one before. Where the line cannot be written over, `plain` is shown, once.
  func show(_ text: @autoclosure () -> String, plain: @autoclosure () -> String) {
    guard isTerminal, canMove || shown == nil else { return }
    let line = canMove ? Table.cut(text(), to: LineReader.width(of: 2) - 1) : plain()
    if line == shown { return }
    shown = line
    write(canMove ? "\r\u{1B}[K" + line : line + "\n", to: 2)
  }

  /// Takes it away.
  func end() {
    if canMove, shown != nil { write("\r\u{1B}[K", to: 2) }
    shown = nil
  }
}
