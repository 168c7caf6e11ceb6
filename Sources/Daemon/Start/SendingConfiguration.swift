import Glibc
import HTTP
import KindVerb

/// What the configuration says of the ways out of the machine; as it comes, those of production.
///
///     {
///       ai: { baseUrl: "https://generativelanguage.googleapis.com", model: "gemini-2.5-flash-lite", keyFile: "…/gemini-key" },
///       share: {
///         project: "my-letters", // none, and nothing can be shared
///         firestoreUrl: "https://firestore.googleapis.com", linkBase: "https://kindverb.com", rules: "createOnly", keyFile: "…",
///       },
///       network: { caFile: "/etc/my-authority.pem" }, // in the place of the system's authorities
///     }
struct SendingConfiguration: Equatable, Sendable {
  var ai = AIService()
  var aiKeyFile: String?
  var share = ShareService()
  var shareKeyFile: String?
  var caFile: String?

  init() {}

  /// Reads one of the sections `ai`, `share` and `network`.
  mutating func read(_ section: String, _ value: ConfigurationValue) throws(ConfigurationError) {
    for (inner, value) in try value.members(section) {
      let name = "\(section).\(inner)"
      switch name {
      case "ai.baseUrl": ai.address = try value.origin(name)
      case "ai.model": ai.model = try value.word(name, expected: "gemini-2.5-flash-lite", marks: "-._")
      case "ai.keyFile": aiKeyFile = try value.path(name)
      case "share.project": share.project = try value.word(name, expected: "my-project", marks: "-")
      case "share.firestoreUrl": share.address = try value.origin(name)
      case "share.linkBase": share.linkBase = try value.link(name)
      case "share.rules": share.rules = try value.rules(name)
      case "share.keyFile": shareKeyFile = try value.path(name)
      case "network.caFile": caFile = try value.file(name)
      default: throw ConfigurationError(member: name, expected: Self.members(of: section))
      }
    }
  }

  private static func members(of section: String) -> String {
    switch section {
    case "ai": "baseUrl, model, keyFile"
    case "share": "project, firestoreUrl, linkBase, rules, keyFile"
    default: "caFile"
    }
  }
}

extension ConfigurationValue {
  private func text(_ name: String, expected: String) throws(ConfigurationError) -> String {
    guard case .string(let text) = self else { throw ConfigurationError(member: name, expected: expected) }
    return text
  }

  /// `https://host[:port]`, with nothing after it; a slash at the end is taken off.
  fileprivate func origin(_ name: String) throws(ConfigurationError) -> String {
    let expected = "https://host"
    var text = try text(name, expected: expected)
    if text.hasSuffix("/") { text.removeLast() }
    guard HTTPOrigin(text) != nil, !text.dropFirst("https://".count).contains(where: { $0 == "/" || $0 == "?" }) else {
      throw ConfigurationError(member: name, expected: expected)
    }
    return text
  }

  /// The beginning of links: `https://…`, without a question mark; a slash at the end is taken off.
  fileprivate func link(_ name: String) throws(ConfigurationError) -> String {
    let expected = "https://host/path"
    var text = try text(name, expected: expected)
    while text.hasSuffix("/") { text.removeLast() }
    guard HTTPOrigin(text) != nil, !text.contains("?") else { throw ConfigurationError(member: name, expected: expected) }
    return text
  }

  /// 1–128 letters and digits of ASCII, and some marks between them.
  fileprivate func word(_ name: String, expected: String, marks: String) throws(ConfigurationError) -> String {
    let text = try text(name, expected: expected)
    let isWord = text.utf8.allSatisfy { byte in
      let letter = byte | 0x20
      return (0x61...0x7A).contains(letter) || (0x30...0x39).contains(byte) || marks.utf8.contains(byte)
    }
    guard isWord, (1...128).contains(text.utf8.count), text.utf8.first != UInt8(ascii: ".") else {
      throw ConfigurationError(member: name, expected: expected)
    }
    return text
  }

  fileprivate func path(_ name: String) throws(ConfigurationError) -> String {
    let text = try text(name, expected: "/path/to/file")
    guard text.hasPrefix("/"), !text.utf8.contains(0) else { throw ConfigurationError(member: name, expected: "/path/to/file") }
    return text
  }

  /// The path of a file that is there. A pipe, a device or a directory would have whoever reads it wait, or find nothing.
  fileprivate func file(_ name: String) throws(ConfigurationError) -> String {
    let path = try path(name)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationError(member: name, expected: "/path/to/file")
    }
    return path
  }

  fileprivate func rules(_ name: String) throws(ConfigurationError) -> ShareService.Rules {
    let expected = ShareService.Rules.allCases.map(\.rawValue).joined(separator: ", ")
    guard let rules = ShareService.Rules(rawValue: try text(name, expected: expected)) else {
      throw ConfigurationError(member: name, expected: expected)
    }
    return rules
  }
}
