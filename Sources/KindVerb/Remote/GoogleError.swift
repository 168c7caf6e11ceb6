import JSON

/// What a service of Google's says when it does not do what it was asked: the error object of its REST APIs, wrapped in a list or not. A
/// front end may answer with something else, such as HTML: then there is nothing but the HTTP status.
struct GoogleError: Equatable {
  /// The HTTP status.
  let httpStatus: Int
  /// The canonical name, such as `ALREADY_EXISTS`; nil where the answer is no such object.
  let status: String?
  /// The reason in `ErrorInfo`, such as `API_KEY_INVALID`.
  let reason: String?
  /// When it may be tried again, in milliseconds: `RetryInfo`.
  let retryAfterMs: Int?
  /// Whether a quota of a whole day is used up.
  let isDaily: Bool
  /// Whether a quota is nothing at all: what was asked for is not to be had.
  let isWithoutQuota: Bool

  /// Reads an answer's body.
  init(httpStatus: Int, body: [UInt8]) {
    let json = try? JSON(parsing: body)
    self.init(httpStatus: httpStatus, error: json?["error"] ?? json?[0]?["error"])
  }

  /// Reads the error object itself.
  init(httpStatus: Int, error: JSON?) {
    self.httpStatus = httpStatus
    status = error?["status"]?.stringValue
    let details = error?["details"]?.arrayValue ?? []
    func detail(_ type: String) -> JSON? {
      details.first { $0["@type"]?.stringValue == "type.googleapis.com/google.rpc.\(type)" }
    }
    reason = detail("ErrorInfo")?["reason"]?.stringValue
    retryAfterMs = detail("RetryInfo")?["retryDelay"]?.stringValue.flatMap(Self.milliseconds)
    let violations = detail("QuotaFailure")?["violations"]?.arrayValue ?? []
    isDaily = violations.contains { $0["quotaId"]?.stringValue?.contains("PerDay") ?? false }
    isWithoutQuota = violations.contains { $0["quotaValue"]?.stringValue == "0" }
  }

  /// A protobuf duration (`37.5s`): decimal seconds with up to nine digits after the point. Clamped to 0…a day; nil if it is none.
  static func milliseconds(_ duration: String) -> Int? {
    guard duration.hasSuffix("s"), let seconds = Double(duration.dropLast()), seconds.isFinite else { return nil }
    return Int(min(max(0, seconds), 86_400) * 1_000)
  }
}
