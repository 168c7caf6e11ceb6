import KindVerbAPI

extension Verb {
  /// The morning and evening reminders.
  static let remindVerbs: [Verb] = [
    // Any number of words: one that is none of those below is told the nearest.
    Verb(path: ["remind"], arguments: "", summary: .cliHelpRemind, run: RemindCommands.show),
    Verb(
      path: ["remind", "morning"], arguments: "[HH:MM|on|off]", maximum: 1, choices: RemindCommands.words,
      summary: .cliHelpRemindMorning, run: RemindCommands.morning),
    Verb(
      path: ["remind", "evening"], arguments: "[HH:MM|on|off]", maximum: 1, choices: RemindCommands.words,
      summary: .cliHelpRemindEvening, run: RemindCommands.evening),
    Verb(
      path: ["remind", "test"], arguments: "[morning|evening]", maximum: 1, choices: Slot.allCases.map(\.rawValue),
      isOneCall: false, summary: .cliHelpRemindTest, run: RemindTrial.run),
    Verb(
      path: ["remind", "history"], arguments: "", maximum: 0, options: [.limit, .before, .all], summary: .cliHelpRemindHistory,
      run: RemindHistory.run),
  ]
}
