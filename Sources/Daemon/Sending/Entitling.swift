import EventLoop
import KindVerb
import KindVerbAPI
import Storage
import Systemd

/// What the person may use, at each moment: read from the store by the rules of the configuration. The one place that all gates ask.
@DaemonActor
final class Entitling {
  /// Which purchases count; another configuration counts at once.
  var rules = PurchaseRules()
  private let roots: [[UInt8]]
  private let turn: TurnEngine
  /// Whether a purchase has an end; nil where that is to be looked up.
  private var hasEnd: Bool?
  private var notedAt: Int64 = 0
  /// How often the time is kept while something has an end and something is written, in milliseconds.
  private static let noteMilliseconds: Int64 = 3_600_000

  /// Entitlement by purchases that these roots vouch for.
  init(turn: TurnEngine, roots: [[UInt8]] = PurchaseRoots.apple) {
    self.turn = turn
    self.roots = roots
  }

  /// What the person may use now, as the transaction under way sees it.
  func present(_ store: Store) throws -> Entitlement { try EntitlementStore(store, rules).entitlement() }

  private func handlers() throws -> EntitlementHandlers { EntitlementHandlers(try turn.begin(), rules, roots: roots) }

  func register(on router: Router) {
    router.on(Methods.EntitlementGet.self) { _, _ in try self.handlers().get() }
    router.on(Methods.EntitlementRestore.self) { params, _ in try self.handlers().restore(params) }
  }

  /// Something was committed: where a purchase has an end the time is kept now and then, so that a clock that is set back later does not
  /// prolong it. `write` runs something in a transaction of its own.
  func committed(_ changes: [ChangeRecord], write: ((Store) throws -> Void) throws -> Void) {
    if changes.contains(where: { $0.topic == Topic.entitlement.rawValue }) { hasEnd = nil }
    guard hasEnd != false, let now = turn.store?.now(), hasEnd == nil || now >= notedAt + Self.noteMilliseconds else { return }
    // What cannot be stored now is kept with a later change.
    try? write { store in
      let purchases = EntitlementStore(store, rules)
      let found = try purchases.hasEnd()
      if found { try purchases.noteTime() }
      (hasEnd, notedAt) = (found, now)
    }
  }
}
