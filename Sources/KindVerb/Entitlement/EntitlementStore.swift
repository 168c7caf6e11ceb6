import KindVerbAPI
import SQLite
import Storage

/// A purchase as it was verified.
struct ProvedPurchase: Equatable {
  let purchase: Purchase
  /// When that was, in milliseconds since 1970.
  let verifiedAt: Int64
}

/// What was proved of purchases, in the store. Every method runs inside the caller's transaction; changes are noted in the change log.
///
/// What is unlocked is read here at each use and not kept in memory: it is one short table, mostly empty, and what a call of the same turn
/// has unlocked, or a dry run has not, is then never told wrongly.
public struct EntitlementStore {
  static let latestName = "entitlement.latest"

  private let store: Store
  private let rules: PurchaseRules
  private var database: Connection { store.connection }

  /// Those of this store, by these rules.
  public init(_ store: Store, _ rules: PurchaseRules) {
    self.store = store
    self.rules = rules
  }

  // MARK: What is unlocked

  /// What the person may use now.
  public func entitlement() throws -> Entitlement {
    let purchases = try purchases()
    if purchases.isEmpty { return Entitlement(plan: .free) }
    let now = try now()
    return Entitlement(plan: purchases.contains { rules.state(of: $0.purchase, at: now) == .active } ? .pro : .free)
  }

  /// The purchase that is told of: the one that unlocks, else the one that was signed last; and what it means.
  func present() throws -> (proved: ProvedPurchase, state: ProofState)? {
    let now = try now()
    return try purchases().map { ($0, rules.state(of: $0.purchase, at: now)) }.max { left, right in
      if (left.1 == .active) != (right.1 == .active) { return right.1 == .active }
      return left.0.purchase.signedAt < right.0.purchase.signedAt
    }
  }

  private func purchases() throws(SQLiteError) -> [ProvedPurchase] {
    try database.all(
      """
      SELECT originalTransactionId, transactionId, bundleId, productId, environment, ownership, purchasedAt, signedAt, expiresAt,
        revokedAt, isUpgraded, verifiedAt FROM entitlement ORDER BY id
      """
    ) { (row) throws(SQLiteError) in
      ProvedPurchase(
        purchase: Purchase(
          originalTransactionID: try row.text(0), transactionID: try row.text(1), bundleID: try row.text(2),
          productID: try row.text(3), environment: try row.text(4),
          ownership: row.isNull(5) ? nil : try row.choice(5, Ownership.self), purchasedAt: row.int64(6), signedAt: row.int64(7),
          expiresAt: row.optionalInt64(8), revokedAt: row.optionalInt64(9), isUpgraded: row.int(10) != 0),
        verifiedAt: row.int64(11))
    }
  }

  // MARK: What was proved

  /// Keeps what a verified transaction says, unless something newer is known of the same purchase.
  func keep(_ purchase: Purchase) throws {
    let before = try entitlement()
    let known = try purchases().first {
      $0.purchase.environment == purchase.environment && $0.purchase.originalTransactionID == purchase.originalTransactionID
    }
    if let known, !PurchaseRules.isNewer(purchase, than: known.purchase) { return }
    try database.run(
      """
      INSERT OR REPLACE INTO entitlement (originalTransactionId, transactionId, bundleId, productId, environment, ownership,
        purchasedAt, signedAt, expiresAt, revokedAt, isUpgraded, verifiedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      purchase.originalTransactionID, purchase.transactionID, purchase.bundleID, purchase.productID, purchase.environment,
      purchase.ownership?.rawValue, purchase.purchasedAt, purchase.signedAt, purchase.expiresAt, purchase.revokedAt,
      purchase.isUpgraded ? 1 : 0, store.now())
    // The App Store's clock is one that nobody here can set back.
    try noteTime(purchase.signedAt)
    let after = try entitlement()
    let operation = before.hasPro == after.hasPro ? "updated" : after.hasPro ? "unlocked" : "locked"
    try store.record(topic: Topic.entitlement.rawValue, id: "pro", op: operation)
  }

  // MARK: Time

  /// The time, in milliseconds since 1970, that an end is compared with: the latest that was ever seen, so that a clock set back prolongs
  /// nothing.
  func now() throws -> Int64 { max(store.now(), try latest()) }

  private func latest() throws -> Int64 { try store.setting(Self.latestName).flatMap { Int64($0) } ?? 0 }

  /// Keeps the time, if it is later than what was seen before: that of the clock here, or one that was told.
  public func noteTime(_ told: Int64? = nil) throws {
    let seen = max(told ?? 0, store.now())
    if seen > (try latest()) { try store.keepSetting(Self.latestName, String(seen)) }
  }

  /// Whether a purchase has an end, so that time matters.
  public func hasEnd() throws -> Bool {
    try database.integer("SELECT EXISTS (SELECT 1 FROM entitlement WHERE expiresAt IS NOT NULL)") == 1
  }
}
