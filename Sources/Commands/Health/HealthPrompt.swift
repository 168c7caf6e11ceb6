import CivilTime
import KindVerbAPI

/// Asks for a reading at a terminal.
struct HealthPrompt {
  private let question: MessageKey
  private let name: String

  /// `name` is what a script is told to be missing.
  init(_ question: MessageKey, missing name: String) {
    self.question = question
    self.name = name
  }

  /// The parameters that are typed here: an error about one of them is an answer to what was typed.
  private static let fields = ["systolic", "diastolic", "weightKg"]

  /// Asks until there is a reading that is taken. An empty line, or the end of input, records nothing.
  func ask<Value>(
    _ session: Session, about note: String?, reads: (String) throws(Failure) -> Value,
    records: (Value) throws(Failure) -> Void
  ) throws(Failure) {
    let terminal = session.terminal
    guard terminal.isInteractive, !session.options.isJSON else { throw .missing(name, session) }
    // Whoever measures takes some time, and the daemon may be restarted in it. One that is away is told before.
    session.keepsTrying = true
    _ = try session.client()
    if let note { terminal.say(note) }
    while true {
      let line = try terminal.ask(session.text(question) + " ")
      if line == nil, !terminal.hasLivePrompt { terminal.line() }
      guard let text = line.map(Wizard.trimmed), !text.isEmpty else {
        // Who wants nothing has nothing to read.
        session.holdsWindow = false
        throw Failure(.failed, session.text(.cliNothingDone))
      }
      let value: Value
      do { value = try reads(text) } catch {
        terminal.complain(error.message)
        continue
      }
      do { return try records(value) } catch {
        guard Self.fields.contains(error.detail("field") ?? "") else { throw error }
        terminal.complain(error.message)
      }
    }
  }
}

/// The reminder whose click started the program: the daemon gives its command the date and the slot.
struct ClickedReminder {
  let date: String
  let slot: Slot

  private static func variable(_ name: String) -> String? { OutsideText.variable(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the terminal was opened by a click.
  static var isOpen: Bool { variable("KINDVERB_SLOT") != nil }

  /// What the environment says; nil where it names neither. One without the other got lost on the way: nobody knows what it means.
  static func read(_ session: Session) throws(Failure) -> ClickedReminder? {
    let (date, name) = (variable("KINDVERB_DATE"), variable("KINDVERB_SLOT"))
    if date == nil, name == nil { return nil }
    guard let date else { throw .usage(session.text(.cliErrorWrongValue, "KINDVERB_DATE", "")) }
    guard let name else { throw .usage(session.text(.cliErrorWrongValue, "KINDVERB_SLOT", "")) }
    guard let slot = Slot(rawValue: name) else {
      let message = session.text(.cliErrorWrongValue, "KINDVERB_SLOT", name)
      throw .choice(message, of: Slot.allCases.map(\.rawValue), session.language)
    }
    guard CivilDate(iso: date) != nil else {
      let message = session.text(.cliErrorWrongValue, "KINDVERB_DATE", date)
      throw .usage(message + " " + session.text(.cliErrorExpected, "YYYY-MM-DD"))
    }
    return ClickedReminder(date: date, slot: slot)
  }
}
