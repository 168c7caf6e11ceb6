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
  }

  /// Whether lines are drawn here.
  let canMove: Bool
  /// Bytes that were read and not used yet: what was typed ahead.
  private var waiting: [UInt8] = []
  private var editor = LineEditor()
  /// How many rows above the cursor the prompt stands.
  private var rowsAbove = 0

  init(canMove: Bool) { self.canMove = canMove }

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
    let former = Mode.current
    // Ctrl-C ends the line as a character of it, instead of ending the program.
    former?.with { mode in
      mode.c_lflag &= ~UInt32(ISIG)
      Mode.set(&mode, VEOL, 0x03)
    }.apply()
    defer { former?.apply() }
    // Only now: whoever sees the prompt may press Ctrl-C at once.
    write(prompt, to: 1)
    var line: [UInt8] = []
    while let byte = next() {
      if byte == 0x0A { return .line(String(decoding: line, as: UTF8.self)) }
      if byte == 0x03, former != nil { return .interrupted }
      line.append(byte)
    }
    return line.isEmpty ? .end : .line(String(decoding: line, as: UTF8.self))
  }

  // MARK: The line is drawn here

  private func readDrawing(_ prompt: (String) -> String) -> Input {
    let former = Mode.current
    let raw = former?.with { mode in
      mode.c_lflag &= ~UInt32(ICANON | ECHO | ISIG | IEXTEN)
      mode.c_iflag &= ~UInt32(ICRNL | IXON)
      Mode.set(&mode, VMIN, 1)
      Mode.set(&mode, VTIME, 0)
    }
    raw?.apply()
    // With this on, the terminal marks where pasted text begins and ends.
    write("\u{1B}[?2004h", to: 1)
    defer {
      write("\u{1B}[?2004l", to: 1)
      former?.apply()
    }
    rowsAbove = 0
    draw(prompt)
    while let byte = next() {
      switch editor.take(byte) {
      case .nothing: continue
      case .changed: if waiting.isEmpty { draw(prompt) }
      case .line: return .line(finish(prompt))
      case .pastedLine: return .pasted(finish(prompt))
      case .end:
        write("\n", to: 1)
        return .end
      case .interrupted:
        _ = finish(prompt)
        return .interrupted
      case .suspended:
        former?.apply()
        kill(getpid(), SIGTSTP)
        raw?.apply()
        rowsAbove = 0
        draw(prompt)
      }
    }
    return .end
  }

  /// Leaves the line as it stands, goes below it, and gives it.
  private func finish(_ prompt: (String) -> String) -> String {
    let text = editor.text
    editor.toEnd()
    draw(prompt)
    write("\n", to: 1)
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
    write(text, to: 1)
    rowsAbove = cursor.row
  }

  private func next() -> UInt8? {
    while waiting.isEmpty {
      var chunk = [UInt8](repeating: 0, count: 1_024)
      let count = Glibc.read(0, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return nil }
      waiting = Array(chunk[..<count])
    }
    return waiting.removeFirst()
  }
}

/// A terminal's mode.
private struct Mode {
  private var settings = termios()

  static var current: Mode? {
    var mode = Mode()
    return tcgetattr(0, &mode.settings) == 0 ? mode : nil
  }

  func with(_ change: (inout termios) -> Void) -> Mode {
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
