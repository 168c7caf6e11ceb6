import KindVerbAPI
import Outbox
import Storage

/// The `share.` methods: from the wire to the rules to the store and back. Each runs inside the caller's transaction.
public struct ShareHandlers {
  /// Items of a page where a call names no limit.
  static let pageItems = 20

  private let store: Store
  private let shares: ShareStore
  private let letters: LetterStore
  private let outbox: OutboxStore
  private let consents: ConsentStore
  private let entitlement: Entitlement
  private let service: ShareService

  /// Handlers on a store.
  public init(_ store: Store, entitlement: Entitlement, service: ShareService) {
    self.store = store
    self.entitlement = entitlement
    self.service = service
    shares = ShareStore(store)
    letters = LetterStore(store)
    outbox = OutboxStore(store)
    consents = ConsentStore(store)
  }

  // MARK: Consent

  /// `share.consent.get`
  public func consent() throws -> ShareConsent {
    let decision = try consents.decision(on: .share)
    return ShareConsent(
      granted: decision?.isGranted ?? false, decidedAt: decision.map { Instant.text($0.at) }, host: service.host,
      linkBase: service.linkBase, configured: service.project != nil)
  }

  /// `share.consent.set`
  public func setConsent(_ params: Methods.ShareConsentSet.Params) throws -> ShareConsent {
    try consents.decide(.share, params.granted)
    if !params.granted { try outbox.cancelAll(kind: ShareStore.kind) }
    return try consent()
  }

  private func requireReadiness() throws {
    guard try consents.isGranted(.share) else { throw APIError(.shareConsentRequired) }
    guard service.project != nil else { throw APIError(.shareNotConfigured) }
  }

  // MARK: Links

  /// `share.create`
  public func create(_ params: Methods.ShareCreate.Params, _ language: Language) throws -> Share {
    let letter: LetterRecord
    do { letter = try letters.get(params.letterId) } catch let error as APIError { throw APIError(error.key, field: "letterId") }
    guard letter.status == .finalized else { throw APIError(.shareLetterNotFinalized, field: "letterId") }
    let days = try ShareRules.days(params.expiresInDays, entitlement)
    try ShareRules.check(letter.content)
    try requireReadiness()
    if let share = try shares.newest(ofLetter: letter.row), let kept = try takeUp(share, days: days) {
      return ShareShape.share(kept, language)
    }
    let share = try shares.insert(letterRow: letter.row, contentHash: ShareRules.hash(letter.content), days: days)
    return ShareShape.share(share, language)
  }

  /// The link that a letter has already, if it lives, waits, or can still be sent under its id.
  private func takeUp(_ share: ShareRecord, days: Int) throws -> ShareRecord? {
    let now = store.now()
    switch share.item.state {
    case .succeeded: return share.lives(at: now) ? share : nil
    case .uploading: return share
    case .queued, .failed, .canceled:
      if share.isUnresolvable(at: now) { return nil }
      if !share.item.mayHaveArrived { try shares.update(share, days: days) }
      if share.item.state != .queued { try outbox.retry(share.item.id) }
      return try shares.get(share.id)
    }
  }

  /// `share.list`
  public func list(_ params: Methods.ShareList.Params, _ language: Language) throws -> Shares {
    let page = try shares.page(
      letterID: params.letterId, status: params.status, limit: params.limit ?? Self.pageItems,
      before: try PageCursor.row(params.before))
    return Shares(
      items: page.shares.map { ShareShape.share($0, language) },
      next: page.hasMore ? page.shares.last.map { String($0.row) } : nil)
  }

  /// `share.get`
  public func get(_ params: Methods.ShareGet.Params, _ language: Language) throws -> Share {
    ShareShape.share(try shares.get(params.id), language)
  }

  /// `share.retry`
  public func retry(_ params: Methods.ShareRetry.Params, _ language: Language) throws -> Share {
    let share = try shares.get(params.id)
    if share.isUnresolvable(at: store.now()) { throw APIError(.shareUnresolved, field: "id") }
    let isDoubtful = share.item.state == .succeeded && !share.isConfirmed
    if share.item.state != .uploading, share.item.state != .succeeded || isDoubtful {
      try requireReadiness()
      try outbox.retry(share.item.id, isDoubtful: isDoubtful)
    }
    return ShareShape.share(try shares.get(params.id), language)
  }

  /// `share.cancel`
  public func cancel(_ params: Methods.ShareCancel.Params, _ language: Language) throws -> Share {
    try outbox.cancel(try shares.get(params.id).item.id)
    return ShareShape.share(try shares.get(params.id), language)
  }

  /// `share.delete`
  public func delete(_ params: Methods.ShareDelete.Params) throws -> ShareDeletion {
    let share = try shares.get(params.id)
    let end = share.livesUntil(store.now())
    try shares.delete(share)
    return ShareDeletion(id: share.id, deleted: true, livesUntil: end.map(Instant.text))
  }
}

/// Links as the wire shows them.
enum ShareShape {
  static func share(_ record: ShareRecord, _ language: Language) -> Share {
    let item = record.item
    let isThere = item.state == .succeeded
    return Share(
      id: record.id, letterId: record.letterID, status: item.state, remoteId: isThere ? record.id : nil,
      url: isThere ? record.url : nil,
      expiresAt: isThere ? record.expireAt.map(Instant.text) : nil, expiresInDays: record.expiresInDays,
      contentHash: record.contentHash, confirmed: record.isConfirmed, mayHaveArrived: item.mayHaveArrived && !isThere,
      attempts: item.attempts, nextAttemptAt: item.nextAttemptAt.map(Instant.text),
      lastError: item.lastError.map { DeliveryError($0, language) }, createdAt: Instant.text(item.createdAt),
      updatedAt: Instant.text(item.updatedAt))
  }
}
