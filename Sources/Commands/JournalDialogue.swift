import KindVerbAPI

/// `journal new`: leads through the five questions, keeps every answer at once, and goes on to the letter.
struct JournalDialogue {
  private let session: Session
  private var terminal: Terminal { session.terminal }

  init(_ session: Session) { self.session = session }

  func run(_ type: ConflictType) throws(Failure) {
    var (journal, wizard) = try begin(type)
    let emotions = try session.call(Methods.EmotionList.self, .init()).items
    terminal.line(terminal.faint(session.text(.cliWizardIntro)))
    while !wizard.isDone {
      ask(wizard, emotions)
      guard let input = read(wizard.step) else { return leave(journal) }
      let step = wizard.step
      switch wizard.take(input, feelings: emotions.map(\.code)) {
      case .answered:
        journal = try save(journal, wizard, type)
        if step != 2, let text = wizard.answer(step) {
          terminal.line(terminal.faint(session.text(.cliWizardCount, String(text.count), String(Wizard.limit))))
        }
      case .skipped where step == 4 && journal != nil: journal = try save(journal, wizard, type)
      case .skipped, .back: break
      case .tooLong(let count):
        terminal.line(session.text(.cliWizardTooLong, String(count), String(step == 2 ? 24 : Wizard.limit)))
      case .needsAnswer: terminal.line(session.text(.cliWizardNeedsAnswer))
      case .tooManyFeelings: terminal.line(session.text(.cliWizardTooManyFeelings))
      case .quit: return leave(journal)
      }
    }
    guard let journal else { return }
    let completed = try session.call(Methods.JournalComplete.self, .init(id: journal.id))
    let letter = try session.call(Methods.LetterDraft.self, .init(journalId: completed.id))
    try LetterDialogue(session).run(letter)
  }

  /// A draft that was left half done is offered again.
  private func begin(_ type: ConflictType) throws(Failure) -> (Journal?, Wizard) {
    let left = try session.call(Methods.JournalResume.self, .init())
    guard let journal = left.journal else { return (nil, Wizard()) }
    terminal.prompt(session.text(.cliWizardResume, String(journal.createdAt.prefix(10))) + " [Y/n] ")
    let answer = terminal.readLine()?.lowercased() ?? "n"
    if ["n", "no", "아니요", "아니오", "いいえ", "否", "不"].contains(answer) { return (nil, Wizard()) }
    let answers = Wizard.Answers(
      situation: journal.situationText?.exposed, feelings: journal.feelings.map { $0.code ?? $0.label.exposed },
      hurt: journal.hurtText?.exposed, reflection: journal.reflectionText?.exposed, need: journal.desiredNeedText?.exposed)
    return (journal, Wizard(step: left.step ?? 5, answers: answers))
  }

  private func ask(_ wizard: Wizard, _ emotions: [EmotionEntry]) {
    let titles: [MessageKey] = [.cliStep1, .cliStep2, .cliStep3, .cliStep4, .cliStep5]
    let examples: [MessageKey] = [.cliExample1, .cliExample2, .cliExample3, .cliExample4, .cliExample5]
    terminal.line()
    terminal.line(terminal.strong("\(wizard.step)/5  \(session.text(titles[wizard.step - 1]))"))
    terminal.line(terminal.faint(session.text(examples[wizard.step - 1])))
    if wizard.step == 2 { showEmotions(emotions) }
    if wizard.step == 4 { terminal.line(terminal.faint(session.text(.cliWizardSkip))) }
    if let present = wizard.step == 2 ? labels(wizard.answers.feelings, emotions) : wizard.answer(wizard.step) {
      terminal.line(terminal.faint(session.text(.cliWizardPresent, terminal.safe(present))))
    }
  }

  /// Feelings as a person reads them: a code as its word in the run's language, an own word as it is. Nil without any.
  private func labels(_ feelings: [String], _ emotions: [EmotionEntry]) -> String? {
    if feelings.isEmpty { return nil }
    return feelings.map { feeling in emotions.first { $0.code == feeling }?.label ?? feeling }.joined(separator: ", ")
  }

  /// The built-in feelings with their numbers, in as many columns as fit.
  private func showEmotions(_ emotions: [EmotionEntry]) {
    let cells = emotions.enumerated().map { "\($0.offset + 1) \($0.element.label)" }
    let widest = (cells.map { cellWidth($0) }.max() ?? 0) + 2
    let columns = max(1, (terminal.width ?? 80) / widest)
    for start in stride(from: 0, to: cells.count, by: columns) {
      let row = cells[start..<min(start + columns, cells.count)]
      terminal.line(row.map { $0 + String(repeating: " ", count: widest - cellWidth($0)) }.joined())
    }
  }

  /// An answer of one or more lines, ended by an empty one; feelings and commands are one line. Nil at the end of input.
  private func read(_ step: Int) -> String? {
    var lines: [String] = []
    while true {
      terminal.prompt("> ")
      guard let line = terminal.readLine() else { return lines.isEmpty ? nil : lines.joined(separator: "\n") }
      if line.isEmpty { return lines.joined(separator: "\n") }
      if lines.isEmpty, line.hasPrefix("/") { return line }
      lines.append(line)
      if step == 2 { return line }
    }
  }

  private func save(_ journal: Journal?, _ wizard: Wizard, _ type: ConflictType) throws(Failure) -> Journal {
    let answers = wizard.answers
    let feelings = answers.feelings.map { PersonalText($0) }
    guard let journal else {
      return try session.call(
        Methods.JournalCreate.self,
        .init(conflictType: type, situationText: answers.situation.map { PersonalText($0) }, feelings: feelings))
    }
    let change = { (text: String?) -> Change<PersonalText> in text.map { .set(PersonalText($0)) } ?? .clear }
    return try session.call(
      Methods.JournalUpdate.self,
      .init(
        id: journal.id, situationText: change(answers.situation), feelings: .set(feelings), hurtText: change(answers.hurt),
        reflectionText: change(answers.reflection), desiredNeedText: change(answers.need)))
  }

  private func leave(_ journal: Journal?) {
    terminal.line()
    terminal.line(session.text(journal == nil ? .cliNothingDone : .cliWizardKept))
  }
}
