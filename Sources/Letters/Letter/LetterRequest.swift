/// A language that a letter can be written in; the raw value is its language tag.
public enum LetterLanguage: String, CaseIterable, Sendable {
  case en
  case ko
  case ja
  case zhHans = "zh-Hans"

  /// The language's place in the string catalog.
  var index: Int {
    switch self {
    case .en: 0
    case .ko: 1
    case .ja: 2
    case .zhHans: 3
    }
  }
}

/// The relationship in which the conflict happened. It says nothing about who is older or who writes.
public enum ConflictKind: String, CaseIterable, Sendable {
  /// Friends and colleagues.
  case friends
  /// Two partners, married or not.
  case couple
  /// A parent and a child; either may be the writer.
  case parentChild
  /// Brothers and sisters, in any order of age.
  case siblings
  /// Relatives by marriage, of any generation.
  case inLaws
}

/// How a letter is laid out and how much room it gives the reader.
public enum LetterTone: String, CaseIterable, Sendable {
  /// The first draft: warm and even.
  case neutralWarm = "neutral_warm"
  /// More room, less weight.
  case softer
  /// Short enough for a chat window.
  case concise
  /// Plain speech, the writer's own part first.
  case sincere
}

/// The speech level of a letter. Korean letters between in-laws turn `polite` into 합니다체 by themselves.
public enum LetterRegister: String, CaseIterable, Sendable {
  case casual
  case polite
}

/// What a journal hands to the letter: the five answers, the relationship and how the other is addressed.
public struct LetterAnswers: Sendable, Equatable, WordlessDescription {
  /// The journal's id; it seeds the choice of phrases, so that one journal always gives the same drafts.
  public var journalId: String
  /// The relationship.
  public var conflictKind: ConflictKind
  /// What happened.
  public var situation: String
  /// Codes of built-in feelings or the person's own words, in the person's order.
  public var feelings: [String]
  /// What hurt; it may be about either side.
  public var hurt: String
  /// The writer's own part, if it was answered.
  public var reflection: String?
  /// What was really wanted.
  public var need: String
  /// How the letter addresses the other; without it there is no address line.
  public var addressee: String?

  /// Creates the answers as they were typed; they are cleaned when a letter is composed.
  public init(
    journalId: String, conflictKind: ConflictKind, situation: String, feelings: [String], hurt: String, reflection: String? = nil,
    need: String, addressee: String? = nil
  ) {
    self.journalId = journalId
    self.conflictKind = conflictKind
    self.situation = situation
    self.feelings = feelings
    self.hurt = hurt
    self.reflection = reflection
    self.need = need
    self.addressee = addressee
  }
}

/// Everything that decides one letter.
public struct LetterRequest: Sendable, Equatable, WordlessDescription {
  /// The answers.
  public var answers: LetterAnswers
  /// The tone.
  public var tone: LetterTone
  /// The speech level, or nil for the default of language, relationship and addressee.
  public var register: LetterRegister?
  /// The language of the letter, whatever the language of the answers.
  public var language: LetterLanguage
  /// Which draft this is, from 1; smaller numbers count as 1.
  public var iteration: Int

  /// Creates a request.
  public init(
    answers: LetterAnswers, tone: LetterTone = .neutralWarm, register: LetterRegister? = nil, language: LetterLanguage,
    iteration: Int = 1
  ) {
    self.answers = answers
    self.tone = tone
    self.register = register
    self.language = language
    self.iteration = iteration
  }
}

/// A finished draft.
public struct ComposedLetter: Sendable, Equatable, WordlessDescription {
  /// The letter: paragraphs with an empty line between them, no line break at the end.
  public var content: String
  /// The speech level that was used.
  public var register: LetterRegister
  /// What to show to the writer beside the draft; it is never part of the letter. Mostly empty.
  public var notices: [SafetyNotice]
}

/// What holds a person's words and describes itself, printed or dumped, without any of them.
public protocol WordlessDescription: CustomStringConvertible, CustomReflectable {}

extension WordlessDescription {
  /// The type's name.
  public var description: String { String(describing: Self.self) }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A calm word to the writer where the answers speak of danger. It names nothing that was matched.
public enum SafetyNotice: String, CaseIterable, Sendable {
  /// Violence, threat or abuse.
  case safety = "notice.safety"
  /// Self-harm.
  case safetySelf = "notice.safety.self"
  /// The other has asked for distance.
  case safetyContact = "notice.safety.contact"
}

/// The text of a notice in `language`.
public func safetyNoticeText(_ notice: SafetyNotice, language: LetterLanguage) -> String {
  LetterCatalog.text(notice.rawValue, language: language.index) ?? ""
}
