import Cryptography
import JSON
import KindVerbAPI

/// Which purchases count, and what they come to (product rule 11). No clock and no store: transactions and instants go in.
public struct PurchaseRules: Equatable, Sendable {
  /// What unlocks Pro.
  public static let product = "kindverb.pro.lifetime"
  /// A purchase may come after what tells of it by so much, in milliseconds: two clocks of the App Store's.
  static let tolerance: Int64 = 300_000
  /// What was signed may lie ahead of the clock here by so much, in milliseconds.
  static let longestAhead: Int64 = 86_400_000

  /// The app whose purchases count.
  public var bundleID: String
  /// Whether purchases of the App Store's sandbox count too. Those of Xcode and of local tests never do: nobody signs them.
  public var allowsSandbox: Bool

  /// Rules for an app.
  public init(bundleID: String = "com.kindverb.app", allowsSandbox: Bool = false) {
    self.bundleID = bundleID
    self.allowsSandbox = allowsSandbox
  }

  private var environments: [String] { allowsSandbox ? ["Production", "Sandbox"] : ["Production"] }

  /// The purchase that a signed transaction tells of, once all has been verified and found to be one of ours. Throws the errors of the
  /// domain `iap`, which name the check that failed and hold nothing of the text. A purchase that was revoked is found as well.
  func purchase(in text: PersonalText, _ verifier: SignatureVerifier, now: Int64) throws(APIError) -> Purchase {
    let payload: JSONObject
    do { payload = try verifier.payload(of: text.exposed, signedAt: Purchase.signedAt) } catch { throw Self.failure(error) }
    let purchase = try Purchase(payload)
    try require(purchase, now)
    // What a reader of JWT looks at (RFC 7519), although the App Store writes neither.
    let fields = PayloadFields(payload)
    if let end = try fields.optionalSeconds("exp"), end <= now { throw Self.failure(.iapVerifyFailed, "validity") }
    if let start = try fields.optionalSeconds("nbf"), start > now { throw Self.failure(.iapVerifyFailed, "validity") }
    return purchase
  }

  /// Refuses a purchase that is not one of ours, or whose dates cannot be.
  func require(_ purchase: Purchase, _ now: Int64) throws(APIError) {
    if purchase.bundleID != bundleID { throw Self.failure(.iapOtherApp, expected: bundleID) }
    if purchase.productID != Self.product { throw Self.failure(.iapOtherProduct, expected: Self.product) }
    if !environments.contains(purchase.environment) {
      throw Self.failure(.iapOtherEnvironment, expected: environments.joined(separator: ", "))
    }
    if purchase.purchasedAt > purchase.signedAt + Self.tolerance { throw Self.failure(.iapVerifyFailed, "dates") }
    if purchase.signedAt > now + Self.longestAhead { throw Self.failure(.iapDateAhead) }
  }

  /// What a purchase that was verified once means at an instant.
  func state(of purchase: Purchase, at now: Int64) -> ProofState {
    guard purchase.bundleID == bundleID, purchase.productID == Self.product, environments.contains(purchase.environment) else {
      return .notAccepted
    }
    if purchase.revokedAt != nil { return .revoked }
    if purchase.isUpgraded { return .upgraded }
    if let end = purchase.expiresAt, end <= now { return .expired }
    return .active
  }

  /// Which of two words of one purchase counts: the one that was signed last, and of two that were signed at once the worse, so that no
  /// order in which they come unlocks what was revoked.
  static func isNewer(_ purchase: Purchase, than known: Purchase) -> Bool {
    if purchase.signedAt != known.signedAt { return purchase.signedAt > known.signedAt }
    return purchase.revokedAt != nil && known.revokedAt == nil
  }

  private static func failure(_ refusal: SignatureRefusal) -> APIError {
    switch refusal {
    case .tooLong, .malformed, .signingTime: failure(.iapRestoreFailed, refusal.rawValue)
    case .algorithm, .critical, .chainLength, .certificate, .chain, .purpose, .signature:
      failure(.iapVerifyFailed, refusal.rawValue)
    case .noLibrary: failure(.iapUnavailable)
    }
  }

  private static func failure(_ key: ErrorKey, _ reason: String? = nil, expected: String? = nil) -> APIError {
    var failure = APIError(key, field: "signedTransaction")
    failure.reason = reason
    failure.expected = expected
    return failure
  }
}
