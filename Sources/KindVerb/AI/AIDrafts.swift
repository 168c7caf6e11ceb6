import CivilTime
import Cryptography
import KindVerbAPI
import Letters
import Storage

/// A draft that somebody wants.
public struct DraftOrder: Equatable, Sendable {
  /// The journal.
  public let journalID: String
  /// The tone.
  public let tone: Tone
  /// The register; nil for what fits the relationship and the language.
  public let register: Register?
  /// The letter's language.
  public let language: Language
  /// Whether it is to be worded otherwise than the drafts of this tone that are there.
  public var isAnother = false

  /// A draft of a journal.
  public init(journalID: String, tone: Tone, register: Register?, language: Language) {
    self.journalID = journalID
    self.tone = tone
    self.register = register
    self.language = language
  }
}

/// A draft that an AI is to write: what is sent, and what is needed when the answer comes.
public struct AIDraftPlan: Sendable {
  /// What is sent.
  public let request: GeminiRequest
  /// A sum of everything that the draft depends on.
  public let input: String
  /// The journal.
  public let journalID: String
  /// Whether the answers speak of danger: then no AI is asked.
  public let speaksOfDanger: Bool
  /// The model that writes it.
  let model: String
  let material: AIMaterial
  let wish: LetterWish
}

/// Drafts by an AI, from the store to the request and from the answer to the store. Every method runs inside the caller's transaction;
/// in between nothing is held.
public struct AIDrafts {
  private let store: Store
  private let service: AIService
  private let letters: LetterStore
  private let journals: JournalStore
  private let calls: AICallStore

  /// Drafts of a store.
  public init(_ store: Store, service: AIService) {
    self.store = store
    self.service = service
    letters = LetterStore(store)
    journals = JournalStore(store)
    calls = AICallStore(store)
  }

  /// What a draft of a letter again is: of the same journal in another tone, or in the tone that it has in other words.
  public func order(rewriting id: String, tone: Tone) throws -> DraftOrder {
    let letter = try letters.get(id)
    var order = DraftOrder(journalID: letter.journalID, tone: tone, register: letter.register, language: letter.language)
    order.isAnother = letter.tone == tone
    return order
  }

  /// What would be sent for a draft.
  public func plan(_ order: DraftOrder) throws -> AIDraftPlan {
    let journal = try journals.completed(order.journalID)
    let register = order.register ?? defaultRegister(of: journal, order)
    let iteration = order.isAnother ? try letters.nextIteration(journalRow: journal.row, tone: order.tone) : 1
    let wish = LetterWish(tone: order.tone, register: register, language: order.language, iteration: iteration)
    let material = AIMaterial(journal, people: try PeopleStore(store).all())
    let request = GeminiRequest(material, wish, service)
    // Two journals can look the same once they are masked; their letters are not.
    let texts =
      [journal.situation, journal.hurt, journal.need, journal.reflection, journal.addressee].map { $0 ?? "" } + journal.feelings
    let input = ([request.url, String(decoding: request.body, as: UTF8.self), journal.id] + texts).map {
      "\($0.utf8.count):\($0)"
    }
    return AIDraftPlan(
      request: request, input: SHA256.hex(of: Array(input.joined().utf8)), journalID: journal.id,
      speaksOfDanger: material.speaksOfDanger, model: service.model, material: material, wish: wish)
  }

  private func defaultRegister(of journal: JournalRecord, _ order: DraftOrder) -> Register {
    let composed = composeLetter(
      LetterRequest(answers: LetterAnswers(journal), tone: order.tone.ofLetters, language: order.language.ofLetters))
    return composed.register == .polite ? .polite : .casual
  }

  /// The letter that the same input was given before; nil if there is none, or the person has made another of it since.
  public func earlier(_ plan: AIDraftPlan, _ language: Language) throws -> LetterDraft? {
    guard let id = try calls.letterID(ofInput: plan.input) else { return nil }
    let letter = try letters.get(id)
    return letter.status == .drafted ? LetterShape.letter(letter, fromStore: true, language) : nil
  }

  /// Refuses a draft that nobody agreed to: `error.ai.consent_required`.
  public func requireConsent() throws {
    guard try ConsentStore(store).isGranted(.ai) else { throw APIError(.aiConsentRequired) }
  }

  /// A call begins, if there may be one more beside those that are under way; answers its number. Without an entitlement nothing is
  /// counted.
  public func begin(_ now: AIClock, _ zone: Zone, _ entitlement: Entitlement?, underway: Set<Int64>) throws -> Int64 {
    if let entitlement {
      try calls.allowance(now, zone, limit: entitlement.aiDraftsPerDay, underway: underway).check(now: now.wall)
    }
    return try calls.begin(now, offsetMinutes: zone.offset(at: now.wall) / 60)
  }

  /// A call came to nothing.
  public func failed(_ call: Int64) throws { try calls.failed(call) }

  /// An answer as a letter, before anything is stored: whether it is one.
  public static func check(_ answer: GeminiAnswer, of plan: AIDraftPlan) throws(AIFailure) {
    _ = try AILetter(answer.letter(), of: plan.material, plan.wish)
  }

  /// Keeps the letter that an answer is.
  public func keep(_ answer: GeminiAnswer, of plan: AIDraftPlan, call: Int64, _ language: Language) throws -> LetterDraft {
    // The journal may have been deleted meanwhile.
    let journal = try journals.completed(plan.journalID)
    let text = try AILetter(answer.letter(), of: plan.material, plan.wish)
    let now = store.now()
    let letter = LetterRecord(
      id: store.newID(), journalRow: journal.row, journalID: journal.id, content: text.content, tone: plan.wish.tone,
      register: plan.wish.register, language: plan.wish.language, source: .ai, aiModel: plan.model,
      marks: text.marks.map(\.rawValue), promptVersion: AIPrompt.version,
      iteration: try letters.nextIteration(journalRow: journal.row, tone: plan.wish.tone), createdAt: now, updatedAt: now)
    try letters.insert(letter)
    let kept = try letters.get(letter.id)
    try calls.remember(letterRow: kept.row, input: plan.input, marks: text.marks)
    try calls.drafted(call)
    let isFirst = try letters.isOnly(ofJournal: journal.row)
    return LetterShape.letter(
      try letters.get(letter.id), notices: isFirst ? safetyNotices(for: LetterAnswers(journal)) : [], language)
  }

  /// The template's draft that takes the place of an AI's; `failure` is why, or nil where nobody agreed to one.
  public func template(_ order: DraftOrder, because failure: AIFailure?, _ language: Language) throws -> LetterDraft {
    let journal = try journals.completed(order.journalID)
    var draft = try LetterHandlers(store, entitlement: Entitlement()).draft(
      journal, tone: order.tone, register: order.register, language: order.language, language)
    draft.fallback = failure.map { DraftFallback($0, language) }
    return draft
  }
}

extension AILetter.Mark {
  /// The text in a language.
  func text(in language: Language) -> String {
    switch self {
    case .missing: MessageKey.noticeAiMissing.text(in: language)
    case .unknown: MessageKey.noticeAiUnknown.text(in: language)
    case .style: MessageKey.noticeAiStyle.text(in: language)
    }
  }
}

extension DraftFallback {
  /// A failure as the wire shows it.
  init(_ failure: AIFailure, _ language: Language) {
    self.init(
      messageKey: failure.key.rawValue, message: APIError(failure.key).message(in: language), retriable: failure.key.isRetriable,
      retryAfterMs: failure.retryAfterMs)
  }
}
