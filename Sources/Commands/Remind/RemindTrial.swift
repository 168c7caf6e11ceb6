import KindVerbAPI

/// `remind test`: a reminder as it would look, or why there is none, and what helps.
enum RemindTrial {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let slot = try arguments.words.first.map { (word) throws(Failure) in try Self.slot(word, session) }
    let trial = try session.call(Methods.ReminderTest.self, .init(slot: slot))
    session.show(trial) { if trial.outcome == .shown { session.terminal.say(session.text(.cliRemindTestShown)) } }
    guard trial.outcome != .shown else { return }
    throw Failure(.failed, session.text(why(trial.reason)))
  }

  private static func slot(_ word: String, _ session: Session) throws(Failure) -> Slot {
    if let slot = Slot(rawValue: word) { return slot }
    let message = session.text(.cliErrorWrongValue, "remind test", word)
    throw .choice(message, of: Slot.allCases.map(\.rawValue), session.language)
  }

  private static func why(_ reason: String?) -> MessageKey {
    switch reason {
    case "no_bus": .cliRemindTestNoBus
    case "no_service": .cliRemindTestNoService
    case "no_answer": .cliRemindTestNoAnswer
    default: .cliRemindTestRefused
    }
  }
}
