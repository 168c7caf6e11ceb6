import Glibc

/// Where text goes and comes from. Colour and cutting to the width belong to terminals alone.
struct Terminal {
  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// Whether a person can be asked: input and output are both terminals.
  let isInteractive: Bool
  /// The terminal's width in cells; nil in a pipe.
  let width: Int?
  private let hasColour: Bool

  static var standard: Terminal {
    let isTerminal = isatty(1) == 1
    var size = winsize()
    let known = isTerminal && ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Terminal(
      isTerminal: isTerminal, isInteractive: isTerminal && isatty(0) == 1,
      width: known ? Int(size.ws_col) : isTerminal ? 80 : nil,
      hasColour: isTerminal && getenv("NO_COLOR") == nil && getenv("TERM").map { String(cString: $0) } != "dumb")
  }

  init(isTerminal: Bool, isInteractive: Bool, width: Int?, hasColour: Bool) {
    self.isTerminal = isTerminal
    self.isInteractive = isInteractive
    self.width = width
    self.hasColour = hasColour
  }

  /// A line to standard output, out at once. A closed pipe ends the program silently (SIGPIPE).
  func line(_ text: String = "") { Self.write(1, text + "\n") }

  /// Text without a line's end, as a prompt.
  func prompt(_ text: String) { Self.write(1, text) }

  /// A line to standard error.
  func complain(_ text: String) { Self.write(2, text + "\n") }

  /// Faint on a terminal that has colours.
  func faint(_ text: String) -> String { hasColour ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

  /// Bold on a terminal that has colours.
  func strong(_ text: String) -> String { hasColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// A text that was stored, made safe for a terminal: control characters but line feed and tab, and those that turn the direction
  /// of writing around, are shown as their code. In a pipe it stays as it is.
  func safe(_ text: String) -> String {
    guard isTerminal else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A, 0x09: result.append(scalar)
      case 0x00..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// A line typed by the person, without its line feed; nil at the end of input.
  func readLine() -> String? { Swift.readLine(strippingNewline: true) }

  private static func write(_ descriptor: Int32, _ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      sent += count
    }
  }
}
