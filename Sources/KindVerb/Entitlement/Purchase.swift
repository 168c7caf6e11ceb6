import Cryptography
import JSON
import KindVerbAPI

/// What a transaction of the App Store says of a purchase, as far as it matters here. Instants are milliseconds since 1970.
struct Purchase: Equatable {
  /// The purchase's number, the same in every transaction that tells of it.
  var originalTransactionID: String
  /// The transaction's own number.
  var transactionID: String
  var bundleID: String
  var productID: String
  var environment: String
  /// Nil where it is told in words that are not known.
  var ownership: Ownership?
  var purchasedAt: Int64
  var signedAt: Int64
  var expiresAt: Int64?
  var revokedAt: Int64?
  var isUpgraded: Bool
}

extension Purchase {
  /// What a verified payload says; `error.iap.restore_failed` if it is no transaction, or says things in another form than the App
  /// Store does. Members that are not known, and values of what is open to new ones, are passed over.
  init(_ payload: JSONObject) throws(APIError) {
    let fields = PayloadFields(payload)
    originalTransactionID = try fields.text("originalTransactionId")
    transactionID = try fields.text("transactionId")
    bundleID = try fields.text("bundleId")
    productID = try fields.text("productId")
    environment = try fields.text("environment")
    switch try fields.optionalText("inAppOwnershipType") {
    case "PURCHASED": ownership = .purchased
    case "FAMILY_SHARED": ownership = .familyShared
    default: ownership = nil
    }
    purchasedAt = try fields.instant("purchaseDate")
    signedAt = try fields.instant("signedDate")
    expiresAt = try fields.optionalInstant("expiresDate")
    revokedAt = try fields.optionalInstant("revocationDate")
    isUpgraded = try fields.flag("isUpgraded")
  }

  /// When a payload that nobody has verified says it was signed; nil if it does not.
  static func signedAt(_ payload: JSONObject) -> Int64? { try? PayloadFields(payload).instant("signedDate") }
}

/// The members of a payload. A value of another type than the App Store writes is refused: to pass over a date of revocation that is spelt
/// in a new way would unlock what is locked.
struct PayloadFields {
  /// The latest instant that is taken: the end of the year 9999.
  private static let end = 253_402_300_800_000.0
  private static let longest = 255

  private let payload: JSONObject

  init(_ payload: JSONObject) { self.payload = payload }

  static var refusal: APIError {
    var failure = APIError(.iapRestoreFailed, field: "signedTransaction")
    failure.reason = "not_a_transaction"
    return failure
  }

  private func value(_ name: String) -> JSON? {
    guard let value = payload[name], !value.isNull else { return nil }
    return value
  }

  func optionalText(_ name: String) throws(APIError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.stringValue, (1...Self.longest).contains(text.utf8.count), !text.utf8.contains(0) else {
      throw Self.refusal
    }
    return text
  }

  func text(_ name: String) throws(APIError) -> String {
    guard let text = try optionalText(name) else { throw Self.refusal }
    return text
  }

  /// A number of milliseconds; test data of Xcode's has fractions.
  func optionalInstant(_ name: String) throws(APIError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .number(let number) = value, let milliseconds = number.double, milliseconds >= 1, milliseconds < Self.end else {
      throw Self.refusal
    }
    return Int64(milliseconds)
  }

  func instant(_ name: String) throws(APIError) -> Int64 {
    guard let instant = try optionalInstant(name) else { throw Self.refusal }
    return instant
  }

  func flag(_ name: String) throws(APIError) -> Bool {
    guard let value = value(name) else { return false }
    guard let flag = value.boolValue else { throw Self.refusal }
    return flag
  }

  /// Seconds since 1970, as JWT writes them (RFC 7519), in milliseconds.
  func optionalSeconds(_ name: String) throws(APIError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .number(let number) = value, let seconds = number.double, seconds.magnitude < Self.end / 1_000 else {
      throw Self.refusal
    }
    return Int64(seconds * 1_000)
  }
}
