import JSON

/// A value of the contract that is read from and written as JSON.
public protocol ContractValue: JSONEncodable, Sendable {
  /// Reads the value; unknown members are passed over, so that a newer daemon may add some.
  init(json: JSON) throws(APIError)
}

/// The parameters of a method.
public protocol ContractParams: JSONEncodable, Sendable {
  /// Reads and checks the parameters; the first thing that is wrong is the error.
  init(decoding params: JSONObject) throws(APIError)
}

/// One method of the contract.
public protocol ContractMethod: Sendable {
  associatedtype Params: ContractParams
  associatedtype Result: ContractValue
  /// What the contract says of the method.
  static var descriptor: MethodDescriptor { get }
}

/// What the contract says of a method.
public struct MethodDescriptor: Sendable {
  /// What a method does to the store.
  public enum Effect: String, Sendable {
    /// It does not touch the store.
    case none
    /// It looks only.
    case read
    /// It may change something.
    case write
  }

  /// The name on the wire.
  public let name: String
  /// The contract file it stands in.
  public let domain: String
  /// One line.
  public let summary: String
  /// What it does, in full.
  public let description: String
  /// The first version that has it.
  public let since: String
  /// What it does to the store.
  public let effect: Effect
  /// Whether it may take longer than a turn; such a call can be cancelled.
  public let isAsync: Bool
  /// Its parameters in the order of the positional form.
  public let parameters: [ParameterDescriptor]
  /// The errors of its domain that it can give, besides the protocol's own.
  public let errors: [ErrorKey]
}

/// What the contract says of a parameter.
public struct ParameterDescriptor: Sendable {
  /// The type of value.
  public indirect enum Kind: Equatable, Sendable {
    case string, integer, number, boolean, object, any
    case array(Kind)
    case enumeration([String])
  }

  /// The name on the wire.
  public let name: String
  /// What it means.
  public let summary: String
  /// Its type.
  public let kind: Kind
  /// Whether a call without it is refused.
  public let isRequired: Bool
  /// Whether `null` has a meaning of its own (it clears).
  public let isNullable: Bool
}

/// All methods of the contract.
public enum MethodCatalogue {
  /// The method of that name, or nil.
  public static func named(_ name: String) -> MethodDescriptor? { all.first { $0.name == name } }

  /// The name nearest to one that is unknown, or nil if none is near.
  public static func nearest(to name: String) -> String? { nearestName(to: name, in: all.map(\.name)) }
}

/// A value that a call may leave alone, clear or set.
public enum Change<Value: Sendable>: Sendable {
  /// Not given.
  case keep
  /// Given as `null`.
  case clear
  /// Given.
  case set(Value)
}

extension Change: Equatable where Value: Equatable {}

/// Text that a person wrote. It describes itself as withheld, so that it cannot reach a log or an error by accident.
public struct PersonalText: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The words themselves: for the store, for the answer to their owner, and for nothing else.
  public let exposed: String

  /// Text to be kept from logs.
  public init(_ text: String) { exposed = text }

  /// Whether both are the same bytes: é in one piece and é in two are different texts, and each is kept as it came.
  public static func == (left: PersonalText, right: PersonalText) -> Bool { left.exposed.isExactly(right.exposed) }
  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(exposed)) }

  /// Says only that there is text.
  public var description: String { "‹withheld›" }
  /// Says only that there is text.
  public var debugDescription: String { description }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The candidate with the fewest edits to `word`, if there are at most a third as many as it has letters.
public func nearestName(to word: String, in candidates: [String]) -> String? {
  guard word.utf8.count <= 64 else { return nil }
  let best = candidates.map { ($0, distance(Array(word.lowercased()), Array($0.lowercased()))) }.min { $0.1 < $1.1 }
  guard let best, best.1 <= max(1, word.count / 3) else { return nil }
  return best.0
}

/// How many letters must be put in, taken out, replaced or swapped with their neighbour to make one word the other.
private func distance(_ from: [Character], _ to: [Character]) -> Int {
  var before: [Int] = []
  var last = Array(0...to.count)
  for (row, letter) in from.enumerated() {
    var next = [row + 1]
    for (column, other) in to.enumerated() {
      var cost = min(next[column] + 1, last[column + 1] + 1, last[column] + (letter == other ? 0 : 1))
      if row > 0, column > 0, letter == to[column - 1], from[row - 1] == other { cost = min(cost, before[column - 1] + 1) }
      next.append(cost)
    }
    before = last
    last = next
  }
  return last[to.count]
}
