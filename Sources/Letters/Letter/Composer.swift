/// Turns five answers into a letter: observation, feeling, need, request. The same request gives the same letter on any machine.
public func composeLetter(_ request: LetterRequest) -> ComposedLetter {
  let composer = Composer(request)
  return ComposedLetter(content: composer.compose().content, register: composer.register, notices: composer.notices)
}

/// The notices that some answers call for, whether or not a letter is made. Mostly empty.
public func safetyNotices(for answers: LetterAnswers) -> [SafetyNotice] {
  SafetyCues.notices(in: [answers.situation, answers.hurt, answers.reflection ?? "", answers.need] + answers.feelings)
}

/// Everything that is settled before the first word is written.
struct Composer {
  let language: LetterLanguage
  let register: LetterRegister
  let notices: [SafetyNotice]
  let bank: PhraseBank
  let feelings: Feelings
  let situation: String?
  let hurt: String?
  let reflection: String?
  let need: String?
  private let tone: LetterTone
  private let addressee: String?

  init(_ request: LetterRequest) {
    let answers = request.answers
    language = request.language
    tone = request.tone
    register =
      request.register ?? defaultRegister(language: language, kind: answers.conflictKind, addressee: answers.addressee)
    notices = safetyNotices(for: answers)
    feelings = Feelings(answers.feelings, language: language)
    situation = cleaned(answers.situation)
    hurt = Self.hurt(cleaned(answers.hurt), unlike: situation)
    reflection = answers.reflection.flatMap(cleaned).flatMap { isSkippedInWords($0) ? nil : $0 }
    need = cleaned(answers.need)
    addressee = answers.addressee.flatMap(cleanedLine)
    let allTexts = [answers.situation, answers.hurt, answers.reflection ?? "", answers.need] + answers.feelings
    let isSenior = answers.conflictKind == .parentChild || answers.conflictKind == .inLaws
    bank = PhraseBank(
      language: language, kind: answers.conflictKind,
      voice: Voice(register, language: language, kind: answers.conflictKind), journal: answers.journalId,
      iteration: min(max(request.iteration, 1), 1_000_000),
      respectful: allTexts.contains { $0.contains("您") } || (register == .polite && isSenior))
  }

  /// Nothing is said twice: a hurt that only repeats the situation is left out.
  private static func hurt(_ hurt: String?, unlike situation: String?) -> String? {
    guard let hurt, let situation else { return hurt }
    return saysTheSame(hurt, situation) ? nil : hurt
  }

  /// Whether nothing in the answers speaks of danger.
  var isSafe: Bool { notices.isEmpty }

  func compose() -> Page {
    var page = Page(language: language)
    if let addressee {
      let line = addressLine(addressee, language: language, voice: bank.voice)
      page.add(addressPieces(line))
    }
    let steps =
      isSafe ? plan(for: tone, iteration: bank.iteration, hasOwnPart: reflection != nil) : safetyPlan
    for paragraph in steps {
      page.beginParagraph()
      for step in paragraph { write(step, on: &page) }
    }
    return page
  }

  private func addressPieces(_ line: AddressLine) -> [Page.Piece] {
    [
      Page.Piece(text: line.before, source: .address), Page.Piece(text: line.name, source: .addressee),
      Page.Piece(text: line.after, source: .address),
    ]
  }

  private func write(_ step: Step, on page: inout Page) {
    switch step {
    case .phrase(let slot): say(slot, on: &page)
    case .first(let slot): page.add([Page.Piece(text: bank.text(of: slot.rawValue, at: 0), source: .phrase(slot))])
    case .situation:
      writeAnswer(situation, AnswerSlots(own: .situationOwn, quoted: .situationNote, word: .situationWord), on: &page)
    case .hurt: writeAnswer(hurt, AnswerSlots(own: .hurt, quoted: .hurt, word: .hurtWord), on: &page)
    case .need: writeAnswer(need, AnswerSlots(own: .need, quoted: .need, word: .needWord), on: &page)
    case .own: writeOwnPart(on: &page)
    case .feelings: writeFeelings(on: &page)
    case .ask(let afterCondition): ask(afterCondition: afterCondition, on: &page)
    }
  }

  /// A sentence of ours. Where it would begin like the sentence before it, another of its slot's phrases stands in, one that the
  /// neighbouring drafts do not use.
  func say(
    _ slot: Slot, row: String? = nil, shift: Int = 0, on page: inout Page, filling: (String) -> [Page.Piece]
  ) {
    var pieces: [Page.Piece] = []
    for other in [0, 2, 1, 3] {
      pieces = filling(bank.phrase(slot, named: row, shift: shift + other))
      let sentence = pieces.map(\.text).joined()
      guard page.repeatsBeginning(of: sentence) else { break }
    }
    page.add(pieces)
    page.noteBeginning(of: pieces.map(\.text).joined())
  }

  func say(_ slot: Slot, on page: inout Page) {
    say(slot, on: &page) { [Page.Piece(text: $0, source: .phrase(slot))] }
  }

  private func ask(afterCondition: Bool, on page: inout Page) {
    guard afterCondition else { return say(.ask, on: &page) }
    say(.ifOpen, on: &page)
    let question = bank.phrase(.ask)
    let continued = language == .en ? question.prefix(1).lowercased() + question.dropFirst() : question
    page.add([Page.Piece(text: continued, source: .phrase(.ask))])
  }
}
