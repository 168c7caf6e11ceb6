import EventLoop
import HTTP
import KindVerb
import KindVerbAPI
import Outbox

/// Sends letters to the service that shows them, one attempt each, and says what came of it.
@DaemonActor
struct ShareSender {
  /// How long an attempt may take, in milliseconds.
  static let limits = HTTPLimits(connect: 10_000, firstByte: 20_000, idle: 10_000, total: 45_000, responseBytes: 256 << 10)
  /// The longest wait that the service can ask for, in milliseconds.
  static let longestWish = OutboxRule.longestWish

  let network: Network
  let service: ShareService
  let key: Secret?
  let now: @Sendable () -> Int64

  /// One attempt.
  func send(_ call: FirestoreCommit, _ item: OutboxItem) async -> Delivery {
    do {
      let answer = try await network.send(request(.post, call.url, call.body))
      let step = FirestoreVerdict.ofCommit(
        status: answer.status, body: answer.body, retryAfterMs: answer.retryAfter(now: now(), cap: Self.longestWish),
        serverTime: answer.serverTime, expireAt: call.expireAt, mayHaveArrived: item.mayHaveArrived, rules: service.rules)
      switch step {
      case .settled(let delivery): return delivery
      case .look: return try await look(call)
      }
    } catch { return Self.delivery(of: error) }
  }

  private func look(_ call: FirestoreCommit) async throws(HTTPFailure) -> Delivery {
    let answer = try await network.send(request(.get, call.lookURL, []))
    return FirestoreVerdict.ofLook(
      status: answer.status, body: answer.body, retryAfterMs: answer.retryAfter(now: now(), cap: Self.longestWish))
  }

  private func request(_ method: HTTPRequest.Method, _ url: String, _ body: [UInt8]) -> HTTPRequest {
    HTTPRequest(
      method, url, headers: method == .post ? [("Content-Type", "application/json")] : [],
      secretHeaders: key.map { [("x-goog-api-key", $0)] } ?? [], body: body, limits: Self.limits)
  }

  /// What a failure below HTTP means.
  static func delivery(of failure: HTTPFailure) -> Delivery {
    let error: ErrorKey =
      switch failure.reason {
      case .connectTimeout, .firstByteTimeout, .idleTimeout, .totalTimeout: .networkTimeout
      case .tls: .networkInsecure
      case .notAllowed: .shareNotConfigured
      case .unavailable: .networkNotInstalled
      default: .networkUnavailable
      }
    if failure.reason == .notAllowed { return .refused(error) }
    return failure.mayHaveBeenSent ? .unconfirmed(error, mayHaveArrived: true) : .notReached(error)
  }
}
