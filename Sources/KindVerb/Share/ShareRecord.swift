import Cryptography
import KindVerbAPI
import Outbox

/// A link to a letter, as the store keeps it.
public struct ShareRecord: Equatable, Sendable {
  /// The row, which orders links by when they were asked for.
  public let row: Int64
  /// The link's id, and the document's: a UUID of version 4, since who knows it can read the letter.
  public let id: String
  /// The letter's row.
  public let letterRow: Int64
  /// The letter's id.
  public let letterID: String
  /// How far it is.
  public var item: OutboxItem
  /// SHA-256 of the text that is sent.
  public let contentHash: String
  /// The days that were asked for.
  public var expiresInDays: Int
  /// When the document says that it expires, in milliseconds since 1970; fixed with the first attempt that may have arrived.
  public var expireAt: Int64?
  /// Whether the service said that it is there.
  public var isConfirmed: Bool
  /// The link; nil until it is there.
  public var url: String?

  /// Whether it is there, and not expired at an instant.
  public func lives(at now: Int64) -> Bool { item.state == .succeeded && (expireAt ?? 0) > now }

  /// Until when it can, or may, still be read at the service, in milliseconds since 1970; nil if it never got there, or has expired.
  func livesUntil(_ now: Int64) -> Int64? {
    guard item.state == .succeeded || item.state == .uploading || item.mayHaveArrived else { return nil }
    return expireAt.flatMap { $0 > now ? $0 : nil }
  }

  /// Whether nothing more can be found out about it: it may have arrived, and would have expired by now.
  public func isUnresolvable(at now: Int64) -> Bool {
    item.state != .succeeded && item.mayHaveArrived && (expireAt ?? .max) <= now
  }
}

/// The rules of links: values in, values out.
enum ShareRules {
  /// A document's text is shorter than this many UTF-16 units (PRD 11.2: `size() < 10000`; whichever way a rule counts, there are
  /// no more of its characters than of these units).
  static let units = 10_000
  /// The most bytes that the service's rules take.
  static let bytes = 40_000
  /// SHA-256 of the text that is sent, in hexadecimal digits.
  static func hash(_ text: String) -> String { SHA256.hex(of: Array(text.utf8)) }

  /// Refuses what the service would refuse: `error.share.too_long`.
  static func check(_ text: String) throws(APIError) {
    if text.utf16.count >= units { throw tooLong(units - 1, "utf16") }
    if text.utf8.count > bytes { throw tooLong(bytes, "bytes") }
  }

  private static func tooLong(_ limit: Int, _ unit: String) -> APIError {
    var failure = APIError(.shareTooLong, field: "letterId")
    failure.limit = limit
    failure.unit = unit
    return failure
  }

  /// The days that were asked for, if they can be chosen.
  static func days(_ asked: Int?, _ entitlement: Entitlement) throws(APIError) -> Int {
    guard let asked else { return entitlement.shareExpiryDays.first ?? 7 }
    let choices = Entitlement(plan: .pro).shareExpiryDays
    guard choices.contains(asked) else {
      var failure = APIError(.shareExpiryInvalid, field: "expiresInDays")
      failure.expected = choices.map(String.init).joined(separator: ", ")
      throw failure
    }
    guard entitlement.allows(expiresInDays: asked) else { throw APIError(.entitlementProRequired, field: "expiresInDays") }
    return asked
  }
}
