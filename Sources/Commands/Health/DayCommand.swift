import KindVerbAPI

/// `day`: what is recorded of a day.
enum DayCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let day = try session.call(Methods.HealthDayGet.self, .init(dateIso: arguments.words.first))
    session.show(day) { show(day, session) }
  }

  private static func show(_ day: HealthDay, _ session: Session) {
    let text = HealthText(session)
    let terminal = session.terminal
    if terminal.isTerminal {
      let today = day.isToday ? " (\(session.text(.cliHealthToday)))" : ""
      let status = text.status(day.status)
      if cellWidth(day.dateIso + today + "  " + status) <= terminal.width ?? .max {
        terminal.line(terminal.strong(day.dateIso + today) + "  " + status)
      } else {
        for line in [day.dateIso + today, status] { terminal.say(line) }
      }
    }
    var table = Table()
    for part in HealthPart.allCases {
      table.add([
        text.name(part), text.value(part, of: day.record) ?? "-", time(part, of: day.record, on: day.dateIso),
      ])
    }
    for line in table.whole(width: terminal.width) { terminal.line(trimmedEnd(line)) }
  }

  /// What the wall showed when it was measured: the time, and the date where that is another; nothing where it is not known.
  private static func time(_ part: HealthPart, of record: DailyHealthRecord?, on date: String) -> String {
    guard let record else { return "" }
    let measured: (Int?, Int?) =
      switch part {
      case .morning: (record.morningMeasuredAtEpochMs, record.morningMeasuredOffsetMinutes)
      case .evening: (record.eveningMeasuredAtEpochMs, record.eveningMeasuredOffsetMinutes)
      case .weight: (record.weightMeasuredAtEpochMs, record.weightMeasuredOffsetMinutes)
      }
    guard let at = measured.0, let offset = measured.1 else { return "" }
    let wall = Instants.wall(Int64(at), offsetMinutes: Int64(offset))
    return wall.date == date ? wall.time : wall.date + " " + wall.time
  }

  private static func trimmedEnd(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
