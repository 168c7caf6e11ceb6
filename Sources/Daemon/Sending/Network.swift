import EventLoop
import HTTP

/// The way out of the machine. Nothing of it is set up before the first request.
@DaemonActor
final class Network {
  /// Where requests may go, and whom the machine trusts besides itself.
  struct Settings: Equatable, Sendable {
    /// Certificates of authorities, PEM, in the place of the system's: for a server of one's own.
    var caFile: String?
    /// The addresses, `https://host[:port]`, that are called.
    var addresses: [String] = []
  }

  /// What the configuration says. Another word of it counts from the next request on.
  var settings = Settings() {
    didSet { if settings != oldValue { close() } }
  }
  private var client: HTTPClient?

  init() {}

  /// Sends a request and waits for the whole answer; `onBody` gets its pieces as they come.
  func send(
    _ request: HTTPRequest, onBody: (@DaemonActor ([UInt8]) -> Void)? = nil
  ) async throws(HTTPFailure) -> HTTPResponse {
    try await ready().send(request, onBody: onBody)
  }

  /// Ends what is on its way, and forgets connections.
  func close() {
    client?.cancelAll()
    client = nil
  }

  private func ready() -> HTTPClient {
    if let client { return client }
    let trust = settings.caFile.map { HTTPClient.Trust.file($0) } ?? .system
    let made = HTTPClient(allowed: Set(settings.addresses.compactMap(HTTPOrigin.init)), trust: trust)
    client = made
    return made
  }
}
