import Glibc
import KindVerbAPI

/// The person's editor on a text: in a private directory that is removed afterwards with all that the editor left in it.
enum Editor {
  /// The text after editing, without white space around it; it may be the same, or empty.
  static func edit(_ text: String, _ session: Session) throws(Failure) -> String {
    let chosen = ["VISUAL", "EDITOR"].compactMap { (name: String) in getenv(name).map { String(cString: $0) } }.first {
      !$0.isEmpty
    }
    guard let editor = chosen ?? ["editor", "nano", "vi"].first(where: { Program.find($0) != nil }) else {
      throw Failure(.failed, session.text(.cliErrorNoEditor, "$EDITOR"))
    }
    guard let directory = privateDirectory() else {
      throw Failure(.failed, session.text(.cliErrorNoEditor, String(cString: strerror(errno))))
    }
    // Ctrl-C in the editor is the editor's: the text must not stay behind because we ended first.
    let former = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    defer {
      removeAll(in: directory)
      signal(SIGINT, former.0)
      signal(SIGQUIT, former.1)
    }
    let file = directory + "/letter.txt"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(.failed, session.text(.cliErrorNoEditor, file)) }
    write(text + "\n", to: descriptor)
    close(descriptor)
    // By the shell, as git does: the variable may hold options and quotes.
    guard Program.run(["/bin/sh", "-c", editor + #" "$@""#, editor, file]), let edited = contents(of: file) else {
      throw Failure(.failed, session.text(.cliErrorNoEditor, editor))
    }
    return Wizard.trimmed(edited)
  }

  /// Edits a letter and has the daemon keep it. A text that it refuses is not lost: it can be edited further.
  /// Nil if nothing was changed.
  static func edit(_ letter: LetterDraft, _ session: Session) throws(Failure) -> LetterDraft? {
    // Before anything is written in vain.
    if letter.status == .finalized { throw Failure(.failed, session.text(.errorLetterFinalized)) }
    let original = Wizard.trimmed(letter.content.exposed)
    var text = original
    while true {
      text = try edit(text, session)
      if text.isEmpty || text == original { return nil }
      do {
        return try session.call(Methods.LetterEdit.self, .init(id: letter.id, content: PersonalText(text)))
      } catch {
        session.terminal.complain(error.message)
        // It is said already why.
        guard try Values.agrees(session, session.text(.cliEditAgain), byDefault: true) else {
          throw Failure(.failed, session.text(.cliNothingDone))
        }
      }
    }
  }

  private static func privateDirectory() -> String? {
    let places =
      ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { (name: String) in getenv(name).map { String(cString: $0) } } + ["/tmp"]
    for place in places where place.hasPrefix("/") {
      var template = Array("\(place)/kindverb-XXXXXX".utf8CString)
      if mkdtemp(&template) != nil {
        return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    return nil
  }

  private static func removeAll(in directory: String) {
    if let entries = opendir(directory) {
      while let entry = readdir(entries) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        unlink(directory + "/" + name)
      }
      closedir(entries)
    }
    rmdir(directory)
  }

  private static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
