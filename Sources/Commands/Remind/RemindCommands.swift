import CivilTime
import JSON
import KindVerbAPI

/// `remind`, `remind morning …`, `remind evening …`
enum RemindCommands {
  /// What may stand in the place of a time.
  static let words = ["on", "off"]
  /// Enough of what is to come for the next of each slot: a date or two of each may be recorded or shown already.
  private static let looksAhead = 12

  static func show(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    if !arguments.words.isEmpty { throw Verb.unknown(["remind"] + arguments.words, session) }
    let plan = try plan(session)
    session.show(plan) {
      let words = RemindWords(plan, session.language)
      for slot in Slot.allCases { session.terminal.say(words.line(slot)) }
      let isOff = !plan.settings.morningEnabled && !plan.settings.eveningEnabled
      if isOff, session.terminal.isTerminal { hint("remind morning \(plan.settings.morningTime)", session) }
    }
    warn(plan, session)
  }

  static func morning(_ session: Session, _ arguments: VerbArguments) throws(Failure) { try run(.morning, session, arguments) }

  static func evening(_ session: Session, _ arguments: VerbArguments) throws(Failure) { try run(.evening, session, arguments) }

  private static func run(_ slot: Slot, _ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let word = arguments.words.first
    let plan: RemindPlan
    if let word { plan = try set(slot, word, session) } else { plan = try self.plan(session) }
    session.show(plan) {
      session.terminal.say(RemindWords(plan, session.language).line(slot, isNew: word != nil))
      let isOn = word != nil && word != "off" && !session.options.isDryRun
      if isOn, session.terminal.isTerminal { hint("remind test", session) }
    }
    warn(plan, session)
  }

  private static func set(_ slot: Slot, _ word: String, _ session: Session) throws(Failure) -> RemindPlan {
    let settings = try session.call(Methods.ReminderSettingsSet.self, try change(slot, word, session))
    // What would come next after a change that is not made, nobody knows.
    return session.options.isDryRun ? RemindPlan(settings: settings, upcoming: nil) : try plan(session, settings)
  }

  private static func change(_ slot: Slot, _ word: String, _ session: Session) throws(Failure)
    -> Methods.ReminderSettingsSet.Params
  {
    let isOn = word != "off"
    let time = words.contains(word) ? nil : TimeOfDay(word)?.text
    guard words.contains(word) || time != nil else { throw .usage(showing: session.text(.cliRemindForm, word)) }
    return switch slot {
    case .morning: .init(morningEnabled: isOn, morningTime: time)
    case .evening: .init(eveningEnabled: isOn, eveningTime: time)
    }
  }

  private static func plan(_ session: Session) throws(Failure) -> RemindPlan {
    try plan(session, try session.call(Methods.ReminderSettingsGet.self, .init()))
  }

  private static func plan(_ session: Session, _ settings: ReminderSettings) throws(Failure) -> RemindPlan {
    RemindPlan(
      settings: settings, upcoming: try session.call(Methods.ReminderUpcoming.self, .init(limit: looksAhead)))
  }

  private static func hint(_ verb: String, _ session: Session) {
    let next = session.next(verb)
    if !next.isEmpty { session.terminal.say(String(next.dropFirst())) }
  }

  /// A zone that is not the one in force makes reminders come at another time than was meant.
  private static func warn(_ plan: RemindPlan, _ session: Session) {
    let key: MessageKey
    switch plan.upcoming?.zoneProblem {
    case .unknownZone: key = .cliRemindUnknownZone
    case .unreadableFile: key = .cliRemindUnreadableZone
    case nil: return
    }
    session.terminal.complain("kindverb: " + session.text(key))
  }
}

/// What is set, and what comes of it.
struct RemindPlan: JSONEncodable {
  let settings: ReminderSettings
  /// Nil where nobody knows.
  let upcoming: UpcomingReminders?

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("settings")
    settings.write(to: &writer)
    writer.name("upcoming")
    if let upcoming { upcoming.write(to: &writer) } else { writer.null() }
    writer.endObject()
  }
}
