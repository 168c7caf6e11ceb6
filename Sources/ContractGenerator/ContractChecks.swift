import JSON

/// The words that may stand in one kind of object. Any other is refused: a limit that is misspelt would be no limit.
struct Words {
  static let file = Words(["domain", "summary", "since", "versions", "methods", "types", "errors", "notifications"])
  static let versions = Words(["program", "protocol"])
  static let method = Words([
    "summary", "description", "since", "access", "effect", "async", "params", "result", "errors", "events", "examples",
  ])
  static let error = Words(["code", "domain", "name", "retriable", "summary"])
  static let schema = Words([
    "$ref", "type", "enum", "properties", "required", "items", "minLength", "maxLength", "minItems", "maxItems", "minimum",
    "maximum", "format", "description", "x-personal", "x-nullable", "x-maxBytes", "x-error", "x-errorBelow",
  ])
  static let example = Words(["name", "params", "result", "error"])

  let allowed: Set<String>

  init(_ words: Set<String>) { allowed = words }

  func check(_ json: JSON, _ place: String) throws {
    guard let object = json.objectValue else { throw ContractError("\(place): not an object") }
    for name in object.names where !allowed.contains(name) { throw ContractError("\(place): unknown word \(name)") }
  }
}

/// What no schema can see: names that stand twice in two files, references into nothing, limits without effect, words that
/// explain nothing, examples of what cannot happen.
extension Contract {
  func check() throws {
    try Self.unique(methods.map(\.name), "method")
    try Self.unique(types.map(\.name), "type")
    try Self.unique(errors.map(\.key), "error")
    try Self.unique(errors.filter { $0.code > 0 }.map { String($0.code) }, "code")
    for error in errors { try check(error) }
    for type in types { try check(type.schema, type.name, needsDescription: true) }
    for method in methods { try check(method) }
    for notification in notifications {
      if notification.summary.isEmpty { throw ContractError("\(notification.name): no summary") }
      try check(notification.params, notification.name, needsDescription: true)
    }
  }

  private func check(_ error: ErrorEntry) throws {
    if error.key != "error.\(error.domain).\(error.name)" { throw ContractError("\(error.key): key, domain and name differ") }
    if error.summary.isEmpty { throw ContractError("\(error.key): no summary") }
  }

  private func check(_ method: Method) throws {
    let place = method.name
    if !place.hasPrefix(method.domain + ".") { throw ContractError("\(place): not of the domain \(method.domain)") }
    if method.summary.isEmpty || method.description.isEmpty { throw ContractError("\(place): no summary or description") }
    if !["none", "read", "write"].contains(method.effect) { throw ContractError("\(place): effect \(method.effect)") }
    try check(method.params, place, needsDescription: false)
    try check(method.result, place, needsDescription: false)
    if method.result.reference == nil { throw ContractError("\(place): the result is not one of the types") }
    let required = Set(method.params.required)
    let firsts = method.params.properties.prefix(required.count).map(\.name)
    if Set(firsts) != required { throw ContractError("\(place): required parameters must come first") }
    let keys = Set(errors.map(\.key))
    for key in method.errors where !keys.contains(key) { throw ContractError("\(place): unknown error \(key)") }
    for key in limitErrors(of: method.params) where !method.errors.contains(key) {
      throw ContractError("\(place): a limit answers \(key), which is not among its errors")
    }
    try checkExamples(of: method)
  }

  private func checkExamples(of method: Method) throws {
    if method.examples.isEmpty { throw ContractError("\(method.name): no example") }
    try Self.unique(method.examples.map { $0["name"]?.stringValue ?? "" }, "\(method.name): example")
    for example in method.examples {
      let place = "\(method.name): example \(example["name"]?.stringValue ?? "without a name")"
      try Words.example.check(example, place)
      let code = example["error"]?["code"]?.intValue
      if (example["result"] == nil) == (code == nil) {
        throw ContractError("\(place): neither a result nor an error's code, or both")
      }
      if let code, !errors.contains(where: { $0.code == code && ($0.domain == "rpc" || method.errors.contains($0.key)) }) {
        throw ContractError("\(place): the method has no error \(code)")
      }
    }
  }

  private func check(_ schema: Schema, _ place: String, needsDescription: Bool) throws {
    try Words.schema.check(schema.json, place)
    if let name = schema.reference, !types.contains(where: { $0.name == name }) {
      throw ContractError("\(place): unknown type \(name)")
    }
    for key in Self.errorKeys(of: schema) where !errors.contains(where: { $0.key == key }) {
      throw ContractError("\(place): unknown error \(key)")
    }
    // A character may be any number of bytes, so a limit in characters alone is none.
    if schema.json["maxLength"] != nil, schema.json["x-maxBytes"] == nil { throw ContractError("\(place): no x-maxBytes") }
    for word in ["minLength", "maxLength", "x-maxBytes", "minItems", "maxItems", "minimum", "maximum"] {
      if let limit = schema.json[word], limit.intValue == nil { throw ContractError("\(place): \(word) is no whole number") }
    }
    if needsDescription, schema.summary.isEmpty, schema.reference.map({ self.schema(named: $0).summary.isEmpty }) ?? true {
      throw ContractError("\(place): no description")
    }
    let names = schema.properties.map(\.name)
    for name in schema.required where !names.contains(name) {
      throw ContractError("\(place): requires \(name), which is not there")
    }
    try Self.unique(schema.cases ?? [], "\(place): value")
    for property in schema.properties { try check(property.schema, "\(place).\(property.name)", needsDescription: true) }
    if schema.type == "array" { try check(schema.items, place + "[]", needsDescription: false) }
  }

  /// The errors that violated limits of a schema answer.
  private func limitErrors(of schema: Schema) -> [String] {
    let schema = resolved(schema)
    let own = Self.errorKeys(of: schema)
    let parts = schema.properties.map(\.schema) + (schema.type == "array" ? [schema.items] : [])
    return parts.reduce(own) { $0 + limitErrors(of: $1) }
  }

  /// The errors that a schema itself names for a value above its limits and for one below.
  private static func errorKeys(of schema: Schema) -> [String] {
    ["x-error", "x-errorBelow"].compactMap { schema.json[$0]?.stringValue }
  }

  private static func unique(_ names: [String], _ kind: String) throws {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted { throw ContractError("\(kind) \(name) stands twice") }
  }
}
