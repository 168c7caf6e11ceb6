import Cryptography
import KindVerbAPI
import Storage

/// The `entitlement.` methods: from the wire to the rules to the store and back. Each runs inside the caller's transaction.
public struct EntitlementHandlers {
  private let rules: PurchaseRules
  private let purchases: EntitlementStore
  private let verifier: SignatureVerifier

  /// Handlers on a store. `roots` are the certificates, as DER, that vouch for the App Store.
  public init(_ store: Store, _ rules: PurchaseRules, roots: [[UInt8]]) {
    self.rules = rules
    purchases = EntitlementStore(store, rules)
    verifier = SignatureVerifier(
      roots: roots, leafMark: "1.2.840.113635.100.6.11.1", intermediateMark: "1.2.840.113635.100.6.2.1")
  }

  /// `entitlement.get`
  public func get() throws -> EntitlementState {
    let (entitlement, present) = (try purchases.entitlement(), try purchases.present())
    let purchase = present?.proved.purchase
    return EntitlementState(
      plan: entitlement.plan, proof: present?.state ?? .none, productId: purchase?.productID, environment: purchase?.environment,
      ownership: purchase?.ownership, originalTransactionId: purchase?.originalTransactionID,
      purchasedAt: (purchase?.purchasedAt).map(Instant.text), signedAt: (purchase?.signedAt).map(Instant.text),
      verifiedAt: (present?.proved.verifiedAt).map(Instant.text), expiresAt: (purchase?.expiresAt).map(Instant.text),
      revokedAt: (purchase?.revokedAt).map(Instant.text),
      limits: Self.limits(entitlement), proLimits: Self.limits(Entitlement(plan: .pro)))
  }

  private static func limits(_ entitlement: Entitlement) -> PlanLimits {
    PlanLimits(
      conflictTypes: ConflictType.allCases.filter(entitlement.allows), aiDraftsPerDay: entitlement.aiDraftsPerDay,
      shareExpiryDays: entitlement.shareExpiryDays, gratitude: entitlement.hasPro)
  }

  /// `entitlement.restore`
  public func restore(_ params: Methods.EntitlementRestore.Params) throws -> EntitlementState {
    try purchases.keep(rules.purchase(in: params.signedTransaction, verifier, now: purchases.now()))
    return try get()
  }
}
