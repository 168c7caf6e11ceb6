import JSON
import KindVerbAPI
import Letters

/// `journal new`: leads through the five questions, keeps every answer at once, and goes on to the letter.
struct JournalDialogue {
  private let session: Session
  private let type: ConflictType
  private let addressee: String?
  private var journal: Journal?
  private var wizard = Wizard()
  private var emotions: [EmotionEntry] = []
  /// The questions on whose answers a hint was given: one is enough.
  private var hinted: Set<Int> = []
  /// Makes one journal of it however often the first answer is sent.
  private let key = Session.randomKey()
  private var terminal: Terminal { session.terminal }

  init(_ session: Session, type: ConflictType, addressee: String?) {
    self.session = session
    self.type = type
    self.addressee = addressee
    session.keepsTrying = true
  }

  mutating func run() throws(Failure) {
    try refuseWhatCannotBeKept()
    do {
      try begin()
      emotions = try session.call(Methods.EmotionList.self, .init()).items
      explain(.cliWizardIntro)
      showWhatStands()
      while !wizard.isDone {
        guard try question() else { return leave() }
      }
    } catch {
      if error.isInterruption { leave() }
      throw error
    }
    guard let journal else { return }
    let completed = try session.call(Methods.JournalComplete.self, .init(id: journal.id))
    let letter = try session.call(Methods.LetterDraft.self, .init(journalId: completed.id))
    var dialogue = LetterDialogue(session)
    try dialogue.run(letter)
    try NotificationOffer.make(session)
  }

  /// A kind of relationship that cannot be used, or a name that is too long, is refused before anything is asked.
  private func refuseWhatCannotBeKept() throws(Failure) {
    var params: JSONObject = ["conflictType": .string(type.rawValue), "_meta": ["dryRun": true]]
    if let addressee { params["addressee"] = .string(addressee) }
    _ = try session.call("journal.create", params)
  }

  /// A draft that was left half done is offered again.
  private mutating func begin() throws(Failure) {
    let left = try session.call(Methods.JournalResume.self, .init())
    guard let found = left.journal else { return }
    guard try Values.agrees(session, session.text(.cliWizardResume, String(found.createdAt.prefix(10))), byDefault: true) else {
      return
    }
    journal = found
    let answers = Wizard.Answers(
      situation: found.situationText?.exposed, feelings: found.feelings.map { $0.code ?? $0.label.exposed },
      hurt: found.hurtText?.exposed, reflection: found.reflectionText?.exposed, need: found.desiredNeedText?.exposed)
    wizard = Wizard(resuming: answers, open: left.step)
  }

  /// Something said beside the questions.
  private func explain(_ key: MessageKey, _ arguments: String...) {
    explain(key.text(in: session.language, filling: arguments))
  }

  private func explain(_ text: String) { terminal.line(terminal.faint(terminal.wrapped(text))) }

  /// The answers of a journal that goes on.
  private func showWhatStands() {
    for step in 1...5 {
      guard step != wizard.step, let answer = step == 2 ? labels(wizard.answers.feelings) : wizard.answer(step) else { continue }
      terminal.line()
      explain(titles[step - 1])
      terminal.say(terminal.safe(answer))
    }
  }

  /// Asks the present question and takes what is typed; false when the person leaves.
  private mutating func question() throws(Failure) -> Bool {
    ask()
    guard let typed = try read() else { return false }
    let step = wizard.step
    if typed.command == nil || !typed.text.isEmpty {
      guard try take(typed.text) else { return true }
      if typed.command == nil {
        try hint(at: step)
        return true
      }
    }
    guard let command = typed.command else { return true }
    // What stood above the command is the answer of this question already.
    wizard.ask(again: step)
    let former = wizard
    if wizard.obey(command) == .skipped, journal != nil { _ = try keep(or: former) }
    return command != .quit
  }

  /// Takes an answer; false if it cannot be taken, and the question must be asked again.
  private mutating func take(_ answer: String) throws(Failure) -> Bool {
    let former = wizard
    let step = wizard.step
    switch wizard.take(answer: answer, feelings: emotions.map(\.code), labels: emotions.map(\.label)) {
    case .answered:
      guard try keep(or: former) else { return false }
      if step != 2, let text = wizard.answer(step) { explain(.cliWizardCount, String(text.count), String(Wizard.limit)) }
      return true
    case .skipped:
      if step == 4, journal != nil { _ = try keep(or: former) }
      return false
    case .tooLong(let count):
      let limit = step == 2 ? ContractLimits.FeelingText.maxLength : Wizard.limit
      terminal.say(session.text(.cliWizardTooLong, String(count), String(limit)))
    case .needsAnswer: terminal.say(session.text(.cliWizardNeedsAnswer))
    case .tooManyFeelings: terminal.say(session.text(.cliWizardTooManyFeelings))
    case .notInList(let number): terminal.say(session.text(.cliWizardNotInList, number, String(emotions.count)))
    case .back, .quit: break
    }
    return false
  }

  private var titles: [MessageKey] { [.cliStep1, .cliStep2, .cliStep3, .cliStep4, .cliStep5] }

  private func ask() {
    let examples: [MessageKey] = [.cliExample1, .cliExample2, .cliExample3, .cliExample4, .cliExample5]
    terminal.line()
    terminal.line(terminal.strong(terminal.wrapped("\(wizard.step)/5  \(session.text(titles[wizard.step - 1]))")))
    explain(examples[wizard.step - 1])
    if wizard.step == 2 { showEmotions() }
    if wizard.step == 4 { explain(.cliWizardSkip) }
    if let present = wizard.step == 2 ? labels(wizard.answers.feelings) : wizard.answer(wizard.step) {
      explain(.cliWizardPresent, terminal.safe(present))
    }
  }

  /// Feelings as a person reads them: a code as its word in the run's language, an own word as it is. Nil without any.
  private func labels(_ feelings: [String]) -> String? {
    if feelings.isEmpty { return nil }
    return feelings.map { feeling in emotions.first { $0.code == feeling }?.label ?? feeling }.joined(separator: ", ")
  }

  /// The built-in feelings with their numbers, in as many columns as fit.
  private func showEmotions() {
    let cells = emotions.enumerated().map { "\($0.offset + 1) \($0.element.label)" }
    let widest = (cells.map { cellWidth($0) }.max() ?? 0) + 2
    let columns = max(1, (terminal.width ?? 80) / widest)
    for start in stride(from: 0, to: cells.count, by: columns) {
      let row = cells[start..<min(start + columns, cells.count)]
      let line = row.dropLast().map { $0 + String(repeating: " ", count: widest - cellWidth($0)) }.joined() + (row.last ?? "")
      terminal.line(line)
    }
  }

  /// An answer, and the command that it was ended with if not by an empty line.
  private typealias Typed = (text: String, command: Wizard.Command?)

  /// An answer of one or more lines, ended by an empty one or a command; feelings are one line. A pasted text is taken whole.
  /// Nil at the end of input.
  private func read() throws(Failure) -> Typed? {
    let isCounted = terminal.hasLivePrompt && wizard.step != 2
    var lines: [String] = []
    var text: String { lines.joined(separator: "\n") }
    // The line after a pasted one is the rest of the same text, whatever it begins with.
    var isPasting = false
    while true {
      let above = lines.reduce(0) { $0 + $1.count + 1 }
      switch terminal.ask({ isCounted ? "\(above + $0.count)/\(Wizard.limit)> " : "> " }) {
      case .interrupted: throw .interruption
      case .end: return lines.isEmpty ? nil : (text, nil)
      case .notText:
        terminal.complainOfAnswer()
        lines = []
        isPasting = false
      case .pasted(let line):
        lines.append(line)
        isPasting = true
      case .line(let line):
        if line.isEmpty { return (text, nil) }
        switch isPasting ? .text(line) : Wizard.meaning(of: line) {
        case .text(let line):
          lines.append(line)
          if wizard.step == 2 { return (text, nil) }
        case .command(.help): explain(.cliWizardHelp)
        case .command(.skip):
          if wizard.step == 4 { return ("", .skip) }
          terminal.say(session.text(.cliWizardNeedsAnswer))
        case .command(let command): return (text, command)
        case .unknown(let word): terminal.say(session.text(.cliWizardUnknownCommand, terminal.safe(word)))
        }
        isPasting = false
      }
    }
  }

  /// Has the daemon keep the answers. While it cannot be reached the person may try again; an answer that it refuses is asked for
  /// again, as `former` was.
  private mutating func keep(or former: Wizard) throws(Failure) -> Bool {
    var file: KeptText?
    while true {
      do {
        journal = try save()
        file?.remove()
        return true
      } catch {
        terminal.complain(error.message)
        if !error.isPassing {
          file?.stay()
          wizard = former
          return false
        }
        if file == nil, let answer = wizard.answer(former.step) { file = KeptText(answer, session) }
        do throws(Failure) {
          guard try terminal.ask(session.text(.cliWizardTryAgain) + " ") != nil else { throw error }
        } catch {
          file?.stay()
          throw error
        }
      }
    }
  }

  private func save() throws(Failure) -> Journal {
    let answers = wizard.answers
    let feelings = answers.feelings.map { PersonalText($0) }
    let name = addressee.map { PersonalText($0) }
    guard let journal else {
      return try session.call(
        Methods.JournalCreate.self,
        .init(
          conflictType: type, situationText: answers.situation.map { PersonalText($0) }, feelings: feelings, addressee: name),
        key: key)
    }
    let change = { (text: String?) -> Change<PersonalText> in text.map { .set(PersonalText($0)) } ?? .clear }
    return try session.call(
      Methods.JournalUpdate.self,
      .init(
        id: journal.id, situationText: change(answers.situation), feelings: .set(feelings), hurtText: change(answers.hurt),
        reflectionText: change(answers.reflection), desiredNeedText: change(answers.need),
        addressee: name.map { .set($0) } ?? .keep))
  }

  /// Says what might be put more kindly, and asks a question again if the person wants to. What was answered is kept already.
  private mutating func hint(at step: Int) throws(Failure) {
    let answers = LetterAnswers(
      journalId: "", conflictKind: .friends, situation: wizard.answers.situation ?? "", feelings: wizard.answers.feelings,
      hurt: wizard.answers.hurt ?? "", reflection: wizard.answers.reflection, need: wizard.answers.need ?? "")
    guard let question = LetterQuestion(rawValue: step), let hint = writingHint(on: question, of: answers),
      hinted.insert(step).inserted
    else { return }
    let text =
      switch hint {
      case .generalization: session.text(.cliHintGeneralization)
      case .judgement(let feelings): session.text(.cliHintJudgement, labels(feelings.map(\.code)) ?? "")
      case .strategy: session.text(.cliHintStrategy)
      }
    explain(text)
    // Who has typed on is not asked: that line answers the next question.
    if terminal.isTypedAhead { return }
    if try Values.agrees(session, session.text(.cliHintChange), byDefault: false) { wizard.ask(again: step) }
  }

  private func leave() {
    terminal.line()
    terminal.say(
      journal == nil ? session.text(.cliNothingDone) : session.text(.cliWizardKept) + session.next("journal new"))
  }
}
