import KindVerbAPI

/// What can be done with a letter on a terminal: read it, have it written anew, edit, finish and copy it.
struct LetterDialogue {
  private let session: Session
  private var terminal: Terminal { session.terminal }

  init(_ session: Session) { self.session = session }

  /// Shows the letter and does what is chosen until the person is done.
  func run(_ first: LetterDraft) throws(Failure) {
    var letter = first
    show(letter)
    while true {
      terminal.line()
      terminal.prompt(session.text(.cliLetterMenu) + " > ")
      guard let choice = terminal.readLine().map({ Wizard.trimmed($0).lowercased() }) else { return }
      switch choice {
      case "1": letter = try rewrite(letter, letter.tone)
      case "2": letter = try rewrite(letter, .softer)
      case "3": letter = try rewrite(letter, .concise)
      case "4": letter = try rewrite(letter, .sincere)
      case "5", "e": letter = try edit(letter)
      case "6", "f":
        letter = try session.call(Methods.LetterFinalize.self, .init(id: letter.id))
        terminal.line(session.text(.cliLetterFinalized))
      case "7", "c": terminal.line(Clipboard.copy(letter.content.exposed, session))
      case "", "q", "0": return terminal.line(session.text(.cliLetterKept, String(letter.id.prefix(8))))
      default: terminal.line(session.text(.cliErrorWrongChoice))
      }
    }
  }

  private func rewrite(_ letter: LetterDraft, _ tone: Tone) throws(Failure) -> LetterDraft {
    let next = try session.call(Methods.LetterRewrite.self, .init(id: letter.id, tone: tone))
    show(next)
    return next
  }

  private func edit(_ letter: LetterDraft) throws(Failure) -> LetterDraft {
    guard let text = try Editor.edit(letter.content.exposed, session) else {
      terminal.line(session.text(.cliNothingDone))
      return letter
    }
    let edited = try session.call(Methods.LetterEdit.self, .init(id: letter.id, content: PersonalText(text)))
    show(edited)
    return edited
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
