import KindVerbAPI

/// `undo`: takes back the last change of readings.
enum UndoCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let undone = try session.call(Methods.HealthUndo.self, .init())
    session.show(undone) {
      let text = HealthText(session)
      let value = text.value(undone.part, of: undone.record) ?? session.text(.cliHealthNothing)
      session.terminal.say(session.text(.cliHealthUndone, undone.dateIso, text.name(undone.part), value))
    }
  }
}
