import KindVerbAPI
import Outbox
import SQLite
import Storage

/// A letter on its way: what the outbox asks of links. Every function runs inside the caller's transaction.
public enum ShareParcel {
  /// What is to be done with an item.
  public enum Plan: Equatable, Sendable {
    /// It is sent.
    case send(FirestoreCommit)
    /// It cannot be: that is what came of it.
    case settled(Delivery)
  }

  /// Makes an item ready. What the document says of its end is fixed here, unless an attempt may have arrived that said it already.
  public static func prepare(
    _ store: Store, _ item: OutboxItem, _ service: ShareService
  ) throws -> Plan {
    let shares = ShareStore(store)
    guard let share = try shares.find(item.subject) else { return .settled(.refused(.shareNotFound)) }
    let now = store.now()
    if share.isUnresolvable(at: now) { return .settled(.refused(.shareUnresolved)) }
    guard service.project != nil else { return .settled(.refused(.shareNotConfigured)) }
    guard try ConsentStore(store).isGranted(.share) else { return .settled(.refused(.shareConsentRequired)) }
    let letter: LetterRecord
    do { letter = try LetterStore(store).get(share.letterID) } catch let error as SQLiteError where error.kind == .damaged {
      // One that cannot be read holds no other.
      return .settled(.refused(.storageDamaged))
    }
    // A finalized letter never changes; what is sent under an id is always the same.
    guard ShareRules.hash(letter.content) == share.contentHash else { return .settled(.refused(.storageDamaged)) }
    let end = item.mayHaveArrived ? share.expireAt : nil
    let expireAt = end ?? now + Int64(share.expiresInDays) * 86_400_000
    if end == nil { try shares.update(share, expireAt: expireAt) }
    let call = FirestoreCommit(share.id, content: letter.content, language: letter.language, expireAt: expireAt, service: service)
    return call.map(Plan.send) ?? .settled(.refused(.shareNotConfigured))
  }

  /// It is there.
  public static func arrived(_ store: Store, _ item: OutboxItem, isConfirmed: Bool, _ service: ShareService) throws {
    let shares = ShareStore(store)
    guard let share = try shares.find(item.subject) else { return }
    try shares.update(share, url: service.link(to: share.id), isConfirmed: isConfirmed)
  }
}
