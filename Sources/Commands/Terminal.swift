import Glibc
import KindVerbAPI

/// Where text goes and comes from. Colour and cutting to the width belong to terminals alone.
struct Terminal {
  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// Whether a person can be asked: input and output are both terminals.
  let isInteractive: Bool
  /// The terminal's width in cells; nil in a pipe.
  let width: Int?
  private let hasColour: Bool
  private let input: LineReader
  /// Where text goes.
  let output: Output

  /// Whether the locale of the environment writes something else than UTF-8, so that signs beyond ASCII are spared.
  static let isPlain = !isUTF8(OutsideText.variable)

  /// Whether the locale of an environment writes UTF-8.
  static func isUTF8(_ variable: (String) -> String?) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { variable($0) }.first { !$0.isEmpty } ?? ""
    return locale.lowercased().hasSuffix("utf-8") || locale.lowercased().hasSuffix("utf8")
  }

  static var standard: Terminal {
    let isTerminal = isatty(1) == 1
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    let noColour = getenv("NO_COLOR").map { $0[0] != 0 } ?? false
    let output = Output()
    let canMove = isTerminal && name != "dumb" && !name.isEmpty
    return Terminal(
      isTerminal: isTerminal, isInteractive: isTerminal && isatty(0) == 1, width: isTerminal ? LineReader.width : nil,
      hasColour: canMove && !noColour, input: LineReader(canMove: canMove, output), output: output)
  }

  init(
    isTerminal: Bool, isInteractive: Bool, width: Int?, hasColour: Bool, input: LineReader? = nil, output: Output = Output()
  ) {
    self.isTerminal = isTerminal
    self.isInteractive = isInteractive
    self.width = width
    self.hasColour = hasColour
    self.input = input ?? LineReader(canMove: false, output)
    self.output = output
  }

  /// Whether something was typed before it was asked for.
  var isTypedAhead: Bool { input.isTypedAhead }

  /// Whether a prompt can change while a line is typed.
  var hasLivePrompt: Bool { input.canMove }

  /// A line to standard output, out at once. A closed pipe ends the program silently (SIGPIPE).
  func line(_ text: String = "") { output.write(text + "\n") }

  /// Prose: on a terminal a line breaks between words.
  func say(_ text: String) { line(wrapped(text)) }

  /// A text whose lines break between words at the terminal's width; as it is in a pipe.
  func wrapped(_ text: String) -> String { width.map { Wrapping.lines(text, width: $0).joined(separator: "\n") } ?? text }

  /// Text without a line's end.
  func part(_ text: String) { output.write(text) }

  /// A line to standard error. Its control characters, which may come from an argument, are shown, not obeyed: where it goes is on a
  /// terminal sooner or later. On one it breaks between words.
  func complain(_ text: String) {
    let shown = Self.shown(text)
    let lines = isatty(2) == 1 ? Wrapping.lines(shown, width: width ?? LineReader.width(of: 2)) : [shown]
    write(lines.joined(separator: "\n") + "\n", to: 2)
  }

  /// A JSON text as a line.
  func json(_ text: String) { line(safeJSON(text)) }

  /// A JSON text in which, on a terminal, what could steer it is written as JSON's own escapes; they mean the same.
  func safeJSON(_ text: String) -> String {
    isTerminal ? Self.replacing(text) { "\\u" + String(repeating: "0", count: 4 - $0.count) + $0 } : text
  }

  /// Faint on a terminal that has colours.
  func faint(_ text: String) -> String { hasColour ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

  /// Bold on a terminal that has colours.
  func strong(_ text: String) -> String { hasColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// A text that was stored, made safe for a terminal: control characters but line feed and tab, and those that turn the direction
  /// of writing around, are shown as their code. In a pipe it stays as it is.
  func safe(_ text: String) -> String { isTerminal ? Self.shown(text) : text }

  private static func shown(_ text: String) -> String { replacing(text) { "\\u{\($0)}" } }

  /// The text with each character that could steer a terminal replaced by what `form` makes of its code in hexadecimal.
  private static func replacing(_ text: String, _ form: (String) -> String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A, 0x09: result.append(scalar)
      case 0x00..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069:
        result.append(contentsOf: form(String(scalar.value, radix: 16)).unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// What the person types next. `prompt` is given what stands in the line so far, to count it; it must be one line.
  func ask(_ prompt: (String) -> String) -> LineReader.Input { input.read(prompt) }

  /// Says that what was typed or pasted was no text, and has to be given again.
  func complainOfAnswer() { complain(MessageKey.cliErrorNotTextAnswer.text(in: output.language)) }

  /// A line typed at a prompt, which breaks between words like prose; nil at the end of input.
  func ask(_ prompt: String) throws(Failure) -> String? {
    let words = prompt.hasSuffix(" ") ? prompt.dropLast() : prompt[...]
    var lines = Wrapping.lines(String(words), width: width ?? .max)
    // The line that is typed in is drawn anew with each key, so it is one.
    let last = (lines.popLast() ?? "") + prompt[words.endIndex...]
    for above in lines { line(above) }
    while true {
      switch input.read({ _ in last }) {
      case .line(let text), .pasted(let text): return text
      case .end: return nil
      case .interrupted: throw .interruption
      case .notText: complainOfAnswer()
      }
    }
  }
}
