import JSON
import KindVerbAPI
import Storage
import Synchronization
import Testing

@testable import KindVerb

/// A clock that a test sets, in milliseconds since 1970.
private final class SetClock: Sendable {
  private let time: Mutex<Int64>
  init(_ time: Int64) { self.time = Mutex(time) }
  var now: Int64 { time.withLock { $0 } }
  func set(_ time: Int64) { self.time.withLock { $0 = time } }
}

/// What was proved, in a store with a clock of its own.
private struct Shop {
  static let day: Int64 = 86_400_000
  let clock = SetClock(1_764_600_000_000)
  let home: Home
  var rules = PurchaseRules()
  var purchases: EntitlementStore { EntitlementStore(home.store, rules) }

  init() throws {
    home = try Home(StoreEnvironment(now: { [clock] in clock.now }, random: StoreEnvironment.live.random))
  }

  /// Keeps what a transaction says; what was told of it.
  @discardableResult
  func keep(_ changes: [String: JSON?] = [:]) throws -> [String] {
    try home.store.begin()
    try purchases.keep(Purchase(transaction(changes)))
    return try home.store.commit().map { "\($0.topic) \($0.id) \($0.op)" }
  }

  var hasPro: Bool { get throws { try purchases.entitlement().hasPro } }
  var state: EntitlementState {
    get throws { try EntitlementHandlers(home.store, rules, roots: []).get() }
  }
}

private func after(_ days: Int64) -> JSON { .number(JSONNumber(Int(1_764_547_200_000 + days * Shop.day))) }

@Suite struct EntitlementStoreTests {
  @Test func aPurchaseUnlocksAndIsTold() throws {
    let shop = try Shop()
    #expect(try !shop.hasPro)
    #expect(try shop.state.proof == .none)
    #expect(try shop.keep() == ["entitlement pro unlocked"])
    #expect(try shop.hasPro)
    let state = try shop.state
    #expect(state.plan == .pro && state.proof == .active && state.limits.conflictTypes == ConflictType.allCases)
    #expect(
      state.signedAt == "2025-12-01T00:00:00Z" && state.verifiedAt == "2025-12-01T14:40:00Z" && state.ownership == .purchased)
    #expect(try shop.keep() == [], "the same again is no news")
    #expect(try shop.keep(["signedDate": after(1)]) == ["entitlement pro updated"])
    #expect(try shop.state.signedAt == "2025-12-02T00:00:00Z")
  }

  @Test("in whatever order they come, the newest word of a purchase counts", arguments: 0..<24)
  func order(_ number: Int) throws {
    let words: [[String: JSON?]] = [
      ["signedDate": after(0)], ["signedDate": after(1), "revocationDate": after(0)],
      ["signedDate": after(2), "transactionId": "3"], ["signedDate": after(2), "revocationDate": after(1)],
    ]
    var rest = Array(words.indices)
    var seed = number
    let shop = try Shop()
    while !rest.isEmpty {
      let next = rest.remove(at: seed % rest.count)
      seed /= rest.count + 1
      try shop.keep(words[next])
    }
    #expect(try !shop.hasPro)
    #expect(try shop.state.proof == .revoked && shop.state.revokedAt == "2025-12-02T00:00:00Z")
    // Bought again: another purchase.
    #expect(try shop.keep(["originalTransactionId": "9", "signedDate": after(0)]) == ["entitlement pro unlocked"])
    #expect(try shop.state.proof == .active && shop.state.originalTransactionId == "9")
    // A refund that was taken back, told later.
    #expect(try shop.keep(["signedDate": after(3)]) == ["entitlement pro updated"])
  }

  @Test func aRevokedOneLocksAtOnce() throws {
    let shop = try Shop()
    try shop.keep()
    #expect(try shop.keep(["signedDate": after(1), "revocationDate": after(1)]) == ["entitlement pro locked"])
    #expect(try shop.state.plan == .free && shop.state.limits.aiDraftsPerDay == 1)
    #expect(try shop.keep(["signedDate": after(0)]) == [])
    #expect(try !shop.hasPro)
  }

  @Test func theConfigurationDecidesAtEachUse() throws {
    var shop = try Shop()
    shop.rules.allowsSandbox = true
    try shop.keep(["environment": "Sandbox"])
    #expect(try shop.hasPro)
    // The same number in another environment is another purchase.
    try shop.keep(["environment": "Production", "signedDate": after(1), "revocationDate": after(1)])
    #expect(try shop.hasPro && shop.state.environment == "Sandbox")
    shop.rules.allowsSandbox = false
    #expect(try !shop.hasPro)
    #expect(try shop.state.proof == .revoked)
    shop.rules = PurchaseRules(bundleID: "org.example", allowsSandbox: true)
    #expect(try !shop.hasPro)
    #expect(try shop.state.proof == .notAccepted)
  }

  @Test("a clock that is set back prolongs nothing")
  func time() throws {
    let shop = try Shop()
    #expect(try !shop.purchases.hasEnd())
    try shop.keep(["expiresDate": after(10)])
    #expect(try shop.purchases.hasEnd() && shop.hasPro)
    shop.clock.set(shop.clock.now + 10 * Shop.day)
    #expect(try !shop.hasPro)
    try shop.home.call { try shop.purchases.noteTime() }
    shop.clock.set(shop.clock.now - 20 * Shop.day)
    #expect(try !shop.hasPro)
    #expect(try shop.state.proof == .expired)
    // For life is for life.
    try shop.keep(["originalTransactionId": "9"])
    #expect(try shop.hasPro)
    // And what Apple has signed was then: no clock here is believed to be before it.
    shop.clock.set(0)
    #expect(try shop.hasPro && shop.purchases.now() >= 1_764_547_200_000)
  }

  @Test("a journal that was begun with Pro can be finished without it; a new one cannot be begun")
  func journals() throws {
    let home = try Home()
    let pro = JournalHandlers(home.store, entitlement: Entitlement(plan: .pro))
    let journal = try home.call { try pro.create(.init(conflictType: .couple), .en) }
    let (free, letters) = (home.journals, home.letters)
    let answers = Methods.JournalUpdate.Params(
      id: journal.id, conflictType: .couple, situationText: .set(PersonalText("I was late.")),
      feelings: .set([PersonalText("sad")]), hurtText: .set(PersonalText("You waited.")),
      desiredNeedText: .set(PersonalText("trust")))
    #expect(try home.call { try free.update(answers, .en) }.conflictType == .couple)
    #expect(try home.call { try free.complete(.init(id: journal.id), .en) }.status == .completed)
    let letter = try home.call { try letters.draft(.init(journalId: journal.id), .en) }
    #expect(try home.call { try letters.finalize(.init(id: letter.id), .en) }.status == .finalized)
    #expect(throws: APIError.self) {
      try home.call { try free.update(.init(id: journal.id, conflictType: .siblings), .en) }
    }
    #expect(throws: APIError.self) { try home.call { try free.create(.init(conflictType: .couple), .en) } }
    #expect(try home.call { try free.update(.init(id: journal.id, conflictType: .friends), .en) }.conflictType == .friends)
    #expect(throws: APIError.self) {
      try home.call { try free.update(.init(id: journal.id, conflictType: .couple), .en) }
    }
  }
}
