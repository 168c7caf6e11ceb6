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
    let letter = try session.call(
      Methods.LetterDraft.self,
      .init(journalId: try Values.journalID(arguments.words.first, session), tone: tone, register: register))
    show(letter, session)
  }

  static func show(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    show(try session.call(Methods.LetterGet.self, .init(id: try Values.letterID(arguments.words.first, session))), session)
  }

  static func rewrite(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    var words = arguments.words
    let tones = Tone.allCases.map(\.rawValue)
    // The tone stands last, or is given as for a draft.
    var tone: Tone? = try Values.optional(arguments["tone"], "--tone", session)
    if tone == nil, let last = words.popLast() {
      guard let named = Tone(rawValue: last) else {
        throw .choice(session.text(.cliErrorWrongValue, "TONE", last), of: tones, session.language)
      }
      tone = named
    }
    guard let tone else { throw .missing("TONE", session) }
    if words.count > 1 { throw .usage(showing: session.text(.cliErrorTooManyWords, words[1])) }
    let id = try Values.letterID(words.first, session)
    show(try session.call(Methods.LetterRewrite.self, .init(id: id, tone: tone)), session)
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
