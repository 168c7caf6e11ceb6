import CCurl
import EventLoop
import Glibc

/// Requests over libcurl, on the loop: it never waits, and where there is nothing to send it costs nothing. The library is loaded for the
/// first request.
///
/// Connections are kept for a minute after the last transfer and closed together, so that nothing wakes an idle process after that.
/// Proxies are the environment's (`HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`), as libcurl reads them. The process must pass `SIGPIPE` over.
@DaemonActor
public final class HTTPClient {
  /// Which certificates are believed.
  public enum Trust: Sendable {
    /// The system's authorities.
    case system
    /// The authorities in a file of PEM certificates, and no others.
    case file(String)
  }

  private let allowed: Set<HTTPOrigin>
  private let trust: Trust
  private var multi: Multi?
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
  private var closing: TimerSource?

  private let keptSeconds: Int
  /// The system keeps its authorities as files of hashed names, too.
  static let hasCertificateDirectory: Bool = {
    guard let path = kv_curl_certificate_directory(), let directory = opendir(path) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.count == 10, name.hasSuffix(".0") { return true }
    }
    return false
  }()

  /// A client that may send to these hosts and to no others, and keeps its connections for so many seconds (at least 1). It touches
  /// nothing yet.
  public init(allowed: Set<HTTPOrigin>, trust: Trust = .system, keptSeconds: Int = 60) {
    self.allowed = allowed
    self.trust = trust
    self.keptSeconds = max(1, keptSeconds)
  }

  /// Sends a request and waits for the answer, whatever its status.
  ///
  /// Cancelling the task ends it at once, whatever it is doing, and closes its connection.
  ///
  /// - Parameter onBody: gets the pieces of the body as they come, whatever the status is; the answer has them all once more. It may not
  ///   block.
  public func send(
    _ request: HTTPRequest, onBody: (@DaemonActor ([UInt8]) -> Void)? = nil
  ) async throws(HTTPFailure) -> HTTPResponse {
    guard let target = HTTPTarget(request.url), allowed.contains(target.origin), let lines = request.headerLines else {
      throw HTTPFailure(.notAllowed)
    }
    if Task.isCancelled { throw HTTPFailure(.cancelled) }
    let call = Call()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.transfer = begin(request, lines, onBody) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      Task { @DaemonActor in call.transfer?.fail(.cancelled) }
    }
    return try result.get()
  }

  /// Ends everything that is on its way, and closes the connections.
  public func cancelAll() {
    for transfer in transfers.values { transfer.fail(.cancelled) }
    close()
  }

  /// How many requests are on their way.
  public var inFlight: Int { transfers.count }

  /// What a task's cancellation has to find.
  @DaemonActor
  private final class Call {
    weak var transfer: Transfer?
    nonisolated init() {}
  }

  private func begin(
    _ request: HTTPRequest, _ lines: [String], _ onBody: (@DaemonActor ([UInt8]) -> Void)?,
    _ onEnd: @escaping @DaemonActor (Result<HTTPResponse, HTTPFailure>) -> Void
  ) -> Transfer? {
    closing?.disarm()
    let mayMeetItsEnd = multi?.hasEndedConnection ?? false
    if mayMeetItsEnd, transfers.isEmpty { multi = nil }
    guard let multi = multi ?? open(),
      let transfer = Transfer(
        request, lines, trust: trust, keptSeconds: mayMeetItsEnd ? 0 : keptSeconds, onBody: onBody,
        onEnd: { [weak self] transfer, result in
          self?.forget(transfer)
          onEnd(result)
        }),
      multi.add(transfer.handle)
    else {
      rest()
      onEnd(.failure(HTTPFailure(.unavailable)))
      return nil
    }
    transfers[transfer.handle] = transfer
    transfer.start()
    return transfer
  }

  private func open() -> Multi? {
    multi = Multi(
      onDone: { [weak self] handle, code in self?.transfers[handle]?.end(code) },
      onBroken: { [weak self] in self?.giveUp() })
    if closing == nil { closing = try? TimerSource { [weak self] in self?.close() } }
    return multi
  }

  private func forget(_ transfer: Transfer) {
    multi?.remove(transfer.handle)
    transfers[transfer.handle] = nil
    rest()
  }

  /// With nothing on its way, the connections are closed after a while.
  private func rest() {
    guard transfers.isEmpty, multi != nil else { return }
    // A twelfth earlier, for a timer that may be that much late.
    let slack = keptSeconds * 1_000 / 12
    if let closing { closing.arm(afterMilliseconds: keptSeconds * 1_000 - slack, slack: slack) } else { close() }
  }

  private func close() {
    guard transfers.isEmpty else { return }
    closing?.disarm()
    multi = nil
    // Fifty transfers at once leave 4 MiB to the allocator, which keeps them else.
    releaseFreeMemory()
  }

  private func giveUp() {
    for transfer in transfers.values { transfer.fail(.unavailable) }
    close()
  }

  isolated deinit { closing?.cancel() }
}
