/// Where letters are shared: a project of Firestore, and the page that shows what it holds.
public struct ShareService: Equatable, Sendable {
  /// What the project's rules allow, which decides what can be found out about an attempt that nobody answered.
  public enum Rules: String, CaseIterable, Sendable {
    /// To make a document, and nothing else.
    case createOnly
    /// To look at one whose id is known, too.
    case readable
  }

  /// The service's address, `https://host[:port]`.
  public var address: String
  /// The project; nil if none is configured: then nothing can be shared.
  public var project: String?
  /// What links begin with.
  public var linkBase: String
  /// What the project's rules allow.
  public var rules: Rules

  /// A service of these parts; as it comes, without a project.
  public init(
    address: String = "https://firestore.googleapis.com", project: String? = nil, linkBase: String = "https://kindverb.com",
    rules: Rules = .createOnly
  ) {
    self.address = address
    self.project = project
    self.linkBase = linkBase
    self.rules = rules
  }

  /// The host of the address, without its port.
  public var host: String { serviceHost(address) }

  /// The link to a document.
  func link(to id: String) -> String { "\(linkBase)/letter/\(id)" }

  /// The name of a document, as Firestore has it; nil without a project.
  func documentName(_ id: String) -> String? { documents.map { "\($0)/letters/\(id)" } }

  /// The address of a call on all documents; nil without a project.
  func commitURL() -> String? { documents.map { "\(address)/v1/\($0):commit" } }

  /// The address at which one can ask whether a document is there; nil without a project.
  func lookURL(_ id: String) -> String? { documentName(id).map { "\(address)/v1/\($0)?mask.fieldPaths=createdAt" } }

  private var documents: String? { project.map { "projects/\($0)/databases/(default)/documents" } }
}
