import FoundationEssentials
import Glibc
import JSON
import KindVerb
import KindVerbAPI

/// What `config.json5` says. Every member may be left out.
///
///     {
///       language: "ko",              // where neither a call nor a setting names one; otherwise the locale
///       backup: { automatic: true }, // one copy a day while something changes
///       // Run when a reminder is clicked, without a shell.
///       reminder: {
///         command: [
///           "systemd-run", "--user", "--collect", "-E", "KINDVERB_DATE", "-E", "KINDVERB_SLOT", "foot", "-e", "kindverb", "bp",
///         ],
///       },
///       notification: { command: ["systemd-run", "--user", "foot"] }, // the same for a quiet notification
///       entitlement: { bundleId: "com.kindverb.app", sandbox: false }, // which purchases unlock Pro
///       limits: { partialLineMs: 60000, stalledOutputMs: 10000 },
///     }
struct Configuration: Equatable, Sendable {
  var language: Language?
  var backsUpAutomatically = true
  var reminderCommand: [String] = []
  var notificationCommand: [String] = []
  var purchaseRules = PurchaseRules()
  var sending = SendingConfiguration()
  var partialLineMs: Int?
  var stalledOutputMs: Int?

  /// No wishes.
  init() {}

  /// Reads JSON5 text; a member that is not known, or of the wrong type, is an error that names it.
  init(text: [UInt8]) throws(ConfigurationError) {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    guard let root = try? decoder.decode(ConfigurationValue.self, from: Data(text)) else {
      throw ConfigurationError(member: "JSON5")
    }
    for (name, value) in try root.members("config.json5") {
      switch name {
      case "language": language = try value.language(name)
      case "backup":
        for (inner, value) in try value.members(name) {
          guard inner == "automatic" else { throw ConfigurationError(member: "backup.\(inner)", expected: "automatic") }
          backsUpAutomatically = try value.truth("backup.\(inner)")
        }
      case "reminder", "notification":
        for (inner, value) in try value.members(name) {
          guard inner == "command" else { throw ConfigurationError(member: "\(name).\(inner)", expected: "command") }
          let command = try value.texts("\(name).\(inner)")
          if name == "reminder" { reminderCommand = command } else { notificationCommand = command }
        }
      case "entitlement":
        for (inner, value) in try value.members(name) {
          switch inner {
          case "bundleId": purchaseRules.bundleID = try value.bundleID("entitlement.\(inner)")
          case "sandbox": purchaseRules.allowsSandbox = try value.truth("entitlement.\(inner)")
          default: throw ConfigurationError(member: "entitlement.\(inner)", expected: "bundleId, sandbox")
          }
        }
      case "ai", "share", "network": try sending.read(name, value)
      case "limits":
        for (inner, value) in try value.members(name) {
          switch inner {
          case "partialLineMs": partialLineMs = try value.milliseconds("limits.\(inner)")
          case "stalledOutputMs": stalledOutputMs = try value.milliseconds("limits.\(inner)")
          default: throw ConfigurationError(member: "limits.\(inner)", expected: "partialLineMs, stalledOutputMs")
          }
        }
      default:
        throw ConfigurationError(
          member: name, expected: "language, backup, reminder, notification, entitlement, ai, share, network, limits")
      }
    }
  }

  /// Reads the file; nil if there is none.
  static func read(_ path: String) throws(ConfigurationError) -> Configuration? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
    // A file that is there and cannot be read must not be passed over as if nothing had been wished for.
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw ConfigurationError(member: systemMessage(errno)) }
    return try Configuration(text: Array(data))
  }
}

/// What is wrong with the configuration: the member, and what may stand there.
struct ConfigurationError: Error, Equatable {
  let member: String
  var expected: String?

  /// What lies at the path is a directory, a pipe, or whatever else has no text to read.
  static let noFile = ConfigurationError(member: "its path, where no file lies")

  /// Both, for a message.
  var place: String { expected.map { "\(member) (\($0))" } ?? member }
}

/// Any JSON5 value.
enum ConfigurationValue: Decodable {
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([ConfigurationValue])
  case object([String: ConfigurationValue])
  case other

  init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: Name.self) {
      var members: [String: ConfigurationValue] = [:]
      for key in keyed.allKeys { members[key.stringValue] = try keyed.decode(ConfigurationValue.self, forKey: key) }
      self = .object(members)
      return
    }
    if var items = try? decoder.unkeyedContainer() {
      var values: [ConfigurationValue] = []
      while !items.isAtEnd { values.append(try items.decode(ConfigurationValue.self)) }
      self = .array(values)
      return
    }
    let single = try decoder.singleValueContainer()
    if let value = try? single.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? single.decode(Double.self) {
      self = .number(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(value)
    } else {
      self = .other
    }
  }

  func members(_ name: String) throws(ConfigurationError) -> [(String, ConfigurationValue)] {
    guard case .object(let members) = self else { throw ConfigurationError(member: name, expected: "{ … }") }
    return members.sorted { $0.key < $1.key }
  }

  func language(_ name: String) throws(ConfigurationError) -> Language {
    guard case .string(let tag) = self, let language = Language(rawValue: tag) else {
      throw ConfigurationError(member: name, expected: Language.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return language
  }

  func truth(_ name: String) throws(ConfigurationError) -> Bool {
    guard case .bool(let isOn) = self else { throw ConfigurationError(member: name, expected: "true, false") }
    return isOn
  }

  /// An app's name, in the letters that Apple allows in one.
  func bundleID(_ name: String) throws(ConfigurationError) -> String {
    guard case .string(let text) = self, (1...255).contains(text.utf8.count),
      text.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      })
    else { throw ConfigurationError(member: name, expected: "com.example.app") }
    return text
  }

  func texts(_ name: String) throws(ConfigurationError) -> [String] {
    guard case .array(let items) = self else { throw ConfigurationError(member: name, expected: "[\"program\", \"argument\"]") }
    var texts: [String] = []
    for item in items {
      // What holds a zero byte is no argument.
      guard case .string(let text) = item, !text.utf8.contains(0) else {
        throw ConfigurationError(member: name, expected: "[\"program\", \"argument\"]")
      }
      texts.append(text)
    }
    if texts.first == "" { throw ConfigurationError(member: name, expected: "[\"program\", \"argument\"]") }
    return texts
  }

  func milliseconds(_ name: String) throws(ConfigurationError) -> Int {
    guard case .number(let value) = self, let number = Int(exactly: value), (10...3_600_000).contains(number) else {
      throw ConfigurationError(member: name, expected: "10…3600000")
    }
    return number
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
