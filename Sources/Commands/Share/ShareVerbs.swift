import KindVerbAPI

extension Verb {
  /// Links to letters.
  static let shareVerbs: [Verb] = [
    Verb(
      path: ["share"], arguments: "LETTER", maximum: 1, ids: .letter, options: [.days, .wait], section: "share",
      summary: .cliHelpShare,
      run: ShareCommands.share),
    Verb(
      path: ["share", "on"], arguments: "", maximum: 0, section: "share", summary: .cliHelpShareOn, run: ShareCommands.turnOn),
    Verb(
      path: ["share", "off"], arguments: "", maximum: 0, section: "share", summary: .cliHelpShareOff, run: ShareCommands.turnOff),
    // Any number of words: one that is none of those below is told the nearest.
    Verb(
      path: ["shares"], arguments: "", options: [.limit, .before, .all], section: "share", summary: .cliHelpShares,
      run: SharesCommands.list),
    Verb(
      path: ["shares", "list"], arguments: "", maximum: 0, options: [.limit, .before, .all], section: "share",
      summary: .cliHelpSharesList,
      run: SharesCommands.list),
    Verb(
      path: ["shares", "retry"], arguments: "ID", maximum: 1, ids: .share, section: "share", summary: .cliHelpSharesRetry,
      run: SharesCommands.retry),
    Verb(
      path: ["shares", "cancel"], arguments: "ID", maximum: 1, ids: .share, section: "share", summary: .cliHelpSharesCancel,
      run: SharesCommands.cancel),
    Verb(
      path: ["shares", "delete"], arguments: "ID", maximum: 1, ids: .share, section: "share", summary: .cliHelpSharesDelete,
      run: SharesCommands.delete),
  ]
}

extension VerbOption {
  static let days = VerbOption("days", values: ["3", "7", "30"], .cliOptionDays)
  static let wait = VerbOption("wait", "SECONDS", .cliOptionWait)
}
