import KindVerbAPI

/// What can be done with a letter on a terminal: read it, have it written anew, go through its drafts, edit, finish and copy it.
struct LetterDialogue {
  private let session: Session
  /// The drafts of this dialogue, in the order in which they were made, and the one that is shown.
  private var drafts: [LetterDraft] = []
  private var place = 0
  private var terminal: Terminal { session.terminal }

  init(_ session: Session) { self.session = session }

  private var letter: LetterDraft { drafts[place] }

  /// Shows the letter and does what is chosen until the person is done. What cannot be done is said, and the letter stays.
  mutating func run(_ first: LetterDraft) throws(Failure) {
    drafts = [first]
    show(letter)
    while true {
      terminal.line()
      guard let typed = try terminal.ask(menu + " > ") else { return leave() }
      let choice = Wizard.trimmed(typed).lowercased()
      if ["", "q", "0", "/quit"].contains(choice) { return leave() }
      do { try act(choice) } catch {
        if error.isInterruption { throw error }
        terminal.complain(error.message)
      }
    }
  }

  private func leave() {
    terminal.say(session.text(.cliLetterKept, ShortID.text(letter.id)) + session.next("letter copy \(ShortID.text(letter.id))"))
  }

  // MARK: What can be done

  private enum Choice: String {
    case another = "1"
    case softer = "2"
    case concise = "3"
    case sincere = "4"
    case edit = "5"
    case finish = "6"
    case copy = "7"
    case warm = "8"
    case otherDraft = "9"

    var name: MessageKey {
      switch self {
      case .another: .cliMenuAnother
      case .softer: .cliMenuSofter
      case .concise: .cliMenuConcise
      case .sincere: .cliMenuSincere
      case .edit: .cliMenuEdit
      case .finish: .cliMenuFinish
      case .copy: .cliMenuCopy
      case .warm: .cliMenuWarm
      case .otherDraft: .cliMenuOtherDraft
      }
    }
  }

  /// What makes sense with the letter that is shown: a finished one is not changed any more.
  private var choices: [Choice] {
    let tones: [Choice] = [.another, .softer, .concise, .sincere]
    let changes: [Choice] = letter.status == .finalized ? [] : [.edit, .finish]
    return tones + changes + [.copy] + (letter.tone == .neutralWarm ? [] : [.warm]) + (drafts.count > 1 ? [.otherDraft] : [])
  }

  /// A key and its word stay in one line.
  private var menu: String {
    (choices.map { "\($0.rawValue)\u{A0}\(session.text($0.name))" } + [session.text(.cliMenuDone)]).joined(separator: "\u{A0}· ")
  }

  private mutating func act(_ typed: String) throws(Failure) {
    let word = ["e": "5", "f": "6", "c": "7"][typed] ?? typed
    guard let choice = Choice(rawValue: word), choices.contains(choice) else {
      // A key of the menu that does not fit this letter has a better answer.
      let isFinished = letter.status == .finalized && [Choice.edit.rawValue, Choice.finish.rawValue].contains(word)
      return terminal.say(session.text(isFinished ? .errorLetterFinalized : .cliErrorWrongChoice))
    }
    switch choice {
    case .another: try rewrite(letter.tone)
    case .softer: try rewrite(.softer)
    case .concise: try rewrite(.concise)
    case .sincere: try rewrite(.sincere)
    case .warm: try rewrite(.neutralWarm)
    case .edit:
      guard let edited = try Editor.edit(letter, session) else { return terminal.say(session.text(.cliNothingDone)) }
      drafts[place] = edited
      show(letter)
    case .finish:
      drafts[place] = try session.call(Methods.LetterFinalize.self, .init(id: letter.id))
      terminal.say(session.text(.cliLetterFinalized))
    case .copy: terminal.say(try Clipboard.copy(letter.content.exposed, session))
    case .otherDraft:
      place = place == 0 ? drafts.count - 1 : place - 1
      show(letter)
      sayWhichDraft()
    }
  }

  private mutating func rewrite(_ tone: Tone) throws(Failure) {
    let former = letter
    drafts.append(try session.call(Methods.LetterRewrite.self, .init(id: former.id, tone: tone)))
    place = drafts.count - 1
    show(letter)
    sayWhichDraft()
    // What a person wrote is not in the new draft: it must not seem to be lost.
    if former.status == .edited { terminal.say(session.text(.cliLetterEditedKept, ShortID.text(former.id))) }
  }

  private func sayWhichDraft() {
    let name = Rows.tone(letter.tone, session)
    terminal.line()
    terminal.say(session.text(.cliLetterDraftOf, String(place + 1), String(drafts.count), name))
  }

  /// The letter between two lines, and what is said beside it.
  func show(_ letter: LetterDraft) {
    let rule = String(repeating: "─", count: min(terminal.width ?? 40, 60))
    // In a pipe it is the letter alone.
    if terminal.isTerminal { terminal.line("\n" + terminal.faint(rule)) }
    terminal.say(terminal.safe(letter.content.exposed))
    if terminal.isTerminal { terminal.line(terminal.faint(rule)) }
    // What is said to the writer, and where the letter came from, is no part of it: in a pipe it stands beside.
    for line in letter.notices.map(\.message) + AIDraft.words(letter, session.language) {
      if terminal.isTerminal {
        terminal.line()
        terminal.say(line)
      } else {
        terminal.complain(line)
      }
    }
  }
}
