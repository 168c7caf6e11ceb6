import KindVerbAPI

/// `journal …`
enum JournalCommands {
  static func new(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard session.terminal.isInteractive else { throw .usage(session.text(.cliErrorNeedsTerminal, "kindverb letter compose")) }
    var type = ConflictType.friends
    if let word = arguments.words.first {
      guard let given = ConflictType(rawValue: word) else {
        let message = session.text(.cliErrorWrongValue, "TYPE", word)
        throw .choice(message, of: ConflictType.allCases.map(\.rawValue), session.language)
      }
      type = given
    }
    var dialogue = JournalDialogue(session, type: type, addressee: arguments["to"])
    try dialogue.run()
  }

  static func list(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let status: JournalStatus? = try Values.optional(arguments["status"], "--status", session)
    let type: ConflictType? = try Values.optional(arguments["type"], "--type", session)
    try Listing(arguments, session).show(session, rows: { Rows.journals($0, session) }) {
      (limit, before) throws(Failure) in
      let page = try session.call(
        Methods.JournalList.self, .init(limit: limit, before: before, status: status, conflictType: type))
      return (page.items, page.next)
    }
  }

  static func search(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard !arguments.words.isEmpty else { throw .missing("TEXT", session) }
    let page = try session.call(
      Methods.JournalSearch.self,
      .init(
        query: PersonalText(arguments.words.joined(separator: " ")),
        limit: try Values.limit(arguments["limit"], session, maximum: ContractLimits.PageLimit.maximum)))
    session.show(page) { Rows.journals(page.items, session) }
  }

  static func show(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let journal = try session.call(Methods.JournalGet.self, .init(id: try Values.journalID(arguments.words.first, session)))
    session.show(journal) {
      let parts: [(MessageKey, String?)] = [
        (.cliStep1, journal.situationText?.exposed), (.cliStep2, journal.feelings.map(\.label.exposed).joined(separator: ", ")),
        (.cliStep3, journal.hurtText?.exposed), (.cliStep4, journal.reflectionText?.exposed),
        (.cliStep5, journal.desiredNeedText?.exposed),
      ]
      session.terminal.line(
        session.terminal.faint("\(journal.id)  \(journal.createdAt)  \(Rows.status(journal.status, session))"))
      if let name = journal.addressee?.exposed { session.terminal.line(session.text(.cliAddressee, session.terminal.safe(name))) }
      for (title, text) in parts {
        guard let text, !text.isEmpty else { continue }
        session.terminal.line()
        session.terminal.line(session.terminal.strong(session.text(title)))
        session.terminal.say(session.terminal.safe(text))
      }
    }
  }

  static func delete(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard let id = arguments.words.first else { throw .missing("ID", session) }
    let full = try Values.journalID(id, session)
    try Values.confirm(session, session.text(.cliConfirmJournal))
    let result = try session.call(Methods.JournalDelete.self, .init(id: full))
    session.show(result) { session.terminal.line(session.text(session.options.isDryRun ? .cliWouldBeDeleted : .cliDeleted)) }
  }
}

/// Values of the command line, checked.
enum Values {
  /// How many are wanted: any number from 1, or up to a maximum.
  static func limit(_ text: String?, _ session: Session, maximum: Int? = nil) throws(Failure) -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), number > 0, number <= maximum ?? .max else {
      let range = maximum.map { session.text(.cliErrorRange, "1", String($0)) } ?? session.text(.cliErrorAtLeast, "1")
      throw .usage(session.text(.cliErrorOptionValue, "--limit", text) + " " + range)
    }
    return number
  }

  static func optional<Value: RawRepresentable & CaseIterable>(
    _ text: String?, _ name: String, _ session: Session
  ) throws(Failure) -> Value? where Value.RawValue == String {
    guard let text else { return nil }
    guard let value = Value(rawValue: text) else {
      throw .choice(session.text(.cliErrorOptionValue, name, text), of: Value.allCases.map(\.rawValue), session.language)
    }
    return value
  }

  /// A journal's id: as given, the only one that begins or ends so, or the one that was changed last when none is given.
  static func journalID(_ text: String?, _ session: Session) throws(Failure) -> String {
    try ShortID.find(text, session, none: .cliErrorNoJournal) { (limit, before) throws(Failure) in
      let page = try session.call(Methods.JournalList.self, .init(limit: limit, before: before))
      return (page.items.map { ($0.id, $0.createdAt, $0.updatedAt) }, page.next)
    }
  }

  /// A letter's id, by the same rule.
  static func letterID(_ text: String?, _ session: Session) throws(Failure) -> String {
    try ShortID.find(text, session, none: .cliErrorNoLetter) { (limit, before) throws(Failure) in
      let page = try session.call(Methods.LetterList.self, .init(limit: limit, before: before))
      return (page.items.map { ($0.id, $0.createdAt, $0.updatedAt) }, page.next)
    }
  }

  /// Asks a question on a terminal; an empty line answers it by default. What is neither yes nor no is no answer.
  static func agrees(_ session: Session, _ question: String, byDefault: Bool) throws(Failure) -> Bool {
    while true {
      let line = try session.terminal.ask(question + (byDefault ? " [Y/n] " : " [y/N] "))
      // The end of input is no consent.
      guard let line else { return false }
      let word = Wizard.trimmed(line).lowercased()
      if word.isEmpty { return byDefault }
      if let answer = isYes(word) { return answer }
      session.terminal.say(session.text(.cliYesOrNo))
    }
  }

  /// Whether a word means yes or no; nil for any other.
  static func isYes(_ word: String) -> Bool? {
    // ㅛ and ㅜ are the keys y and n while the keyboard is set to Korean.
    if ["y", "yes", "예", "네", "ㅛ", "はい", "是"].contains(word) { return true }
    if ["n", "no", "아니요", "아니오", "ㅜ", "いいえ", "否", "不"].contains(word) { return false }
    return nil
  }

  /// Asks before something is gone for good: on a terminal; elsewhere `--yes` must stand there.
  static func confirm(_ session: Session, _ question: String) throws(Failure) {
    if session.options.isConfirmed || session.options.isDryRun { return }
    guard session.terminal.isInteractive else { throw .usage(session.text(.cliErrorNeedsYes)) }
    guard try agrees(session, question, byDefault: false) else { throw Failure(.failed, session.text(.cliNothingDone)) }
  }
}

/// Rows of lists.
enum Rows {
  static func journals(_ journals: [Journal], _ session: Session) {
    if journals.isEmpty, session.terminal.isTerminal { return session.terminal.line(session.text(.cliEmptyJournals)) }
    var table = Table()
    for journal in journals {
      table.add([
        ShortID.text(journal.id), String(journal.createdAt.prefix(10)), status(journal.status, session),
        MessageKey.text("conflict.\(journal.conflictType.rawValue).title", in: session.language) ?? "",
        session.terminal.safe(journal.situationText?.exposed ?? ""),
      ])
    }
    for line in table.lines(width: session.terminal.width) { session.terminal.line(line) }
  }

  static func letters(_ letters: [LetterDraft], _ session: Session) {
    if letters.isEmpty, session.terminal.isTerminal { return session.terminal.line(session.text(.cliEmptyLetters)) }
    var table = Table()
    for letter in letters {
      table.add([
        ShortID.text(letter.id), String(letter.createdAt.prefix(10)), status(letter.status, session),
        tone(letter.tone, session), session.terminal.safe(letter.content.exposed),
      ])
    }
    for line in table.lines(width: session.terminal.width) { session.terminal.line(line) }
  }

  static func state(_ state: SystemState, _ session: Session) -> String {
    switch state {
    case .starting: session.text(.cliStateStarting)
    case .migrating: session.text(.cliStateMigrating)
    case .ready: session.text(.cliStateReady)
    case .storageFull: session.text(.cliStateStorageFull)
    case .readOnly: session.text(.cliStateReadOnly)
    case .stopping: session.text(.cliStateStopping)
    }
  }

  static func status(_ status: JournalStatus, _ session: Session) -> String {
    session.text(status == .draft ? .cliStatusDraft : .cliStatusCompleted)
  }

  static func status(_ status: LetterStatus, _ session: Session) -> String {
    switch status {
    case .drafted: session.text(.cliStatusDrafted)
    case .edited: session.text(.cliStatusEdited)
    case .finalized: session.text(.cliStatusFinalized)
    }
  }

  static func tone(_ tone: Tone, _ session: Session) -> String {
    switch tone {
    case .neutralWarm: session.text(.cliToneNeutralWarm)
    case .softer: session.text(.cliToneSofter)
    case .concise: session.text(.cliToneConcise)
    case .sincere: session.text(.cliToneSincere)
    }
  }
}
