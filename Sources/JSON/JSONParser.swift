/// A strict reader of RFC 8259 text: it accepts what the grammar accepts and refuses the rest by name, with the offset.
///
/// Beyond the grammar it refuses names that stand twice in an object, halves of surrogate pairs, bytes that are not UTF-8,
/// and nesting deeper than `maximumDepth`. It works on bytes in place and recurses at most `maximumDepth` deep.
public struct JSONParser {
  /// How deep arrays and objects may nest (the house's limit).
  public static let standardDepth = 64

  let bytes: [UInt8]
  let end: Int
  let maximumDepth: Int
  /// The next byte to be read, as an index into the bytes given.
  public internal(set) var position: Int
  private let start: Int

  /// A reader of `bytes[range]`; offsets in errors count from the range's start.
  public init(_ bytes: [UInt8], in range: Range<Int>? = nil, maximumDepth: Int = JSONParser.standardDepth) {
    self.bytes = bytes
    start = range?.lowerBound ?? 0
    position = start
    end = range?.upperBound ?? bytes.count
    self.maximumDepth = maximumDepth
  }

  /// The one value that the whole text must be.
  public static func parse(_ bytes: [UInt8], in range: Range<Int>? = nil) throws(JSONError) -> JSON {
    var parser = JSONParser(bytes, in: range)
    let value = try parser.value()
    try parser.finish()
    return value
  }

  /// Refuses anything but white space from here to the end.
  public mutating func finish() throws(JSONError) {
    skipSpace()
    if position < end { throw failure(.trailingText) }
  }

  /// The byte that stands next after white space, or nil at the end.
  public mutating func peek() -> UInt8? {
    skipSpace()
    return position < end ? bytes[position] : nil
  }

  /// The bytes from `start`, a former ``position``, to here.
  public func text(from start: Int) -> [UInt8] { Array(bytes[start..<position]) }

  /// The value that comes next; `depth` is how many arrays and objects are open around it.
  public mutating func value(depth: Int = 0) throws(JSONError) -> JSON {
    guard let byte = peek() else { throw failure(.unexpectedEnd) }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"):
      var object = JSONObject()
      try members(depth: depth) { (name, parser) throws(JSONError) in object.append(name, try parser.value(depth: depth + 1)) }
      return .object(object)
    case UInt8(ascii: "["):
      var items: [JSON] = []
      try elements(depth: depth) { (parser) throws(JSONError) in items.append(try parser.value(depth: depth + 1)) }
      return .array(items)
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw failure(.unexpectedCharacter)
    }
  }

  /// Reads an object: calls `body` after each name and colon; `body` must read exactly the value.
  public mutating func members(
    depth: Int = 0, _ body: (String, inout JSONParser) throws(JSONError) -> Void
  ) throws(JSONError) {
    try open(UInt8(ascii: "{"), depth: depth)
    var names = NameSet()
    if try closes(UInt8(ascii: "}")) { return }
    while true {
      guard let byte = peek() else { throw failure(.unexpectedEnd) }
      guard byte == UInt8(ascii: "\"") else { throw failure(.unexpectedCharacter) }
      let nameStart = position
      let name = try string()
      guard names.insert(name) else { throw failure(.duplicateName, at: nameStart) }
      try expect(UInt8(ascii: ":"))
      try body(name, &self)
      if try separates(or: UInt8(ascii: "}")) { return }
    }
  }

  /// Reads an array: calls `body` before each item; `body` must read exactly the item.
  public mutating func elements(
    depth: Int = 0, _ body: (inout JSONParser) throws(JSONError) -> Void
  ) throws(JSONError) {
    try open(UInt8(ascii: "["), depth: depth)
    if try closes(UInt8(ascii: "]")) { return }
    while true {
      try body(&self)
      if try separates(or: UInt8(ascii: "]")) { return }
    }
  }
}

// MARK: - Structure

extension JSONParser {
  func failure(_ kind: JSONError.Kind, at place: Int? = nil) -> JSONError {
    JSONError(kind, at: (place ?? position) - start)
  }

  mutating func skipSpace() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func open(_ opener: UInt8, depth: Int) throws(JSONError) {
    try expect(opener)
    if depth >= maximumDepth { throw failure(.depth, at: position - 1) }
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard let next = peek() else { throw failure(.unexpectedEnd) }
    guard next == byte else { throw failure(.unexpectedCharacter) }
    position += 1
  }

  private mutating func closes(_ closer: UInt8) throws(JSONError) -> Bool {
    guard let next = peek() else { throw failure(.unexpectedEnd) }
    if next == closer { position += 1 }
    return next == closer
  }

  /// After an item: true at the closer, false after a comma.
  private mutating func separates(or closer: UInt8) throws(JSONError) -> Bool {
    if try closes(closer) { return true }
    try expect(UInt8(ascii: ","))
    return false
  }

  private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    for index in 0..<text.utf8CodeUnitCount {
      guard position < end else { throw failure(.unexpectedEnd) }
      guard bytes[position] == text.withUTF8Buffer({ $0[index] }) else { throw failure(.unexpectedCharacter) }
      position += 1
    }
    return value
  }

  private mutating func digits() -> Int {
    let first = position
    while position < end, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position - first
  }

  private mutating func number() throws(JSONError) -> JSONNumber {
    let first = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let leading = position
    let whole = digits()
    if whole == 0 || (whole > 1 && bytes[leading] == UInt8(ascii: "0")) { throw failure(.invalidNumber, at: first) }
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      if digits() == 0 { throw failure(.invalidNumber, at: first) }
    }
    if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < end, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
      if digits() == 0 { throw failure(.invalidNumber, at: first) }
    }
    return JSONNumber(text: String(decoding: bytes[first..<position], as: UTF8.self))
  }
}

/// The names seen in one object: a list while it is short, a hash set once it is long, so that no object costs quadratic time.
/// RFC 8259 compares names byte by byte: é in one piece and é in two are different names.
private struct NameSet {
  private var few: [String] = []
  private var many: Set<ExactText> = []

  /// Whether `name` is new.
  mutating func insert(_ name: String) -> Bool {
    if !many.isEmpty { return many.insert(ExactText(name)).inserted }
    if few.contains(where: { $0.isExactly(name) }) { return false }
    few.append(name)
    if few.count > 16 { many = Set(few.map(ExactText.init)) }
    return true
  }
}

extension JSON {
  /// The value that `text` holds, all of it.
  public static func parse(_ text: String) throws(JSONError) -> JSON { try JSONParser.parse(Array(text.utf8)) }

  /// The value that `bytes` hold, all of them.
  public init(parsing bytes: [UInt8]) throws(JSONError) { self = try JSONParser.parse(bytes) }
}
