import Foundation
import JSON

/// One method of the contract.
struct Method {
  let name: String
  let domain: String
  let body: JSON

  var summary: String { body["summary"]?.stringValue ?? "" }
  var description: String { body["description"]?.stringValue ?? summary }
  var since: String { body["since"]?.stringValue ?? "1.0" }
  var effect: String { body["effect"]?.stringValue ?? "none" }
  var isAsync: Bool { body["async"]?.boolValue ?? false }
  var params: Schema { Schema(body["params"] ?? ["type": "object", "properties": [:]]) }
  var result: Schema { Schema(body["result"] ?? [:]) }
  var errors: [String] { (body["errors"]?.arrayValue ?? []).compactMap(\.stringValue) }
  var events: [String] { (body["events"]?.arrayValue ?? []).compactMap(\.stringValue) }
  var examples: [JSON] { body["examples"]?.arrayValue ?? [] }
}

/// One error of the contract.
struct ErrorEntry {
  let key: String
  let domain: String
  let name: String
  let code: Int
  let isRetriable: Bool
  let summary: String
}

/// A notification that the daemon sends.
struct NotificationEntry {
  let name: String
  let summary: String
  let params: Schema
}

/// A JSON Schema of the contract's kind: the few words that the generator turns into types and checks.
struct Schema {
  let json: JSON

  init(_ json: JSON) { self.json = json }

  /// The name of the type it refers to.
  var reference: String? { json["$ref"]?.stringValue.map { String($0.split(separator: "/").last ?? "") } }
  var type: String? { json["type"]?.stringValue }
  var summary: String { json["description"]?.stringValue ?? "" }
  var cases: [String]? { json["enum"]?.arrayValue?.compactMap(\.stringValue) }
  var isNullable: Bool { json["x-nullable"]?.boolValue ?? false }
  var isPersonal: Bool { json["x-personal"]?.boolValue ?? false }
  var items: Schema { Schema(json["items"] ?? [:]) }
  var required: [String] { (json["required"]?.arrayValue ?? []).compactMap(\.stringValue) }
  var properties: [(name: String, schema: Schema)] {
    (json["properties"]?.objectValue?.members ?? []).map { ($0.name, Schema($0.value)) }
  }
}

/// The versions that stand in one of the contract's files and nowhere else.
struct Versions {
  /// The programs', as `--version` and `system.info` tell it.
  let program: String
  /// The contract's, major and minor.
  let contract: String

  init(_ json: JSON, _ path: String) throws {
    try Words.versions.check(json, path)
    guard let program = json["program"]?.stringValue, program.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil,
      let contract = json["protocol"]?.stringValue, contract.wholeMatch(of: #/\d+\.\d+/#) != nil
    else { throw ContractError("\(path): versions need a program, 1.2.3, and a protocol, 1.2") }
    self.program = program
    self.contract = contract
  }
}

/// The whole contract: every file of `Protocol/`.
struct Contract {
  private(set) var methods: [Method] = []
  private(set) var types: [(name: String, schema: Schema)] = []
  private(set) var errors: [ErrorEntry] = []
  private(set) var notifications: [NotificationEntry] = []
  private(set) var domains: [(name: String, summary: String)] = []
  private(set) var versions: Versions?

  init(directory: String) throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasSuffix(".json") }.sorted()
    guard !files.isEmpty else { throw ContractError("\(directory): no contract") }
    for file in files { try add(readJSON("\(directory)/\(file)"), file) }
    try check()
  }

  private mutating func add(_ file: JSON, _ path: String) throws {
    guard let domain = file["domain"]?.stringValue else { throw ContractError("\(path): no domain") }
    try Words.file.check(file, path)
    domains.append((domain, file["summary"]?.stringValue ?? ""))
    if let found = file["versions"] {
      guard versions == nil else { throw ContractError("\(path): versions stand twice") }
      versions = try Versions(found, path)
    }
    for member in file["methods"]?.objectValue?.members ?? [] {
      try Words.method.check(member.value, member.name)
      methods.append(Method(name: member.name, domain: domain, body: member.value))
    }
    for member in file["types"]?.objectValue?.members ?? [] { types.append((member.name, Schema(member.value))) }
    for member in file["errors"]?.objectValue?.members ?? [] {
      try Words.error.check(member.value, member.name)
      guard let code = member.value["code"]?.intValue, let name = member.value["name"]?.stringValue else {
        throw ContractError("\(path): \(member.name): no code or name")
      }
      errors.append(
        ErrorEntry(
          key: member.name, domain: member.value["domain"]?.stringValue ?? domain, name: name, code: code,
          isRetriable: member.value["retriable"]?.boolValue ?? false, summary: member.value["summary"]?.stringValue ?? ""))
    }
    for member in file["notifications"]?.objectValue?.members ?? [] {
      notifications.append(
        NotificationEntry(
          name: member.name, summary: member.value["summary"]?.stringValue ?? "", params: Schema(member.value["params"] ?? [:])))
    }
  }

  /// Every error has its text.
  func check(against catalog: StringCatalog) throws {
    let keys = Set(catalog.entries.map(\.key))
    for error in errors where !keys.contains(error.key) { throw ContractError("\(error.key) has no text in \(catalog.name)") }
  }

  func schema(named name: String) -> Schema { types.first { $0.name == name }?.schema ?? Schema([:]) }

  /// A schema with a reference to a type that is no object and no enumeration replaced by what it stands for.
  func resolved(_ schema: Schema) -> Schema {
    guard let name = schema.reference else { return schema }
    let target = self.schema(named: name)
    if target.type == "object" || target.cases != nil { return schema }
    var merged = target.json.objectValue ?? [:]
    for member in schema.json.objectValue?.members ?? [] where member.name != "$ref" { merged[member.name] = member.value }
    return resolved(Schema(.object(merged)))
  }
}
