/// A place in a letter that takes one of several phrases of equal weight. The raw value is the slot's name in the catalog and in
/// the choice of phrases.
enum Slot: String, CaseIterable {
  case opening, openingShort, cushion, honest, care
  case situationOwn, situationNote, situationWord
  case view, viewShort
  case felt, feltMore, regret, warm
  case wordFirst, wordMore, wordSoften
  case hurt, hurtWord
  case own, ownWord, sorry, said
  case need, needWord
  case ifOpen, ask, askShort, wayOut, wayOutShort
  case close, closeSafe

  /// How many phrases the slot has.
  var count: Int {
    switch self {
    case .situationWord, .hurtWord, .ownWord, .needWord, .closeSafe: 2
    default: 4
    }
  }
}

/// A speech level as the catalog knows it: the register, with the Korean 합니다체 as a third.
enum Voice: String, CaseIterable {
  case casual, polite, formal

  init(_ register: LetterRegister, language: LetterLanguage, kind: ConflictKind) {
    switch register {
    case .casual: self = .casual
    case .polite: self = language == .ko && kind == .inLaws ? .formal : .polite
    }
  }
}

/// The phrases of one letter: which of them the journal and the iteration choose, with the fixed blanks filled.
struct PhraseBank {
  let language: LetterLanguage
  let kind: ConflictKind
  let voice: Voice
  let journal: String
  let iteration: Int
  /// Whether a Chinese letter says 您.
  let respectful: Bool

  /// The phrase of `slot`. `name` takes the texts of another row of the catalog with the slot's own choice.
  func phrase(_ slot: Slot, named name: String? = nil, shift: Int = 0) -> String {
    text(of: name ?? slot.rawValue, at: (index(of: slot) + shift) % slot.count)
  }

  /// Which of the slot's phrases, from 0, the draft takes.
  func index(of slot: Slot) -> Int {
    choice(of: slot.count, slot: slot.rawValue, journal: journal, iteration: iteration)
  }

  /// Phrase `index` (from 0) of a row, whatever the choice would be.
  func text(of row: String, at index: Int) -> String {
    var row = row
    if row == Slot.care.rawValue { row += index < 2 ? "." + kind.rawValue : ".any" }
    let key = "letter." + voice.rawValue + "." + row + "." + String(index + 1)
    return filledWithAddress(LetterCatalog.text(key, language: language.index) ?? "")
  }

  /// Whether Korean apologises and thanks with the humble words: always in 합니다체, and from child to parent.
  var isHumble: Bool { voice == .formal || (voice == .polite && kind == .parentChild) }

  private func filledWithAddress(_ phrase: String) -> String {
    switch language {
    case .zhHans: return fill(phrase, "{you}", with: respectful ? "您" : "你")
    case .ko: return fill(fill(phrase, "{S}", with: isHumble ? "죄송" : "미안"), "{T}", with: isHumble ? "감사해요" : "고마워요")
    case .en, .ja: return phrase
    }
  }
}

/// Puts `value` into every blank `name` of one of our phrases. Never used on a person's text.
func fill(_ phrase: String, _ name: String, with value: String) -> String {
  guard phrase.utf8.contains(UInt8(ascii: "{")) else { return phrase }
  return phrase.split(separator: name, omittingEmptySubsequences: false).joined(separator: value)
}

/// The two sides of the blank `name` in one of our phrases; the second is empty if there is none.
func sides(of phrase: String, around name: String) -> (before: String, after: String) {
  let parts = phrase.split(separator: name, maxSplits: 1, omittingEmptySubsequences: false)
  return (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : "")
}
