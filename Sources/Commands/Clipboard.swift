import Glibc
import KindVerbAPI

/// The clipboard: Wayland's, X11's, or the terminal's own (OSC 52).
enum Clipboard {
  private static func isSet(_ name: String) -> Bool { getenv(name).map { $0[0] != 0 } ?? false }

  /// The program that reaches the clipboard of this session; nil if only the terminal can.
  static var program: [String]? {
    let candidates: [(Bool, [String])] = [
      (isSet("WAYLAND_DISPLAY"), ["wl-copy"]), (isSet("DISPLAY"), ["xclip", "-selection", "clipboard"]),
      (isSet("DISPLAY"), ["xsel", "-ib"]),
    ]
    for (isThere, words) in candidates where isThere {
      if let path = Program.find(words[0]) { return [path] + words.dropFirst() }
    }
    return nil
  }

  /// Whether there is a desktop, and no program that reaches its clipboard.
  static var lacksProgram: Bool { program == nil && (isSet("WAYLAND_DISPLAY") || isSet("DISPLAY")) }

  /// Whether the terminal itself can be handed a text: there is one, wherever the output goes.
  static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC)
    if terminal >= 0 { close(terminal) }
    return terminal >= 0
  }

  /// Copies a text and says how.
  static func copy(_ text: String, _ session: Session) throws(Failure) -> String {
    if let program, Program.run(program, input: text) { return session.text(.cliCopied) }
    let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC)
    guard terminal >= 0 else { throw Failure(.failed, session.text(.cliCopyFailed)) }
    defer { close(terminal) }
    guard write("\u{1B}]52;c;\(base64(Array(text.utf8)))\u{07}", to: terminal) else {
      throw Failure(.failed, session.text(.cliCopyFailed))
    }
    return session.text(.cliCopiedByTerminal)
  }

  /// RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let word = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
      for place in 0..<4 {
        result.append(place <= part.count ? digits[Int(word >> (18 - 6 * UInt32(place)) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
