/// Which AI writes drafts, where it may.
public struct AIService: Equatable, Sendable {
  /// The service's address, `https://host[:port]`.
  public var address: String
  /// The version in its paths.
  public var version: String
  /// The model's id. Models are retired, so it is no constant.
  public var model: String

  /// A service of these parts.
  public init(
    address: String = "https://generativelanguage.googleapis.com", version: String = "v1beta",
    model: String = "gemini-2.5-flash-lite"
  ) {
    self.address = address
    self.version = version
    self.model = model
  }

  /// The host of the address, without its port.
  public var host: String { serviceHost(address) }

  /// Where a whole answer is asked for.
  func generateURL() -> String { "\(address)/\(version)/models/\(model):generateContent" }

  /// Where an answer is asked for piece by piece.
  func streamURL() -> String { "\(address)/\(version)/models/\(model):streamGenerateContent?alt=sse" }
}
