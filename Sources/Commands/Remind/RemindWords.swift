import CivilTime
import KindVerbAPI

/// What comes next, in words: "Evening: this evening is already recorded; tomorrow 21:00."
struct RemindWords {
  private let plan: RemindPlan
  private let language: Language
  private let today: CivilDate?
  private let clock: LocalClock

  /// `clock` is the one here, which knows when clocks are changed.
  init(_ plan: RemindPlan, _ language: Language, clock: LocalClock = .present) {
    self.plan = plan
    self.language = language
    self.clock = clock
    today = plan.upcoming.flatMap { CivilDate(iso: $0.today) }
  }

  private func text(_ key: MessageKey, _ arguments: String...) -> String { key.text(in: language, filling: arguments) }

  /// What will happen to a slot, up to its next reminder, and why. After an edit (`isNew`) it is said why it is not today.
  func line(_ slot: Slot, isNew: Bool = false) -> String {
    let name = text(slot == .morning ? .cliRemindMorning : .cliRemindEvening)
    let settings = plan.settings
    let (isOn, time) =
      slot == .morning
      ? (settings.morningEnabled, settings.morningTime) : (settings.eveningEnabled, settings.eveningTime)
    guard isOn else { return text(.cliRemindLine, name, text(.cliRemindOff)) }
    var clauses: [String] = []
    for item in plan.upcoming?.items ?? [] where item.slot == slot {
      let date = CivilDate(iso: item.dateIso)
      if isNew, clauses.isEmpty, let date, let today, date > today { clauses.append(text(.cliRemindPassed, time)) }
      clauses.append(clause(item, time))
      if item.state == .scheduled { break }
    }
    if clauses.isEmpty { clauses = [text(.cliRemindDaily, time)] }
    return text(.cliRemindLine, name, clauses.joined(separator: text(.cliRemindSeparator)))
  }

  private func clause(_ item: UpcomingReminder, _ time: String) -> String {
    switch item.state {
    case .scheduled:
      let day = day(item.dateIso)
      return item.localTime == time
        ? text(.cliRemindScheduled, day, item.localTime) : text(.cliRemindPutForward, day, item.localTime, time)
    case .recorded: return text(.cliRemindRecorded, part(item))
    case .shown: return text(.cliRemindShown, part(item))
    case .waiting: return text(.cliRemindWaiting, part(item), end(item))
    }
  }

  /// What the wall will show when it is too late for a reminder.
  private func end(_ item: UpcomingReminder) -> String {
    guard let end = Instants.milliseconds(item.endsAt) else { return item.endsAt }
    // Not the offset of now: clocks may be changed until then.
    let zone = clock.moved(toMinutes: plan.upcoming?.utcOffsetMinutes ?? 0).zone
    return Instants.wall(end, offsetMinutes: Int64(zone.offset(at: end) / 60)).time
  }

  /// A date as people name it.
  func day(_ iso: String) -> String { Self.day(iso, today: today, language) }

  /// A date as people name it on a day.
  static func day(_ iso: String, today: CivilDate?, _ language: Language) -> String {
    guard let date = CivilDate(iso: iso) else { return iso }
    switch today.map({ date.day - $0.day }) {
    case -1: return MessageKey.cliRemindYesterday.text(in: language)
    case 0: return MessageKey.cliRemindToday.text(in: language)
    case 1: return MessageKey.cliRemindTomorrow.text(in: language)
    default: break
    }
    let (year, month, dayOfMonth) = date.parts
    let names = { (key: MessageKey) in key.text(in: language).split(separator: " ").map(String.init) }
    let (weekdays, months) = (names(.cliRemindWeekdays), names(.cliCalendarMonths))
    guard year == today?.parts.year, weekdays.count == 7, months.count == 12 else { return iso }
    return MessageKey.cliRemindDate.text(
      in: language, filling: [weekdays[date.weekday], months[month - 1], String(dayOfMonth)])
  }

  /// A date's morning or evening as people name it.
  private func part(_ item: UpcomingReminder) -> String {
    let isMorning = item.slot == .morning
    switch (CivilDate(iso: item.dateIso)?.day).flatMap({ day in today.map { day - $0.day } }) {
    case -1: return text(isMorning ? .cliRemindYesterdayMorning : .cliRemindYesterdayEvening)
    case 0: return text(isMorning ? .cliRemindThisMorning : .cliRemindThisEvening)
    case 1: return text(isMorning ? .cliRemindTomorrowMorning : .cliRemindTomorrowEvening)
    default: return text(isMorning ? .cliRemindOtherMorning : .cliRemindOtherEvening, day(item.dateIso))
    }
  }
}
