import KindVerbAPI

extension Verb {
  /// What Pro unlocks.
  static let proVerbs: [Verb] = [
    Verb(path: ["pro"], arguments: "", summary: .cliHelpPro, run: ProCommands.show),
    Verb(
      path: ["pro", "restore"], arguments: "FILE|-", maximum: 1, takesFile: true, summary: .cliHelpProRestore,
      run: ProCommands.restore),
  ]
}
