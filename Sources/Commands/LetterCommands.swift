import JSON
import KindVerbAPI

/// `letter …`
enum LetterCommands {
  static func compose(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard let method = MethodCatalogue.named("letter.compose") else { return }
    var params = try CallCommand.parameters(arguments.words, of: method, session)
    if params["conflictType"] == nil { params["conflictType"] = "friends" }
    let result = try session.call(method.name, params)
    guard let composition = try? Composition(json: result) else {
      throw Failure(.failed, session.text(.cliErrorMalformed, method.name))
    }
    session.show(composition) { LetterDialogue(session).show(composition.letter) }
  }

  static func draft(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let tone: Tone? = try Values.optional(arguments["tone"], "--tone", session)
    let register: Register? = try Values.optional(arguments["register"], "--register", session)
    let ai = try AIDraft(arguments, session)
    let journal = try Values.journalID(arguments.words.first, session)
    guard let ai else {
      return show(
        try session.call(Methods.LetterDraft.self, .init(journalId: journal, tone: tone, register: register)), session)
    }
    let letter = try ai.ask(Methods.LetterDraft.self, of: journal) {
      .init(journalId: journal, tone: tone, register: register, source: $0)
    }
    show(letter, session)
  }

  static func show(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    show(try session.call(Methods.LetterGet.self, .init(id: try Values.letterID(arguments.words.first, session))), session)
  }

  static func rewrite(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let ai = try AIDraft(arguments, session)
    var words = arguments.words
    let tone = try tone(&words, arguments, isNeeded: ai == nil, session)
    if ai == nil, tone == nil { throw .missing("TONE", session) }
    if words.count > 1 { throw .usage(showing: session.text(.cliErrorTooManyWords, words[1])) }
    let id = try Values.letterID(words.first, session)
    if let ai {
      let former = try session.call(Methods.LetterGet.self, .init(id: id))
      let letter = try ai.ask(Methods.LetterRewrite.self, of: former.journalId) {
        .init(id: id, tone: tone ?? former.tone, source: $0)
      }
      show(letter, session)
    } else if let tone {
      show(try session.call(Methods.LetterRewrite.self, .init(id: id, tone: tone)), session)
    }
  }

  /// The tone stands last, or is given as for a draft. An AI is asked for other words in the tone that the letter has, if there is none.
  private static func tone(
    _ words: inout [String], _ arguments: VerbArguments, isNeeded: Bool, _ session: Session
  ) throws(Failure) -> Tone? {
    let tone: Tone? = try Values.optional(arguments["tone"], "--tone", session)
    guard tone == nil, let last = words.last else { return tone }
    if let named = Tone(rawValue: last) {
      words.removeLast()
      return named
    }
    // One word may be a letter's id.
    if !isNeeded, words.count == 1 { return nil }
    throw .choice(session.text(.cliErrorWrongValue, "TONE", last), of: Tone.allCases.map(\.rawValue), session.language)
  }

  static func edit(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard session.terminal.isInteractive else { throw .usage(session.text(.cliErrorNeedsTerminal, "kindverb call letter.edit")) }
    let letter = try session.call(Methods.LetterGet.self, .init(id: try Values.letterID(arguments.words.first, session)))
    guard let edited = try Editor.edit(letter, session) else { throw Failure(.failed, session.text(.cliNothingDone)) }
    show(edited, session)
  }

  static func finalize(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let letter = try session.call(Methods.LetterFinalize.self, .init(id: try Values.letterID(arguments.words.first, session)))
    session.show(letter) {
      session.terminal.line(session.text(session.options.isDryRun ? .cliWouldBeFinalized : .cliLetterFinalized))
    }
  }

  static func copy(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let letter = try session.call(Methods.LetterGet.self, .init(id: try Values.letterID(arguments.words.first, session)))
    let how = try Clipboard.copy(letter.content.exposed, session)
    session.show(letter) { session.terminal.line(how) }
  }

  static func list(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    var journal: String?
    if let word = arguments.words.first { journal = try Values.journalID(word, session) }
    try Listing(arguments, session).show(session, rows: { Rows.letters($0, session) }) {
      (limit, before) throws(Failure) in
      let page = try session.call(Methods.LetterList.self, .init(journalId: journal, limit: limit, before: before))
      return (page.items, page.next)
    }
  }

  static func delete(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard let id = arguments.words.first else { throw .missing("ID", session) }
    let full = try Values.letterID(id, session)
    try Values.confirm(session, session.text(.cliConfirmLetter))
    let result = try session.call(Methods.LetterDelete.self, .init(id: full))
    session.show(result) { session.terminal.line(session.text(session.options.isDryRun ? .cliWouldBeDeleted : .cliDeleted)) }
  }

  private static func show(_ letter: LetterDraft, _ session: Session) {
    session.show(letter) { LetterDialogue(session).show(letter) }
  }
}
