import KindVerbAPI

/// Why there is no draft of an AI's: an error of the contract, and when it makes sense to ask again.
public struct AIFailure: Error, Equatable, Sendable {
  /// The error.
  public let key: ErrorKey
  /// When to ask again, in milliseconds; nil where nothing says so.
  public var retryAfterMs: Int?

  /// A failure.
  public init(_ key: ErrorKey, retryAfterMs: Int? = nil) {
    self.key = key
    self.retryAfterMs = retryAfterMs
  }

  /// The longest wait that a service can ask for, in milliseconds: a day.
  public static let longestWish = 86_400_000
  /// The least wait where the quota of a day is used up: it comes back at midnight in California, and nobody asks every minute until then.
  static let dailyMilliseconds = 3_600_000

  /// What an answer other than 200 means. `retryAfterMs` is what its `Retry-After` asks for.
  public init(status: Int, body: [UInt8], retryAfterMs: Int?) {
    self.init(GoogleError(httpStatus: status, body: body), retryAfterMs)
  }

  init(_ error: GoogleError, _ retryAfterMs: Int? = nil) {
    let wish = [retryAfterMs, error.retryAfterMs].compactMap { $0 }.max().map { min($0, Self.longestWish) }
    switch (error.httpStatus, error.status) {
    case (_, "RESOURCE_EXHAUSTED"), (429, _):
      if error.isWithoutQuota {
        self.init(.aiNoQuota)
      } else {
        self.init(.aiRateLimited, retryAfterMs: error.isDaily ? max(wish ?? 0, Self.dailyMilliseconds) : wish)
      }
    case (400, _) where error.reason == "API_KEY_INVALID": self.init(.aiKeyRejected)
    case (_, "FAILED_PRECONDITION"): self.init(.aiNotAvailableHere)
    case (401, _), (403, _): self.init(.aiKeyRejected)
    case (404, "NOT_FOUND"): self.init(.aiModelUnknown)
    case (400, _), (404, _), (405, _), (413, _): self.init(.aiRequestRefused)
    default: self.init(.aiServiceUnavailable, retryAfterMs: wish)
    }
  }
}
