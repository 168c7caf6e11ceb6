import Cryptography
import JSON
import KindVerbAPI
import Testing

@testable import KindVerb

/// What a lifetime purchase says; nil takes a member away.
func transaction(_ changes: [String: JSON?] = [:]) -> JSONObject {
  var payload: JSONObject = [
    "transactionId": "2000000123456790", "originalTransactionId": "2000000123456789", "bundleId": "com.kindverb.app",
    "productId": "kindverb.pro.lifetime", "purchaseDate": 1_760_000_000_000, "type": "Non-Consumable",
    "inAppOwnershipType": "PURCHASED", "signedDate": 1_764_547_200_000, "environment": "Production", "price": 12_900_000,
  ]
  for (name, value) in changes { payload[name] = value }
  return payload
}

/// The key of the error that something throws, with its reason.
private func refusal(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    guard let error = error as? APIError else { return "\(type(of: error))" }
    return [error.key.rawValue, error.reason].compactMap(\.self).joined(separator: " ")
  }
}

@Suite struct PurchaseRulesTests {
  private let now: Int64 = 1_764_600_000_000

  @Test func whatATransactionSays() throws {
    let purchase = try Purchase(
      transaction(["revocationDate": .number(JSONNumber(text: "1764000000000.5")), "expiresDate": nil, "isUpgraded": true]))
    #expect(purchase.originalTransactionID == "2000000123456789" && purchase.transactionID == "2000000123456790")
    #expect(purchase.purchasedAt == 1_760_000_000_000 && purchase.signedAt == 1_764_547_200_000)
    #expect(purchase.revokedAt == 1_764_000_000_000 && purchase.expiresAt == nil && purchase.isUpgraded)
    #expect(try Purchase(transaction(["inAppOwnershipType": "FAMILY_SHARED"])).ownership == .familyShared)
    // New values and members are no reason to refuse; null is as good as absent.
    for changes: [String: JSON?] in [["inAppOwnershipType": "LENT"], ["inAppOwnershipType": nil], ["inAppOwnershipType": .null]] {
      #expect(try Purchase(transaction(changes)).ownership == nil)
    }
    #expect(try Purchase(transaction(["revocationDate": .null, "type": "Loan", "new": [1]])).revokedAt == nil)
  }

  @Test("what has another form than the App Store writes is refused, never passed over")
  func forms() {
    for name in ["transactionId", "originalTransactionId", "bundleId", "productId", "environment", "purchaseDate", "signedDate"] {
      for value: JSON? in [nil, .null, [], true, ""] {
        #expect(
          refusal { _ = try Purchase(transaction([name: value])) } == "error.iap.restore_failed not_a_transaction", "\(name)")
      }
    }
    for name in ["purchaseDate", "signedDate", "expiresDate", "revocationDate"] {
      for value: JSON in ["1764547200000", 0, -1, 253_402_300_800_000, .number(JSONNumber(text: "1e400")), true] {
        #expect(
          refusal { _ = try Purchase(transaction([name: value])) } == "error.iap.restore_failed not_a_transaction", "\(name)")
      }
    }
    #expect(refusal { _ = try Purchase(transaction(["isUpgraded": "true"])) } != nil)
    #expect(refusal { _ = try Purchase(transaction(["inAppOwnershipType": 1])) } != nil)
    #expect(refusal { _ = try Purchase(transaction(["bundleId": "com.kindverb.app\0"])) } != nil)
    #expect(refusal { _ = try Purchase(transaction(["transactionId": .string(String(repeating: "1", count: 256))])) } != nil)
  }

  @Test func whichAreOurs() throws {
    let rules = PurchaseRules()
    func refused(_ changes: [String: JSON?], _ rules: PurchaseRules = rules, at now: Int64? = nil) -> String? {
      refusal { try rules.require(try Purchase(transaction(changes)), now ?? self.now) }
    }
    #expect(refused([:]) == nil)
    for bundle in ["com.kindverb.App", "com.kindverb.app.", "com.other"] {
      #expect(refused(["bundleId": .string(bundle)]) == "error.iap.other_app")
    }
    #expect(refused(["productId": "kindverb.pro.monthly"]) == "error.iap.other_product")
    for environment in ["Sandbox", "Xcode", "LocalTesting", "production", "New"] {
      #expect(refused(["environment": .string(environment)]) == "error.iap.other_environment")
      let switched = PurchaseRules(allowsSandbox: true)
      #expect((refused(["environment": .string(environment)], switched) == nil) == (environment == "Sandbox"))
    }
    #expect(refused([:], PurchaseRules(bundleID: "org.example")) == "error.iap.other_app")
    let signed: Int64 = 1_764_547_200_000
    #expect(refused(["purchaseDate": .number(JSONNumber(Int(signed) + 300_000))]) == nil)
    #expect(refused(["purchaseDate": .number(JSONNumber(Int(signed) + 300_001))]) == "error.iap.verify_failed dates")
    #expect(refused([:], at: signed - 86_400_000) == nil)
    #expect(refused([:], at: signed - 86_400_001) == "error.iap.date_ahead")
    // What was revoked is ours as well: it has to lock.
    #expect(refused(["revocationDate": 1_764_000_000_000]) == nil)
  }

  @Test func whatTheyMean() throws {
    func state(_ changes: [String: JSON?], _ rules: PurchaseRules = PurchaseRules()) throws -> ProofState {
      rules.state(of: try Purchase(transaction(changes)), at: now)
    }
    #expect(try state([:]) == .active)
    #expect(try state(["inAppOwnershipType": "FAMILY_SHARED"]) == .active)
    #expect(try state(["revocationDate": 1]) == .revoked)
    #expect(try state(["revocationDate": 1, "isUpgraded": true, "expiresDate": 1]) == .revoked)
    #expect(try state(["isUpgraded": true]) == .upgraded)
    #expect(try state(["isUpgraded": false]) == .active)
    #expect(try state(["expiresDate": .number(JSONNumber(Int(now)))]) == .expired)
    #expect(try state(["expiresDate": .number(JSONNumber(Int(now) + 1))]) == .active)
    #expect(try state(["environment": "Sandbox"]) == .notAccepted)
    #expect(try state(["environment": "Sandbox"], PurchaseRules(allowsSandbox: true)) == .active)
    #expect(try state([:], PurchaseRules(bundleID: "org.example")) == .notAccepted)
  }

  @Test func theNewerWordCounts() throws {
    let (plain, revoked) = (try Purchase(transaction()), try Purchase(transaction(["revocationDate": 1])))
    var later = plain
    later.signedAt += 1
    #expect(PurchaseRules.isNewer(later, than: plain) && !PurchaseRules.isNewer(plain, than: later))
    #expect(PurchaseRules.isNewer(later, than: revoked) && !PurchaseRules.isNewer(revoked, than: later))
    #expect(PurchaseRules.isNewer(revoked, than: plain) && !PurchaseRules.isNewer(plain, than: revoked))
    #expect(!PurchaseRules.isNewer(plain, than: plain) && !PurchaseRules.isNewer(revoked, than: revoked))
  }

  @Test func onlyAppleIsTrusted() throws {
    let sums = PurchaseRoots.apple.map(SHA256.hex)
    #expect(sums == ["63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"])
  }

  @Test func whatThePlansAllow() {
    let (free, pro) = (Entitlement(plan: .free), Entitlement(plan: .pro))
    #expect(free.aiDraftsPerDay == 1 && pro.aiDraftsPerDay == 10)
    #expect((1...40).filter(free.allows(expiresInDays:)) == [7] && (1...40).filter(pro.allows(expiresInDays:)) == [3, 7, 30])
    #expect(free.shareExpiryDays.first == 7 && pro.shareExpiryDays.first == 7)
  }
}
