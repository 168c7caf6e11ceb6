import KindVerbAPI

/// `graph`: the last days as a picture of characters.
enum GraphCommand {
  /// How many days there are graphs of.
  static let lengths = [7, 30]

  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let word = arguments.words.first ?? "7"
    guard let days = Int(word), lengths.contains(days), word == String(days) else {
      throw .choice(
        session.text(.cliErrorWrongValue, "graph", word), of: lengths.map { String($0) }, session.language)
    }
    let series = try session.call(Methods.HealthSeriesGet.self, .init(days: days))
    session.show(series) {
      let graph = HealthGraph(
        series, session.language, width: min(session.terminal.width ?? HealthGraph.widest, HealthGraph.widest),
        isPlain: Terminal.isPlain)
      for line in graph.lines { session.terminal.line(line) }
      means(series.means, session)
    }
  }

  private static func means(_ means: HealthMeans, _ session: Session) {
    let pressures: [(MessageKey, PressureMean?)] = [
      (.cliHealthMorning, means.morning), (.cliHealthEvening, means.evening), (.cliHealthAll, means.all),
    ]
    var table = Table()
    for (name, mean) in pressures {
      guard let mean else { continue }
      let value = HealthText.tenths(mean.systolic) + "/" + HealthText.tenths(mean.diastolic) + " mmHg"
      table.add(["  " + session.text(name), value, "(\(mean.count))"])
    }
    if let mean = means.weight {
      table.add(["  " + session.text(.cliHealthWeight), HealthText.tenths(mean.weightKg) + " kg", "(\(mean.count))"])
    }
    let lines = table.whole(width: session.terminal.width ?? HealthGraph.widest)
    if lines.isEmpty { return }
    session.terminal.line()
    session.terminal.say(session.text(.cliHealthMeans))
    for line in lines { session.terminal.line(line) }
  }
}
