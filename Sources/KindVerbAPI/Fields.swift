import JSON

/// The limits of one value. A violated limit answers `error`, or −32602 without one.
struct Rule: Sendable {
  var minimum: Int?
  var maximum: Int?
  /// The most bytes a string may have in UTF-8, beside its limit in characters.
  var bytes: Int?
  /// The error of a value above its limit; −32602 without one.
  var error: ErrorKey?
  /// The error of a value below its limit; −32602 without one.
  var errorBelow: ErrorKey?

  func violation(_ field: String, limit: Int, unit: String, isBelow: Bool = false) -> APIError {
    var failure = APIError((isBelow ? errorBelow : error) ?? .rpcInvalidParams)
    failure.field = field
    failure.limit = limit
    failure.unit = unit
    return failure
  }
}

/// The members of an object while they are read.
struct Fields {
  private let object: JSONObject
  private let path: String

  /// Parameters: a name that the method does not know is refused, with the nearest that it knows.
  init(params: JSONObject, known: [String]) throws(APIError) {
    object = params
    path = ""
    for (name, _) in params.members where !known.contains(where: { $0.isExactly(name) }) {
      var failure = APIError(.rpcInvalidParams)
      // Anything but a plain name may be what a person wrote, in the wrong place.
      if Self.isIdentifier(name) { failure.field = name }
      failure.expected = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
      failure.nearest = nearestName(to: name, in: known)
      throw failure
    }
  }

  /// Whether a text is a plain name of at most 64 letters, digits and low lines, the first of them no digit.
  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
      default: false
      }
    }
  }

  /// A result, or a value inside one: unknown members are passed over.
  init(result: JSON, in type: String) throws(APIError) {
    guard let object = result.objectValue else { throw APIError.mismatch(type, expected: "object", got: result) }
    self.object = object
    path = type + "."
  }

  func required<Value>(_ name: String, _ read: (JSON, String) throws(APIError) -> Value) throws(APIError) -> Value {
    guard let value = object[name] else {
      var failure = APIError(.rpcInvalidParams)
      failure.field = path + name
      failure.got = "absent"
      failure.expected = "a value"
      throw failure
    }
    return try read(value, path + name)
  }

  /// A value that may be absent or `null`.
  func optional<Value>(_ name: String, _ read: (JSON, String) throws(APIError) -> Value) throws(APIError) -> Value? {
    guard let value = object[name], !value.isNull else { return nil }
    return try read(value, path + name)
  }

  func change<Value: Sendable>(
    _ name: String, _ read: (JSON, String) throws(APIError) -> Value
  ) throws(APIError) -> Change<Value> {
    guard let value = object[name] else { return .keep }
    return value.isNull ? .clear : .set(try read(value, path + name))
  }
}

/// Readers of single values: each checks the type and the limits, and names the field in its error.
enum Read {
  typealias Reader<Value> = (JSON, String) throws(APIError) -> Value

  static func string(_ rule: Rule) -> Reader<String> {
    { (value, field) throws(APIError) in
      guard let text = value.stringValue else { throw APIError.mismatch(field, expected: "string", got: value) }
      try check(text, field, rule)
      return text
    }
  }

  static func personal(_ rule: Rule) -> Reader<PersonalText> {
    let read = string(rule)
    return { (value, field) throws(APIError) in PersonalText(try read(value, field)) }
  }

  private static func check(_ text: String, _ field: String, _ rule: Rule) throws(APIError) {
    if text.utf8.contains(0) {
      var failure = APIError(.rpcInvalidParams)
      failure.field = field
      failure.expected = "text without U+0000"
      throw failure
    }
    // Bytes first: counting characters of a megabyte costs, and a text within the characters may still be too many bytes.
    if let bytes = rule.bytes, text.utf8.count > bytes { throw rule.violation(field, limit: bytes, unit: "bytes") }
    if let maximum = rule.maximum, text.utf8.count > maximum, text.count > maximum {
      throw rule.violation(field, limit: maximum, unit: "characters")
    }
    if let minimum = rule.minimum, text.count < minimum {
      throw rule.violation(field, limit: minimum, unit: "characters", isBelow: true)
    }
  }

  static func integer(_ rule: Rule) -> Reader<Int> {
    { (value, field) throws(APIError) in
      guard let number = value.intValue else { throw APIError.mismatch(field, expected: "integer", got: value) }
      if let maximum = rule.maximum, number > maximum { throw rule.violation(field, limit: maximum, unit: "maximum") }
      if let minimum = rule.minimum, number < minimum {
        throw rule.violation(field, limit: minimum, unit: "minimum", isBelow: true)
      }
      return number
    }
  }

  static func number(_ rule: Rule) -> Reader<Double> {
    { (value, field) throws(APIError) in
      guard case .number(let text) = value, let number = text.double else {
        throw APIError.mismatch(field, expected: "number", got: value)
      }
      if let maximum = rule.maximum, number > Double(maximum) { throw rule.violation(field, limit: maximum, unit: "maximum") }
      if let minimum = rule.minimum, number < Double(minimum) {
        throw rule.violation(field, limit: minimum, unit: "minimum", isBelow: true)
      }
      return number
    }
  }

  static func boolean(_ value: JSON, _ field: String) throws(APIError) -> Bool {
    guard let truth = value.boolValue else { throw APIError.mismatch(field, expected: "boolean", got: value) }
    return truth
  }

  static func any(_ value: JSON, _ field: String) throws(APIError) -> JSON { value }

  static func array<Value>(_ rule: Rule, _ item: @escaping Reader<Value>) -> Reader<[Value]> {
    { (value, field) throws(APIError) in
      guard let items = value.arrayValue else { throw APIError.mismatch(field, expected: "array", got: value) }
      if let maximum = rule.maximum, items.count > maximum { throw rule.violation(field, limit: maximum, unit: "items") }
      if let minimum = rule.minimum, items.count < minimum {
        throw rule.violation(field, limit: minimum, unit: "items", isBelow: true)
      }
      var values: [Value] = []
      for (index, element) in items.enumerated() { values.append(try item(element, "\(field)[\(index)]")) }
      return values
    }
  }

  static func enumeration<Value: RawRepresentable & CaseIterable>(
    _ type: Value.Type
  ) -> Reader<Value> where Value.RawValue == String {
    { (value, field) throws(APIError) in
      guard let text = value.stringValue else { throw APIError.mismatch(field, expected: "string", got: value) }
      if let found = Value(rawValue: text) { return found }
      let names = Value.allCases.map(\.rawValue)
      var failure = APIError(.rpcInvalidParams)
      failure.field = field
      failure.expected = names.joined(separator: ", ")
      failure.nearest = nearestName(to: text, in: names)
      throw failure
    }
  }

  static func object<Value: ContractValue>(_ type: Value.Type) -> Reader<Value> {
    { (value, _) throws(APIError) in try Value(json: value) }
  }
}
