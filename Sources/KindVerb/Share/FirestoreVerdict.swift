import JSON
import KindVerbAPI
import Outbox

/// What an answer of Firestore means for a letter that must be there once. By the canonical status, not by the HTTP code, which stands
/// for several.
public enum FirestoreVerdict {
  /// What follows an answer.
  public enum Step: Equatable, Sendable {
    /// That is what came of the attempt.
    case settled(Delivery)
    /// An earlier attempt may have arrived, and this one was refused, as what exists already is: looking decides.
    case look
  }

  /// What the answer to a commit means.
  ///
  /// - Parameters:
  ///   - status: the HTTP status.
  ///   - body: the answer's body.
  ///   - retryAfterMs: what the answer's `Retry-After` asks for.
  ///   - serverTime: the service's clock, in milliseconds since 1970, if it told.
  ///   - expireAt: when the letter says that it expires.
  ///   - mayHaveArrived: whether an earlier attempt under this id may have arrived.
  ///   - rules: what the project's rules allow.
  public static func ofCommit(
    status: Int, body: [UInt8], retryAfterMs: Int?, serverTime: Int64? = nil, expireAt: Int64 = 0, mayHaveArrived: Bool,
    rules: ShareService.Rules
  ) -> Step {
    if (200..<300).contains(status) {
      let isTaken = (try? JSON(parsing: body))?["writeResults"]?.arrayValue?.count == 1
      return .settled(isTaken ? .delivered() : .unconfirmed(.linkUnconfirmed, mayHaveArrived: true))
    }
    let error = GoogleError(httpStatus: status, body: body)
    let wish = [retryAfterMs, error.retryAfterMs].compactMap { $0 }.max()
    switch error.status {
    case "ALREADY_EXISTS": return .settled(.delivered())
    case "PERMISSION_DENIED": return untimely(serverTime, expireAt, mayHaveArrived) ?? refusal(mayHaveArrived, rules)
    case "UNAUTHENTICATED": return .settled(.refused(.linkPermissionDenied))
    case "INVALID_ARGUMENT":
      return .settled(.refused(error.reason == "API_KEY_INVALID" ? .linkPermissionDenied : .linkInvalidContent))
    case "FAILED_PRECONDITION", "NOT_FOUND": return .settled(.refused(.linkServiceMisconfigured))
    case "RESOURCE_EXHAUSTED": return .settled(.unconfirmed(.linkRateLimited, mayHaveArrived: false, retryAfterMs: wish))
    case "ABORTED": return .settled(.unconfirmed(.networkUnavailable, mayHaveArrived: false, retryAfterMs: wish))
    default: return byCode(status, wish, mayHaveArrived)
    }
  }

  /// A front end's answer, or a status that is not known here.
  private static func byCode(_ status: Int, _ wish: Int?, _ mayHaveArrived: Bool) -> Step {
    switch status {
    // Who refuses everything at the door says nothing of what got through before.
    case 400..<500 where mayHaveArrived && status != 429:
      .settled(.unconfirmed(.linkUnconfirmed, mayHaveArrived: false, retryAfterMs: wish))
    case 429: .settled(.unconfirmed(.linkRateLimited, mayHaveArrived: false, retryAfterMs: wish))
    case 400, 411, 413, 414: .settled(.refused(.linkInvalidContent))
    case 401, 403: .settled(.refused(.linkPermissionDenied))
    case 404, 405, 410: .settled(.refused(.linkServiceMisconfigured))
    case 500...: .settled(.unconfirmed(.networkUnavailable, mayHaveArrived: true, retryAfterMs: wish))
    default: .settled(.unconfirmed(.linkUnconfirmed, mayHaveArrived: true, retryAfterMs: wish))
    }
  }

  /// The longest that the rules let a letter live, in milliseconds: 31 days.
  private static let longestLife: Int64 = 31 * 86_400_000

  /// Whether the service refused a letter for its end, which a clock that is wrong has reckoned: by the service's own clock it has passed,
  /// or lies further ahead than the rules allow.
  private static func untimely(_ serverTime: Int64?, _ expireAt: Int64, _ mayHaveArrived: Bool) -> Step? {
    guard let serverTime else { return nil }
    if expireAt > serverTime + longestLife { return .settled(.refused(.linkClockWrong, isAbsent: true)) }
    guard expireAt <= serverTime else { return nil }
    return .settled(mayHaveArrived ? .refused(.shareUnresolved) : .refused(.linkClockWrong, isAbsent: true))
  }

  private static func refusal(_ mayHaveArrived: Bool, _ rules: ShareService.Rules) -> Step {
    guard mayHaveArrived else { return .settled(.refused(.linkPermissionDenied)) }
    // To rules that allow nothing but making, a write to what exists is a change, which they refuse: most likely it is there, and to
    // say "refused" would have a person send it twice.
    return rules == .readable ? .look : .settled(.delivered(isConfirmed: false))
  }

  /// What the answer to looking means.
  public static func ofLook(status: Int, body: [UInt8], retryAfterMs: Int?) -> Delivery {
    if status == 200, (try? JSON(parsing: body))?["name"]?.stringValue != nil { return .delivered() }
    let error = GoogleError(httpStatus: status, body: body)
    switch error.status {
    case "NOT_FOUND": return .refused(.linkPermissionDenied, isAbsent: true)
    case "PERMISSION_DENIED", "UNAUTHENTICATED": return .delivered(isConfirmed: false)
    default: return .unconfirmed(.networkUnavailable, mayHaveArrived: true, retryAfterMs: retryAfterMs)
    }
  }
}
