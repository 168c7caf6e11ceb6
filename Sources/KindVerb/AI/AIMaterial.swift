import Deidentification
import KindVerbAPI
import Letters

/// What a letter is asked to be, beside the answers it is made of.
struct LetterWish: Equatable, Sendable {
  let tone: Tone
  let register: Register
  let language: Language
  /// Which draft of this tone it is, from 1; from 2 on it is to be worded anew.
  let iteration: Int
}

/// What an AI is given of a journal. Its only text is masked: there is no other way to make one than through ``deidentify(_:listed:)``.
struct AIMaterial: Sendable {
  /// The answers without what tells who and where.
  let masked: Deidentified
  /// The kind of relationship.
  let relationship: ConflictType
  /// Built-in feelings, which are nobody's words.
  let feelings: [BuiltInFeeling]
  /// Whether the answers speak of danger, or of somebody who wants distance: then a letter is not to bring the two any closer.
  let speaksOfDanger: Bool
  /// How the other is addressed, as the person wrote it; what is sent is ``addressLine(_:)``.
  private let ownAddressee: String?
  private let hasReflection: Bool

  /// The material of a journal that is complete.
  init(_ journal: JournalRecord, people: [PersonRecord]) {
    relationship = journal.conflictType
    feelings = journal.feelings.compactMap(BuiltInFeeling.init(rawValue:))
    speaksOfDanger = !safetyNotices(for: LetterAnswers(journal)).isEmpty
    let words = journal.feelings.filter { BuiltInFeeling(rawValue: $0) == nil }
    let reflection = journal.reflection.flatMap { JournalRules.hasText($0) ? $0 : nil }
    let addressee = journal.addressee.flatMap { JournalRules.hasText($0) ? $0 : nil }
    hasReflection = reflection != nil
    ownAddressee = addressee
    let texts = [journal.situation ?? "", journal.hurt ?? "", journal.need ?? "", reflection ?? "", addressee ?? ""] + words
    masked = deidentify(
      texts,
      listed: Listed(
        names: people.filter { $0.kind == .person }.map(\.name), places: people.filter { $0.kind == .place }.map(\.name),
        addressee: addressee))
  }

  var situation: String { masked.parts[0] }
  var hurt: String { masked.parts[1] }
  var need: String { masked.parts[2] }
  var reflection: String? { hasReflection ? masked.parts[3] : nil }
  var hasAddressee: Bool { ownAddressee != nil }
  /// Whether an answer says 您, which makes the whole of a Chinese letter say it.
  var saysNin: Bool { masked.parts.contains { $0.contains("您") } }
  /// Feelings in the person's own words.
  var ownFeelings: [String] { Array(masked.parts[5...]) }

  /// The line that the letter begins with, the name in it masked; nil without an addressee.
  func addressLine(_ wish: LetterWish) -> String? {
    guard let ownAddressee else { return nil }
    return letterAddressLine(
      ownAddressee, language: wish.language.ofLetters, register: wish.register.ofLetters,
      kind: relationship.ofLetters, shownAs: masked.parts[4])
  }
}
