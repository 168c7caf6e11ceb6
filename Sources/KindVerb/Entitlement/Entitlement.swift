import KindVerbAPI

/// What the person may use; the one place that decides it.
public struct Entitlement: Sendable {
  /// The plan in force.
  public let plan: Plan

  /// An entitlement by plan.
  public init(plan: Plan = .free) { self.plan = plan }

  /// Whether everything is unlocked.
  public var hasPro: Bool { plan == .pro }

  /// Refuses what belongs to Pro where that is not unlocked: `error.entitlement.pro_required`. `field` is the parameter that asks for it.
  public func requirePro(_ field: String) throws(APIError) {
    guard hasPro else { throw APIError(.entitlementProRequired, field: field) }
  }

  /// Whether a kind of relationship belongs to Pro: all but `friends` (PRD 17.2).
  public static func requiresPro(_ type: ConflictType) -> Bool { type != .friends }

  /// Whether a kind of relationship can be used.
  public func allows(_ type: ConflictType) -> Bool { hasPro || !Self.requiresPro(type) }

  /// Refuses a kind of relationship that is not unlocked: `error.entitlement.pro_required`.
  public func require(_ type: ConflictType) throws(APIError) {
    guard allows(type) else { throw APIError(.entitlementProRequired, field: "conflictType") }
  }

  /// Drafts that the AI may write on one date.
  public var aiDraftsPerDay: Int { hasPro ? 10 : 1 }

  /// After how many days a shared letter may expire, the first of them what holds where none is asked for.
  public var shareExpiryDays: [Int] { hasPro ? [7, 3, 30] : [7] }

  /// Whether a shared letter may expire after so many days.
  public func allows(expiresInDays days: Int) -> Bool { shareExpiryDays.contains(days) }
}
