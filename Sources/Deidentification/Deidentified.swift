/// The kinds of things that are replaced by tokens.
public enum TokenKind: String, CaseIterable, Sendable {
  case person = "PERSON"
  case date = "DATE"
  case time = "TIME"
  case place = "PLACE"
  case phone = "PHONE"
  case email = "EMAIL"
  case address = "ADDRESS"
  case account = "ACCOUNT"
  case card = "CARD"
  case url = "URL"
  /// Numbers given by a state, and names on networks.
  case id = "ID"

  /// Which kind is believed where two scanners read the same characters.
  var rank: Int {
    switch self {
    case .email: 0
    case .url: 1
    case .id: 2
    case .card: 3
    case .phone: 4
    case .date: 5
    case .account: 6
    case .address: 7
    case .time: 8
    case .person: 9
    case .place: 10
    }
  }
}

/// What stands in a masked text in place of something: `<PERSON_1>`. The number is the thing; a thing that is written in several ways
/// (Grace, GRACE) has a token for each, `<PERSON_1>` and `<PERSON_1b>`, so that each goes back as it was.
public struct Token: Hashable, Sendable, CustomStringConvertible {
  /// What kind of thing.
  public let kind: TokenKind
  /// Which one, from 1; the same over all texts.
  public let number: Int
  /// Which way of writing it, from 0.
  public let variant: Int
  /// How often it stands in the masked texts.
  public let occurrences: Int

  /// The token as it stands in the text.
  public var text: String { "<\(kind.rawValue)_\(number)\(letters(ofVariant: variant))>" }
  /// The token, which says nothing of what it stands for.
  public var description: String { text }
}

/// Nothing for 0, then b, c … z, ba, bb …
private func letters(ofVariant variant: Int) -> String {
  var rest = variant
  var result = ""
  while rest > 0 {
    result = String(UnicodeScalar(UInt8(0x61 + rest % 26))) + result
    rest /= 26
  }
  return result
}

/// The number of the variant that `letters` write, or nil.
func variant(ofLetters letters: some Sequence<UInt32>) -> Int? {
  var result = 0
  for letter in letters {
    guard letter >= 0x61, letter <= 0x7A, result < 1 << 32 else { return nil }
    result = result * 26 + Int(letter - 0x61)
  }
  return result
}

/// The names that the person keeps.
public struct Listed: Sendable {
  /// People: full names, first names, nicknames, or a name with its title (김 부장님, 田中さん, Dr. Park).
  public let names: [String]
  /// Places.
  public let places: [String]
  /// How the letter addresses the other. The name in it is treated as listed; words for kin and endearments are not names.
  public let addressee: String?

  /// Up to some hundreds of each; a blank one is passed over.
  public init(names: [String] = [], places: [String] = [], addressee: String? = nil) {
    self.names = names
    self.places = places
    self.addressee = addressee
  }
}

/// The texts of one letter without what tells who and where. Only `deidentify` makes one.
public struct Deidentified: Sendable {
  /// The masked texts, in the order given.
  public let parts: [String]
  /// What was replaced, by first appearance.
  public let tokens: [Token]
  /// What each token stands for: it never leaves the machine.
  let originals: [TokenName: String]
  /// What else matters when an answer comes back.
  let sent: SentContext

  init(parts: [String], tokens: [Token], originals: [TokenName: String], sent: SentContext) {
    self.parts = parts
    self.tokens = tokens
    self.originals = originals
    self.sent = sent
  }
}

/// A token without how often it stands.
struct TokenName: Hashable, Sendable {
  let kind: TokenKind
  let number: Int
  let variant: Int
}

/// An answer with the tokens put back.
public struct Restoration: Sendable {
  /// The text for the person.
  public let text: String
  /// Things of the sent texts that the answer has no token for, each by its first token.
  public let missing: [Token]
  /// Tokens that had come back changed and were certain all the same.
  public let repaired: [Token]
  /// What looks like a token, is none of ours and was left, as it stands in the answer.
  public let unknown: [String]
}

extension Deidentified: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says only that there is text.
  public var description: String { "‹withheld›" }
  /// Says only that there is text.
  public var debugDescription: String { description }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Restoration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says only that there is text.
  public var description: String { "‹withheld›" }
  /// Says only that there is text.
  public var debugDescription: String { description }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Listed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says only that there are names.
  public var description: String { "‹withheld›" }
  /// Says only that there are names.
  public var debugDescription: String { description }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
