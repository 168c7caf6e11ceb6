import KindVerbAPI

extension Verb {
  /// Readings: blood pressure and weight.
  static let healthVerbs: [Verb] = [
    Verb(
      path: ["bp"], arguments: "[SYSTOLIC/DIASTOLIC]", options: [.morning, .evening, .date, .at, .replace], section: "health",
      summary: .cliHelpBp, run: PressureCommands.set),
    Verb(
      path: ["bp", "clear"], arguments: "[DATE]", maximum: 1, options: [.morning, .evening], section: "health",
      summary: .cliHelpBpClear, run: PressureCommands.clear),
    Verb(
      path: ["weight"], arguments: "[KG]", options: [.date, .replace], section: "health", summary: .cliHelpWeight,
      run: WeightCommands.set),
    Verb(
      path: ["weight", "clear"], arguments: "[DATE]", maximum: 1, section: "health", summary: .cliHelpWeightClear,
      run: WeightCommands.clear),
    Verb(
      path: ["day"], arguments: "[DATE]", maximum: 1, section: "health", summary: .cliHelpDay, run: DayCommand.run),
    Verb(
      path: ["calendar"], arguments: "[MONTH]", maximum: 1, section: "health", summary: .cliHelpCalendar,
      run: CalendarCommand.run),
    Verb(
      path: ["graph"], arguments: "[7|30]", maximum: 1, choices: GraphCommand.lengths.map { String($0) }, section: "health",
      summary: .cliHelpGraph, run: GraphCommand.run),
    Verb(path: ["undo"], arguments: "", maximum: 0, section: "health", summary: .cliHelpUndo, run: UndoCommand.run),
  ]
}

extension VerbOption {
  static let morning = VerbOption("morning", nil, .cliOptionMorning)
  static let evening = VerbOption("evening", nil, .cliOptionEvening)
  static let date = VerbOption("date", "DATE", .cliOptionDate)
  static let at = VerbOption("at", "HH:MM", .cliOptionAt)
  static let replace = VerbOption("replace", nil, .cliOptionReplace)
}
