import KindVerbAPI

/// What can be done with a letter on a terminal: read it, have it written anew, edit, finish and copy it.
struct LetterDialogue {
  private let session: Session
  private var terminal: Terminal { session.terminal }

  init(_ session: Session) { self.session = session }

  /// Shows the letter and does what is chosen until the person is done. What cannot be done is said, and the letter stays.
  func run(_ first: LetterDraft) throws(Failure) {
    var letter = first
    show(letter)
    while true {
      terminal.line()
      guard let choice = try terminal.ask(session.text(.cliLetterMenu) + " > ").map({ Wizard.trimmed($0).lowercased() }),
        !["", "q", "0"].contains(choice)
      else { return terminal.line(session.text(.cliLetterKept, ShortID.text(letter.id))) }
      do { try act(choice, &letter) } catch {
        if error.isInterruption { throw error }
        terminal.complain(error.message)
      }
    }
  }

  private func act(_ choice: String, _ letter: inout LetterDraft) throws(Failure) {
    switch choice {
    case "1": letter = try rewrite(letter, letter.tone)
    case "2": letter = try rewrite(letter, .softer)
    case "3": letter = try rewrite(letter, .concise)
    case "4": letter = try rewrite(letter, .sincere)
    case "5", "e":
      guard let edited = try Editor.edit(letter, session) else { return terminal.line(session.text(.cliNothingDone)) }
      letter = edited
      show(letter)
    case "6", "f":
      letter = try session.call(Methods.LetterFinalize.self, .init(id: letter.id))
      terminal.line(session.text(.cliLetterFinalized))
    case "7", "c": terminal.line(try Clipboard.copy(letter.content.exposed, session))
    default: terminal.line(session.text(.cliErrorWrongChoice))
    }
  }

  private func rewrite(_ letter: LetterDraft, _ tone: Tone) throws(Failure) -> LetterDraft {
    let next = try session.call(Methods.LetterRewrite.self, .init(id: letter.id, tone: tone))
    show(next)
    return next
  }

  /// The letter between two lines, and what is said beside it.
  func show(_ letter: LetterDraft) {
    let rule = String(repeating: "─", count: min(terminal.width ?? 40, 60))
    terminal.line()
    if terminal.isTerminal { terminal.line(terminal.faint(rule)) }
    terminal.line(terminal.safe(letter.content.exposed))
    if terminal.isTerminal { terminal.line(terminal.faint(rule)) }
    for notice in letter.notices {
      terminal.line()
      terminal.line(notice.message)
    }
  }
}
