import KindVerbAPI

/// `calendar`: a month at a glance.
enum CalendarCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let calendar = try session.call(Methods.HealthCalendarGet.self, .init(month: arguments.words.first))
    session.show(calendar) {
      let grid = MonthGrid(calendar, session.language, width: session.terminal.width, strong: session.terminal.strong)
      for line in grid.lines { session.terminal.line(line) }
    }
  }
}
