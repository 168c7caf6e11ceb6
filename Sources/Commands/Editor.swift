import Glibc
import JSON
import KindVerbAPI

/// The person's editor on a letter.
enum Editor {
  /// Edits a letter and has the daemon keep it. A text that it does not keep is not lost: it can be edited further, and it stays in
  /// its file if the person does not want to. Nil if nothing was changed.
  static func edit(_ letter: LetterDraft, _ session: Session) throws(Failure) -> LetterDraft? {
    // Before anything is written in vain.
    if letter.status == .finalized { throw Failure(.failed, session.text(.errorLetterFinalized)) }
    let editor = try program(session)
    let original = Wizard.trimmed(letter.content.exposed)
    guard let file = KeptText(original, session) else {
      throw Failure(.failed, session.text(.cliErrorNoEditor, String(cString: strerror(errno))))
    }
    do {
      let edited = try keep(file, of: letter, original, editor, session)
      file.remove()
      return edited
    } catch {
      // What is no text, or too large, is theirs as well.
      let isUnchanged = (try? file.contents().map { $0.isExactly(original) || $0.isEmpty } ?? true) ?? false
      if isUnchanged { file.remove() } else { file.stay() }
      throw error
    }
  }

  private static func keep(
    _ file: KeptText, of letter: LetterDraft, _ original: String, _ editor: String, _ session: Session
  ) throws(Failure) -> LetterDraft? {
    while true {
      let isDone = run(editor, on: file.path)
      guard isDone, let text = try file.contents() else { throw Failure(.failed, session.text(.cliErrorNoEditor, editor)) }
      if text.isEmpty || text.isExactly(original) { return nil }
      do {
        return try session.call(Methods.LetterEdit.self, .init(id: letter.id, content: PersonalText(text)))
      } catch {
        session.terminal.complain(error.message)
        // It is said already why.
        guard try Values.agrees(session, session.text(.cliEditAgain), byDefault: true) else {
          throw Failure(error.code, session.text(.cliNothingDone))
        }
      }
    }
  }

  private static func program(_ session: Session) throws(Failure) -> String {
    for name in ["VISUAL", "EDITOR"] {
      if let chosen = try OutsideText.variable(name, session.language), !chosen.isEmpty { return chosen }
    }
    guard let editor = ["editor", "nano", "vi"].first(where: { Program.find($0) != nil }) else {
      throw Failure(.failed, session.text(.cliErrorNoEditor, "$EDITOR"))
    }
    return editor
  }

  /// Runs the editor by the shell, as git does: the variable may hold options and quotes.
  private static func run(_ editor: String, on path: String) -> Bool {
    // Ctrl-C in the editor is the editor's: we must not end before it does.
    let former = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    defer {
      signal(SIGINT, former.0)
      signal(SIGQUIT, former.1)
    }
    return Program.run(["/bin/sh", "-c", editor + #" "$@""#, editor, path])
  }
}
