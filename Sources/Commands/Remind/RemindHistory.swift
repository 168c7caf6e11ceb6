import CivilTime
import KindVerbAPI

/// `remind history`: what became of the reminders, the newest decision first.
enum RemindHistory {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let zone = try LocalClock.ofDaemon(session).zone
    try Listing(arguments, session).show(session, rows: { show($0, zone, session) }) { (limit, before) throws(Failure) in
      let page = try session.call(Methods.ReminderHistory.self, .init(limit: limit, before: before))
      return (page.items, page.next)
    }
  }

  private static func show(_ items: [PastReminder], _ zone: Zone, _ session: Session) {
    if items.isEmpty { return session.terminal.say(session.text(.cliRemindNone)) }
    var table = Table()
    for item in items { table.add(row(item, zone, session)) }
    for line in table.lines(width: session.terminal.width) { session.terminal.line(line) }
  }

  /// Date, slot, what became of it, when, and how late it came.
  static func row(_ item: PastReminder, _ zone: Zone, _ session: Session) -> [String] {
    var row = [date(item.dateIso, session), HealthText(session).name(item.slot.part), outcome(item, session)]
    let at = Instants.milliseconds(item.at).map { Instants.wall($0, offsetMinutes: Int64(zone.offset(at: $0) / 60)) }
    row.append(at.map { $0.date == item.dateIso ? $0.time : "\($0.date) \($0.time)" } ?? item.at)
    // What never was on the screen was not late.
    if item.outcome == .shown, item.lateBySeconds >= 60 {
      row.append(session.text(.cliRemindLate, Units.duration(seconds: item.lateBySeconds, session)))
    }
    return row
  }

  private static func date(_ iso: String, _ session: Session) -> String {
    let names = session.text(.cliCalendarWeekdays).split(separator: " ")
    guard let date = CivilDate(iso: iso), names.count == 7 else { return iso }
    return "\(iso) \(names[date.weekday])"
  }

  private static func outcome(_ item: PastReminder, _ session: Session) -> String {
    switch item.outcome {
    case .shown: session.text(item.activatedAt == nil ? .cliRemindOutcomeShown : .cliRemindOutcomeClicked)
    case .suppressed: session.text(.cliRemindOutcomeSuppressed)
    case .missed: session.text(.cliRemindOutcomeMissed)
    case .notShown: session.text(.cliRemindOutcomeNotShown)
    }
  }
}
