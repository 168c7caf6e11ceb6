import Glibc
import KindVerbAPI

/// Programs that the CLI hands a text to.
enum Program {
  /// The path of a program, by `PATH`; nil if there is none.
  static func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program with a text on its standard input, or with the terminal's; true when it ended well.
  static func run(_ arguments: [String], input: String? = nil) -> Bool {
    var ends: [Int32] = [0, 0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if input != nil {
      guard pipe(&ends) == 0 else { return false }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
      // A clipboard program stays behind and must not hold our output open.
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    let copies = arguments.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var child = pid_t()
    let started = copies.first.flatMap { $0 }.map { posix_spawn(&child, $0, &actions, nil, copies + [nil], environ) } ?? EINVAL
    if let input {
      close(ends[0])
      if started == 0 { feed(input, to: ends[1]) }
      close(ends[1])
    }
    guard started == 0 else { return false }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }

  private static func feed(_ text: String, to descriptor: Int32) {
    let former = signal(SIGPIPE, SIG_IGN)
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      sent += count
    }
    signal(SIGPIPE, former)
  }
}

/// The clipboard: Wayland's, X11's, or the terminal's own (OSC 52).
enum Clipboard {
  /// The program that reaches the clipboard of this session; nil if only the terminal can.
  static var program: [String]? {
    let has = { (name: String) in getenv(name) != nil }
    let candidates: [(Bool, [String])] = [
      (has("WAYLAND_DISPLAY"), ["wl-copy"]), (has("DISPLAY"), ["xclip", "-selection", "clipboard"]),
      (has("DISPLAY"), ["xsel", "-ib"]),
    ]
    for (isThere, words) in candidates where isThere {
      if let path = Program.find(words[0]) { return [path] + words.dropFirst() }
    }
    return nil
  }

  /// Copies a text and says how, or that it could not.
  static func copy(_ text: String, _ session: Session) -> String {
    if let program, Program.run(program, input: text) { return session.text(.cliCopied) }
    let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC)
    guard terminal >= 0, isatty(terminal) == 1 else { return session.text(.cliCopyFailed) }
    defer { close(terminal) }
    let sequence = Array("\u{1B}]52;c;\(base64(Array(text.utf8)))\u{07}".utf8)
    return write(terminal, sequence, sequence.count) == sequence.count
      ? session.text(.cliCopiedByTerminal) : session.text(.cliCopyFailed)
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

/// The person's editor on a text, in a private file that is removed afterwards.
enum Editor {
  /// The text after editing; nil if it was not changed or is empty.
  static func edit(_ text: String, _ session: Session) throws(Failure) -> String? {
    let chosen =
      ["VISUAL", "EDITOR"].compactMap { (name: String) in getenv(name).map { String(cString: $0) } }.first { !$0.isEmpty }
      ?? "nano"
    let words = chosen.split(separator: " ").map(String.init)
    guard let name = words.first, let path = Program.find(name) ?? Program.find("vi") else {
      throw Failure(.failed, session.text(.cliErrorNoEditor, chosen))
    }
    let directory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(directory)/kindverb-letter-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let file = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw Failure(.failed, session.text(.cliErrorNoEditor, directory)) }
    defer { unlink(file) }
    let bytes = Array((text + "\n").utf8)
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
    guard Program.run([path] + words.dropFirst() + [file]) else {
      throw Failure(.failed, session.text(.cliErrorNoEditor, chosen))
    }
    let edited = Wizard.trimmed(contents(of: file))
    return edited.isEmpty || edited == Wizard.trimmed(text) ? nil : edited
  }

  private static func contents(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
