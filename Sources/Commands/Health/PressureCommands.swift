import CivilTime
import KindVerbAPI

/// `bp …`
enum PressureCommands {
  static func set(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let given = try Given(session, arguments)
    guard arguments.words.isEmpty else {
      return try record(HealthWords.pressure(arguments.words, session), given, session, note: given.note(session))
    }
    try HealthPrompt(.cliHealthAskPressure, missing: "SYSTOLIC/DIASTOLIC").ask(
      session, about: given.note(session), reads: { (line) throws(Failure) in try HealthWords.pressure([line], session) },
      records: { (value) throws(Failure) in try record(value, given, session, note: nil) })
  }

  private static func record(
    _ value: (systolic: Int, diastolic: Int), _ given: Given, _ session: Session, note: String?
  ) throws(Failure) {
    let (slot, measured) = try given.place(session)
    do {
      try HealthChanges.record(
        slot.part, HealthText(session).pressure(value.systolic, value.diastolic), by: Methods.HealthRecordSet.self,
        replace: given.replaces, session
      ) { replace in
        .init(
          slot: slot, systolic: value.systolic, diastolic: value.diastolic, dateIso: given.date,
          measuredAtEpochMs: measured.map { Int($0) }, replace: replace ? true : nil)
      }
    } catch { throw given.named(error, session) }
    if let note, !session.options.isJSON { session.terminal.say(note) }
  }

  static func clear(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let given = try HealthWords.slot(arguments, session)
    var place = (date: arguments.words.first, slot: given)
    if place.date == nil, given != .morning, case let clock = try LocalClock.ofDaemon(session), clock.isNight {
      // What is recorded now goes to the evening before, and so does what is taken away.
      place = (clock.date.iso, .evening)
    }
    let day = try session.call(Methods.HealthDayGet.self, .init(dateIso: place.date))
    let slot: Slot
    switch (place.slot, day.record?.morningSystolic != nil, day.record?.eveningSystolic != nil) {
    case (let given?, _, _): slot = given
    case (nil, true, true): throw .usage(showing: session.text(.cliHealthWhichSlot))
    case (nil, _, let isEvening): slot = isEvening ? .evening : .morning
    }
    let change = try session.call(Methods.HealthRecordClear.self, .init(dateIso: day.dateIso, slot: slot))
    HealthChanges.showCleared(change, slot.part, session)
  }
}

/// What the person said of where a reading belongs, before the reading itself.
private struct Given {
  let date: String?
  let replaces: Bool
  private let slot: Slot?
  private let time: TimeOfDay?
  private let isReminder: Bool
  /// The options of date and time as they were typed.
  private let typed: [String]

  init(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    var date = arguments["date"]
    var slot = try HealthWords.slot(arguments, session)
    let clicked = date == nil && slot == nil ? try ClickedReminder.read(session) : nil
    if let clicked { (date, slot) = (clicked.date, clicked.slot) }
    (self.date, self.slot, isReminder) = (date, slot, clicked != nil)
    replaces = arguments["replace"] != nil
    time = try arguments["at"].map { (text) throws(Failure) in
      guard let time = TimeOfDay(text) else { throw .usage(session.text(.cliHealthNoTime, "--at", text)) }
      return time
    }
    typed = ["date", "at"].compactMap { name in arguments[name].map { "--\(name) \($0)" } }
  }

  /// Says that it is for the reminder that was clicked; nil if it is for none.
  func note(_ session: Session) -> String? {
    guard isReminder, let date, let slot else { return nil }
    return session.text(.cliHealthOfReminder, date, HealthText(session).name(slot.part))
  }

  /// The slot, and when it was measured if a time was given. The clock decides for a slot only where it means the same date.
  func place(_ session: Session) throws(Failure) -> (slot: Slot, measured: Int64?) {
    if let slot, time == nil { return (slot, nil) }
    let clock = try LocalClock.ofDaemon(session)
    // A date that is none is the daemon's to refuse.
    let date = date.flatMap(CivilDate.init(iso:))
    guard let slot = slot ?? guess(date, clock) else {
      throw .usage(showing: session.text(.cliHealthNeedsSlot, date?.iso ?? ""))
    }
    return (slot, time.flatMap { HealthWords.instant($0, date: date, slot: slot, now: clock.now, in: clock.zone) })
  }

  private func guess(_ date: CivilDate?, _ clock: LocalClock) -> Slot? {
    if let time {
      // Of a date, a time after midnight may mean the night before it or the one after.
      return date != nil && Slot.isNight(second: time.minute * 60) ? nil : HealthWords.slot(atSecond: time.minute * 60)
    }
    return date == nil || date == clock.date ? clock.slot : nil
  }

  /// An error of the daemon about an instant that was made of these options, in their words.
  func named(_ error: Failure, _ session: Session) -> Failure {
    guard error.detail("field") == "measuredAtEpochMs", !typed.isEmpty else { return error }
    let key: MessageKey = error.detail("unit") == "minimum" ? .errorHealthDateInvalid : .errorHealthDateAhead
    return error.saying(session.text(key) + " (\(typed.joined(separator: ", ")))")
  }
}
