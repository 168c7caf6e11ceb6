import KindVerbAPI

extension Verb {
  /// Drafts by an AI.
  static let aiVerbs: [Verb] = [
    // Any number of words: one that is none of those below is told the nearest.
    Verb(path: ["ai"], arguments: "", section: "ai", summary: .cliHelpAi, run: AICommands.status),
    Verb(path: ["ai", "on"], arguments: "", maximum: 0, section: "ai", summary: .cliHelpAiOn, run: AICommands.turnOn),
    Verb(path: ["ai", "off"], arguments: "", maximum: 0, section: "ai", summary: .cliHelpAiOff, run: AICommands.turnOff),
    Verb(path: ["ai", "status"], arguments: "", maximum: 0, section: "ai", summary: .cliHelpAiStatus, run: AICommands.status),
    Verb(
      path: ["ai", "preview"], arguments: "[JOURNAL]", maximum: 1, ids: .journal, options: [.tone, .register, .body],
      section: "ai", summary: .cliHelpAiPreview, run: AICommands.preview),
  ]
}

extension VerbOption {
  static let ai = VerbOption("ai", nil, .cliOptionAi)
  static let auto = VerbOption("auto", nil, .cliOptionAuto)
  static let body = VerbOption("body", nil, .cliOptionBody)
}
