/// One JSON value (RFC 8259), as it came: numbers keep their text and objects the order of their members.
public enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// Values are equal if they are spelled the same, texts byte by byte; the order of an object's members does not matter.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.isExactly(right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

extension JSON {
  /// The value's string, or nil if it is of another type.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The value as an integer, or nil if it is of another type, has a fraction or does not fit.
  public var intValue: Int? { if case .number(let value) = self { value.int } else { nil } }

  /// The value's truth, or nil if it is of another type.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The value's items, or nil if it is of another type.
  public var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The value's members, or nil if it is of another type.
  public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// Whether this is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The member of that name, or nil if there is none or this is no object.
  public subscript(name: String) -> JSON? { objectValue?[name] }

  /// The item at that place, or nil if there is none or this is no array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let items) = self, items.indices.contains(index) else { return nil }
    return items[index]
  }

  /// What the specification calls this value's type; the words that error messages use.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number(let number): number.int == nil ? "number" : "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A value written as a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A value written as a literal.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A value written as a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A value written as a literal.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// A value written as a literal.
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
  /// A value written as a literal.
  public init(nilLiteral: ()) { self = .null }
}

/// A number as its text on the wire, so that nothing is rounded on the way through.
public struct JSONNumber: Equatable, Sendable {
  /// The characters of the number, by RFC 8259's grammar.
  public let text: String

  /// A whole number.
  public init(_ value: Int) { text = String(value) }

  /// A number whose text the caller answers for: it must follow RFC 8259's grammar.
  public init(text: String) { self.text = text }

  /// The exact integer this number is (`1`, `1.0` and `1e3` all are), or nil for a fraction or a number beyond 64 bits.
  public var int: Int? {
    if let value = Int(text) { return value }
    let parts = text.split(whereSeparator: { $0 == "e" || $0 == "E" })
    guard let mantissa = parts.first, let exponent = parts.count == 2 ? Int(parts[1]) : 0, exponent.magnitude < 1_000 else {
      return nil
    }
    let halves = mantissa.split(separator: ".")
    var digits = halves.joined()
    var scale = exponent - (halves.count == 2 ? halves[1].count : 0)
    while scale < 0, digits.hasSuffix("0") {
      digits.removeLast()
      scale += 1
    }
    if !digits.contains(where: { $0 != "0" && $0 != "-" }) { return 0 }
    return scale < 0 || scale > 19 ? nil : Int(digits + String(repeating: "0", count: scale))
  }

  /// The nearest binary floating-point number, or nil beyond its range.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

/// An object's members in the order in which they came; no name stands twice. Names are compared byte by byte.
public struct JSONObject: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  /// Name and value of each member, in order.
  public private(set) var members: [(name: String, value: JSON)] = []
  /// Up to so many members are looked through one by one; among more, places are found by hash, so that nothing costs quadratic time.
  private static let few = 16

  /// An object without members.
  public init() {}

  /// An object of these members; of two with one name the later stays.
  public init(_ members: [(String, JSON)]) {
    guard members.count > Self.few else {
      for (name, value) in members { self[name] = value }
      return
    }
    var places: [ExactText: Int] = [:]
    for (name, value) in members {
      if let place = places.updateValue(self.members.count, forKey: ExactText(name)) {
        places[ExactText(name)] = place
        self.members[place].value = value
      } else {
        self.members.append((name, value))
      }
    }
  }

  /// An object written as a literal.
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }

  /// The value of that name; assigning nil takes the member away.
  public subscript(name: String) -> JSON? {
    get {
      for member in members where member.name.isExactly(name) { return member.value }
      return nil
    }
    set {
      let place = members.firstIndex { $0.name.isExactly(name) }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append((name, value))
      case (nil, nil): break
      }
    }
  }

  /// Adds a member that is known to be new.
  mutating func append(_ name: String, _ value: JSON) { members.append((name, value)) }

  /// The members' names, in order.
  public var names: [String] { members.map(\.name) }

  /// How many members there are.
  public var count: Int { members.count }

  /// Whether there are none.
  public var isEmpty: Bool { members.isEmpty }

  /// Two objects are equal if they have the same members, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    guard left.count > few else { return left.members.allSatisfy { right[$0.name] == $0.value } }
    let values = Dictionary(right.members.map { (ExactText($0.name), $0.value) }) { $1 }
    return left.members.allSatisfy { values[ExactText($0.name)] == $0.value }
  }
}
