import Glibc

/// Reads what a person types, line by line.
///
/// On a terminal that can move its cursor it draws the line itself: the kernel's own line editing rubs out one cell for a character
/// of two, and takes an empty line in a pasted text for the end of the answer. Elsewhere the kernel edits, and only Ctrl-C is ours.
final class LineReader {
  /// What came.
  enum Input: Equatable {
    /// A line that was ended with Enter.
    case line(String)
    /// A line of a pasted text, which goes on.
    case pasted(String)
    /// The end of input: Ctrl-D in an empty line, or a terminal that is gone.
    case end
    /// Ctrl-C.
    case interrupted
    /// A line in which there were bytes that are no UTF-8.
    case notText
  }

  /// Whether lines are drawn here.
  let canMove: Bool
  /// Bytes that were read and not used yet: what was typed ahead.
  private var waiting: [UInt8] = []
  private var editor = LineEditor()
  /// How many rows above the cursor the prompt stands.
  private var rowsAbove = 0

  private let output: Output
  /// The terminal, while a line is read from it.
  private var held: HeldTerminal?

  init(canMove: Bool, _ output: Output) {
    self.canMove = canMove
    self.output = output
  }

  /// The terminal's width in cells; 80 where it does not tell.
  static var width: Int { width(of: 1) }

  /// The same of the terminal behind a descriptor.
  static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) : 80
  }

  /// Whether something was typed, or pasted, that has not been read yet.
  var isTypedAhead: Bool {
    if !waiting.isEmpty { return true }
    var keyboard = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    return poll(&keyboard, 1, 0) > 0
  }

  /// The next line, asked for with a prompt that may change with what is typed.
  func read(_ prompt: (String) -> String) -> Input {
    canMove && isatty(0) == 1 ? readDrawing(prompt) : readPlainly(prompt(""))
  }

  // MARK: The kernel edits

  private func readPlainly(_ prompt: String) -> Input {
    let former = TerminalMode.current
    hold(former) { mode in
      // Ctrl-C ends the line as a character of it, instead of ending the program.
      mode.c_lflag &= ~UInt32(ISIG)
      TerminalMode.set(&mode, VEOL, 0x03)
    }
    defer { release() }
    // Only now: whoever sees the prompt may press Ctrl-C at once.
    output.write(prompt)
    var line: [UInt8] = []
    while let byte = next({ output.write(prompt) }) {
      if byte == 0x0A { return text(line) }
      if byte == 0x03, former != nil { return .interrupted }
      line.append(byte)
    }
    return line.isEmpty ? .end : text(line)
  }

  private func text(_ line: [UInt8]) -> Input {
    if let text = String(validating: line, as: UTF8.self) { return .line(text) }
    // What came behind it belongs to the same text as a rule, and that is asked for anew.
    waiting = []
    tcflush(0, TCIFLUSH)
    return .notText
  }

  private func hold(_ former: TerminalMode?, marksPastes: Bool = false, _ change: (inout termios) -> Void) {
    if let former { held = HeldTerminal(former, as: former.with(change), marksPastes: marksPastes) }
  }

  private func release() {
    held?.end()
    held = nil
  }

  // MARK: The line is drawn here

  private func readDrawing(_ prompt: (String) -> String) -> Input {
    hold(TerminalMode.current, marksPastes: true) { mode in
      mode.c_lflag &= ~UInt32(ICANON | ECHO | ISIG | IEXTEN)
      mode.c_iflag &= ~UInt32(ICRNL | IXON)
      TerminalMode.set(&mode, VMIN, 1)
      TerminalMode.set(&mode, VTIME, 0)
    }
    defer { release() }
    func drawAnew() {
      rowsAbove = 0
      draw(prompt)
    }
    drawAnew()
    while let byte = next(drawAnew) {
      switch editor.take(byte) {
      case .nothing: continue
      case .changed: if waiting.isEmpty { draw(prompt) }
      case .line:
        let isText = !editor.isDamaged
        let text = finish(prompt)
        return isText ? .line(text) : .notText
      case .pastedLine: return .pasted(finish(prompt))
      case .end:
        output.write("\n")
        return .end
      case .interrupted:
        _ = finish(prompt)
        return .interrupted
      case .suspended: held?.stop()
      }
    }
    return .end
  }

  /// Leaves the line as it stands, goes below it, and gives it.
  private func finish(_ prompt: (String) -> String) -> String {
    let text = editor.text
    editor.toEnd()
    draw(prompt)
    output.write("\n")
    editor.clear()
    return text
  }

  /// Draws prompt and line anew, and puts the cursor in its place.
  private func draw(_ prompt: (String) -> String) {
    let width = Self.width
    let before = prompt(editor.text)
    let cursor = ScreenPlace().after(before, width: width).after(editor.before, width: width)
    let end = cursor.after(editor.after, width: width)
    var text = rowsAbove > 0 ? "\r\u{1B}[\(rowsAbove)A\u{1B}[J" : "\r\u{1B}[J"
    text += before + editor.text
    // A full row: terminals stay in its last cell until something follows.
    if end.column == 0, end.row > 0 { text += "\r\n" }
    if end.row > cursor.row { text += "\u{1B}[\(end.row - cursor.row)A" }
    if cursor != end { text += "\r" + (cursor.column > 0 ? "\u{1B}[\(cursor.column)C" : "") }
    output.write(text)
    rowsAbove = cursor.row
  }

  /// The next byte; nil at the end of input. `drawAnew` shows again what was on the screen before the program was stopped.
  private func next(_ drawAnew: () -> Void) -> UInt8? {
    while waiting.isEmpty {
      if let held, !held.waitForInput() {
        drawAnew()
        continue
      }
      var chunk = [UInt8](repeating: 0, count: 1_024)
      let count = Glibc.read(0, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return nil }
      waiting = Array(chunk[..<count])
    }
    return waiting.removeFirst()
  }
}
