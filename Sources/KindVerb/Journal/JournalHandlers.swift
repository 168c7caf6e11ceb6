import KindVerbAPI
import Letters
import SQLite
import Storage

/// The `journal.` methods: from the wire to the rules to the store and back. Each runs inside the caller's transaction.
public struct JournalHandlers {
  /// Rows that one slice of a search looks at: few enough that slices of the longest journals take no more than some milliseconds.
  static let searchSlice = 200
  /// Items of a page where a call names no limit.
  static let pageItems = 20

  private let store: Store
  private let journals: JournalStore
  private let entitlement: Entitlement

  /// Handlers on a store.
  public init(_ store: Store, entitlement: Entitlement) {
    self.store = store
    self.entitlement = entitlement
    journals = JournalStore(store)
  }

  /// `journal.create`
  public func create(_ params: Methods.JournalCreate.Params, _ language: Language) throws -> Journal {
    let journal = try newJournal(
      params.conflictType, params.situationText, params.feelings, params.hurtText, params.reflectionText, params.desiredNeedText,
      params.addressee)
    try journals.insert(journal)
    return JournalShape.journal(journal, language)
  }

  /// The journal part of `letter.compose`: made and completed at once.
  func compose(_ params: Methods.LetterCompose.Params) throws -> JournalRecord {
    var journal = try newJournal(
      params.conflictType, params.situationText, params.feelings, params.hurtText, params.reflectionText, params.desiredNeedText,
      params.addressee)
    try JournalRules.requireComplete(journal)
    journal.status = .completed
    journal.completedAt = journal.createdAt
    try journals.insert(journal)
    try QuietStore(store).offer()
    return try journals.get(journal.id)
  }

  /// A draft of these answers, not kept yet.
  private func newJournal(
    _ type: ConflictType, _ situation: PersonalText?, _ feelings: [PersonalText]?, _ hurt: PersonalText?,
    _ reflection: PersonalText?,
    _ need: PersonalText?, _ addressee: PersonalText?
  ) throws -> JournalRecord {
    try entitlement.require(type)
    var journal = JournalRecord(id: store.newID(), conflictType: type, createdAt: store.now())
    journal.situation = situation?.exposed
    journal.feelings = try JournalRules.feelings(feelings ?? [])
    journal.hurt = hurt?.exposed
    journal.reflection = reflection?.exposed
    journal.need = need?.exposed
    journal.addressee = addressee?.exposed
    return journal
  }

  /// `journal.update`
  public func update(_ params: Methods.JournalUpdate.Params, _ language: Language) throws -> Journal {
    var journal = try journals.get(params.id)
    let before = journal
    if let type = params.conflictType {
      // What it is already it may stay, also when Pro was lost: no journal is locked in.
      if type != journal.conflictType { try entitlement.require(type) }
      journal.conflictType = type
    }
    journal.situation = params.situationText.applied(to: journal.situation)
    journal.hurt = params.hurtText.applied(to: journal.hurt)
    journal.reflection = params.reflectionText.applied(to: journal.reflection)
    journal.need = params.desiredNeedText.applied(to: journal.need)
    journal.addressee = params.addressee.applied(to: journal.addressee)
    switch params.feelings {
    case .keep: break
    case .clear: journal.feelings = []
    case .set(let feelings): journal.feelings = try JournalRules.feelings(feelings)
    }
    if journal.status == .completed { try JournalRules.requireComplete(journal) }
    if journal != before {
      journal.updatedAt = store.now()
      try journals.update(journal, operation: "updated")
    }
    return JournalShape.journal(journal, language)
  }

  /// `journal.complete`; a journal that is completed already is answered as it is.
  public func complete(_ params: Methods.JournalComplete.Params, _ language: Language) throws -> Journal {
    var journal = try journals.get(params.id)
    if journal.status == .draft {
      try JournalRules.requireComplete(journal)
      journal.status = .completed
      journal.updatedAt = store.now()
      journal.completedAt = journal.updatedAt
      try journals.update(journal, operation: "completed")
      try QuietStore(store).offer()
    }
    return JournalShape.journal(journal, language)
  }

  /// `journal.get`
  public func get(_ params: Methods.JournalGet.Params, _ language: Language) throws -> Journal {
    JournalShape.journal(try journals.get(params.id), language)
  }

  /// `journal.list`
  public func list(_ params: Methods.JournalList.Params, _ language: Language) throws -> Journals {
    let page = try journals.page(
      limit: params.limit ?? Self.pageItems, before: try PageCursor.row(params.before), status: params.status,
      conflictType: params.conflictType)
    return Journals(
      items: page.journals.map { JournalShape.journal($0, language) },
      next: page.hasMore ? page.journals.last.map { String($0.row) } : nil)
  }

  /// `journal.resume`
  public func resume(_ language: Language) throws -> Resumption {
    guard let journal = try journals.newestDraft() else { return Resumption(journal: nil, step: nil) }
    return Resumption(
      journal: JournalShape.journal(journal, language), step: JournalRules.firstOpenStep(of: journal)?.rawValue)
  }

  /// `journal.delete`
  public func delete(_ params: Methods.JournalDelete.Params) throws -> Deletion {
    let end = try journals.delete(params.id)
    return Deletion(id: params.id, deleted: true, livesUntil: end.map(Instant.text))
  }

  /// A search to be run slice by slice.
  public func search(_ params: Methods.JournalSearch.Params) -> JournalSearch {
    JournalSearch(journals, query: params.query.exposed, limit: params.limit ?? Self.pageItems)
  }
}

/// A search under way: each ``step(_:)`` looks at one slice, so that the loop can turn in between.
public struct JournalSearch {
  private let journals: JournalStore
  private let folded: String
  private let limit: Int
  private var position = Int64.max
  private var found: [JournalRecord] = []
  private var isDone: Bool

  init(_ journals: JournalStore, query: String, limit: Int) {
    self.journals = journals
    self.limit = limit
    folded = SearchText.folded(query)
    isDone = folded.isEmpty
  }

  /// Looks at the next slice; the result once nothing is left or enough is found.
  public mutating func step(_ language: Language) throws -> Journals? {
    if !isDone {
      let slice = try journals.search(
        folded: folded, before: position, rows: JournalHandlers.searchSlice, limit: limit - found.count)
      found += slice.found
      position = slice.next ?? 0
      isDone = slice.next == nil
    }
    guard isDone else { return nil }
    return Journals(items: found.map { JournalShape.journal($0, language) })
  }
}

extension Change where Value == PersonalText {
  /// The value after the change.
  func applied(to value: String?) -> String? {
    switch self {
    case .keep: value
    case .clear: nil
    case .set(let text): text.exposed
    }
  }
}
