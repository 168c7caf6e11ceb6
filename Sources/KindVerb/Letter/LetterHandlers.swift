import KindVerbAPI
import Letters
import Storage

/// The `letter.` methods: from the wire to the rules to the store and back. Each runs inside the caller's transaction.
public struct LetterHandlers {
  private let store: Store
  private let journals: JournalStore
  private let letters: LetterStore
  private let journalHandlers: JournalHandlers

  /// Handlers on a store.
  public init(_ store: Store, entitlement: Entitlement) {
    self.store = store
    journals = JournalStore(store)
    letters = LetterStore(store)
    journalHandlers = JournalHandlers(store, entitlement: entitlement)
  }

  /// `letter.compose`
  public func compose(_ params: Methods.LetterCompose.Params, _ language: Language) throws -> Composition {
    let journal = try journalHandlers.compose(params)
    let letter = try draft(
      journal, tone: params.tone ?? .neutralWarm, register: params.register, language: params.language ?? language, language)
    return Composition(journal: JournalShape.journal(journal, language), letter: letter)
  }

  /// `letter.draft` by a template
  public func draft(_ params: Methods.LetterDraft.Params, _ language: Language) throws -> LetterDraft {
    let journal = try journals.completed(params.journalId)
    return try draft(
      journal, tone: params.tone ?? .neutralWarm, register: params.register, language: params.language ?? language, language)
  }

  /// `letter.rewrite` by a template: composed again from the journal, in the register and language that the letter has.
  public func rewrite(_ params: Methods.LetterRewrite.Params, _ language: Language) throws -> LetterDraft {
    let letter = try letters.get(params.id)
    let journal = try journals.get(letter.journalID)
    return try draft(journal, tone: params.tone, register: letter.register, language: letter.language, language)
  }

  func draft(
    _ journal: JournalRecord, tone: Tone, register: Register?, language: Language, _ answerLanguage: Language
  ) throws -> LetterDraft {
    let iteration = try letters.nextIteration(journalRow: journal.row, tone: tone)
    let composed = composeLetter(
      LetterRequest(
        answers: LetterAnswers(journal), tone: tone.ofLetters, register: register?.ofLetters, language: language.ofLetters,
        iteration: iteration))
    let now = store.now()
    let letter = LetterRecord(
      id: store.newID(), journalRow: journal.row, journalID: journal.id, content: composed.content, tone: tone,
      register: composed.register == .polite ? .polite : .casual, language: language, iteration: iteration, createdAt: now,
      updatedAt: now)
    try letters.insert(letter)
    // A notice comes once per journal, with its first letter.
    return LetterShape.letter(letter, notices: try letters.isOnly(ofJournal: journal.row) ? composed.notices : [], answerLanguage)
  }

  /// `letter.edit`
  public func edit(_ params: Methods.LetterEdit.Params, _ language: Language) throws -> LetterDraft {
    var letter = try letters.get(params.id)
    guard letter.status != .finalized else { throw APIError(.letterFinalized, field: "id") }
    guard JournalRules.hasText(params.content.exposed) else { throw APIError(.letterEmpty, field: "content") }
    letter.content = params.content.exposed
    letter.status = .edited
    letter.updatedAt = store.now()
    try letters.update(letter, operation: "edited")
    return LetterShape.letter(letter, language)
  }

  /// `letter.finalize`; a letter that is finalized already is answered as it is.
  public func finalize(_ params: Methods.LetterFinalize.Params, _ language: Language) throws -> LetterDraft {
    var letter = try letters.get(params.id)
    if letter.status != .finalized {
      letter.status = .finalized
      letter.updatedAt = store.now()
      letter.finalizedAt = letter.updatedAt
      try letters.update(letter, operation: "finalized")
    }
    return LetterShape.letter(letter, language)
  }

  /// `letter.get`
  public func get(_ params: Methods.LetterGet.Params, _ language: Language) throws -> LetterDraft {
    LetterShape.letter(try letters.get(params.id), language)
  }

  /// `letter.list`
  public func list(_ params: Methods.LetterList.Params, _ language: Language) throws -> KindVerbAPI.Letters {
    let page = try letters.page(
      journalID: params.journalId, limit: params.limit ?? JournalHandlers.pageItems, before: try PageCursor.row(params.before))
    return KindVerbAPI.Letters(
      items: page.letters.map { LetterShape.letter($0, language) },
      next: page.hasMore ? page.letters.last.map { String($0.row) } : nil)
  }

  /// `letter.delete`
  public func delete(_ params: Methods.LetterDelete.Params) throws -> Deletion {
    let end = try letters.delete(params.id)
    return Deletion(id: params.id, deleted: true, livesUntil: end.map(Instant.text))
  }
}

/// Letters as the wire shows them.
enum LetterShape {
  static func letter(
    _ record: LetterRecord, notices: [SafetyNotice] = [], fallback: DraftFallback? = nil, fromStore: Bool? = nil,
    _ language: Language
  ) -> LetterDraft {
    // What an AI left to be looked at is told until somebody has.
    let marks = record.status == .drafted ? record.marks.compactMap(AILetter.Mark.init(rawValue:)) : []
    return LetterDraft(
      id: record.id, journalId: record.journalID, schemaVersion: JournalShape.schemaVersion, status: record.status,
      content: PersonalText(record.content), tone: record.tone, register: record.register, language: record.language,
      source: record.source, aiModel: record.aiModel, promptVersion: record.promptVersion, iteration: record.iteration,
      createdAt: Instant.text(record.createdAt), updatedAt: Instant.text(record.updatedAt),
      finalizedAt: record.finalizedAt.map(Instant.text),
      notices: notices.map { Notice(key: $0.rawValue, message: safetyNoticeText($0, language: language.ofLetters)) }
        + marks.map { Notice(key: $0.rawValue, message: $0.text(in: language)) },
      fallback: fallback, fromStore: fromStore)
  }
}

extension LetterAnswers {
  /// The answers of a journal that is complete.
  init(_ journal: JournalRecord) {
    self.init(
      journalId: journal.id, conflictKind: journal.conflictType.ofLetters, situation: journal.situation ?? "",
      feelings: journal.feelings, hurt: journal.hurt ?? "", reflection: journal.reflection, need: journal.need ?? "",
      addressee: journal.addressee)
  }
}

extension ConflictType {
  /// The same kind as the letters know it.
  var ofLetters: ConflictKind {
    switch self {
    case .friends: .friends
    case .couple: .couple
    case .parentChild: .parentChild
    case .siblings: .siblings
    case .inLaws: .inLaws
    }
  }
}

extension Tone {
  /// The same tone as the letters know it.
  var ofLetters: LetterTone {
    switch self {
    case .neutralWarm: .neutralWarm
    case .softer: .softer
    case .concise: .concise
    case .sincere: .sincere
    }
  }
}

extension Register {
  /// The same register as the letters know it.
  var ofLetters: LetterRegister { self == .polite ? .polite : .casual }
}
