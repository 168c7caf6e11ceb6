import KindVerbAPI

/// A verb of the program.
struct Verb: Sendable {
  /// Its words: `journal`, `new`.
  let path: [String]
  /// What may follow, for the help.
  let arguments: String
  /// One line of what it does.
  let summary: MessageKey
  let run: @Sendable (Session, [String]) throws(Failure) -> Void

  /// Every verb, in the order of the help.
  static let all: [Verb] = [
    Verb(path: ["journal", "new"], arguments: "[TYPE]", summary: .cliHelpJournalNew, run: JournalCommands.new),
    Verb(
      path: ["journal", "list"], arguments: "[--status STATUS] [--limit N]", summary: .cliHelpJournalList,
      run: JournalCommands.list),
    Verb(path: ["journal", "show"], arguments: "[ID]", summary: .cliHelpJournalShow, run: JournalCommands.show),
    Verb(path: ["journal", "search"], arguments: "TEXT", summary: .cliHelpJournalSearch, run: JournalCommands.search),
    Verb(path: ["journal", "delete"], arguments: "ID [--yes]", summary: .cliHelpJournalDelete, run: JournalCommands.delete),
    Verb(path: ["letter", "compose"], arguments: "name=value …", summary: .cliHelpLetterCompose, run: LetterCommands.compose),
    Verb(
      path: ["letter", "draft"], arguments: "[JOURNAL] [--tone TONE] [--register REGISTER]", summary: .cliHelpLetterDraft,
      run: LetterCommands.draft),
    Verb(path: ["letter", "show"], arguments: "[ID]", summary: .cliHelpLetterShow, run: LetterCommands.show),
    Verb(path: ["letter", "rewrite"], arguments: "[ID] TONE", summary: .cliHelpLetterRewrite, run: LetterCommands.rewrite),
    Verb(path: ["letter", "edit"], arguments: "[ID]", summary: .cliHelpLetterEdit, run: LetterCommands.edit),
    Verb(path: ["letter", "finalize"], arguments: "[ID]", summary: .cliHelpLetterFinalize, run: LetterCommands.finalize),
    Verb(path: ["letter", "copy"], arguments: "[ID]", summary: .cliHelpLetterCopy, run: LetterCommands.copy),
    Verb(path: ["letter", "list"], arguments: "[JOURNAL] [--limit N]", summary: .cliHelpLetterList, run: LetterCommands.list),
    Verb(path: ["letter", "delete"], arguments: "ID [--yes]", summary: .cliHelpLetterDelete, run: LetterCommands.delete),
    Verb(path: ["settings"], arguments: "[name=value …]", summary: .cliHelpSettings, run: SystemCommands.settings),
    Verb(path: ["watch"], arguments: "[TOPIC …] [--since CURSOR]", summary: .cliHelpWatch, run: WatchCommand.run),
    Verb(path: ["call"], arguments: "METHOD [name=value|name:=json|-]", summary: .cliHelpCall, run: CallCommand.run),
    Verb(path: ["ping"], arguments: "", summary: .cliHelpPing, run: SystemCommands.ping),
    Verb(path: ["info"], arguments: "", summary: .cliHelpInfo, run: SystemCommands.info),
    Verb(path: ["stats"], arguments: "", summary: .cliHelpStats, run: SystemCommands.stats),
    Verb(path: ["backup"], arguments: "[PATH]", summary: .cliHelpBackup, run: SystemCommands.backup),
    Verb(path: ["doctor"], arguments: "", summary: .cliHelpDoctor, run: DoctorCommand.run),
    Verb(path: ["completions"], arguments: "bash|zsh|fish", summary: .cliHelpCompletions, run: CompletionsCommand.run),
    Verb(path: ["manual"], arguments: "", summary: .cliHelpManual, run: ManualCommand.run),
    Verb(path: ["help"], arguments: "[VERB|METHOD]", summary: .cliHelpHelp, run: HelpCommand.run),
  ]

  /// The verb that some words begin with; the longest wins.
  static func find(_ words: [String]) -> Verb? {
    all.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
  }

  /// The verb that is nearest to words that are none.
  static func nearest(to words: [String]) -> String? {
    let names = all.map { $0.path.joined(separator: " ") }
    return nearestName(to: words.prefix(2).joined(separator: " "), in: names)
      ?? words.first.flatMap { nearestName(to: $0, in: names) }
      ?? names.first { $0.split(separator: " ").first.map(String.init) == words.first }
  }
}

/// `help`: what there is.
enum HelpCommand {
  static func run(_ session: Session, _ words: [String]) throws(Failure) {
    guard let first = words.first else { return overview(session) }
    if let method = MethodCatalogue.named(first) { return describe(method, session) }
    let verbs = Verb.all.filter { $0.path.starts(with: words.prefix($0.path.count)) && $0.path.first == first }
    guard !verbs.isEmpty else {
      let hint = Verb.nearest(to: words).map { " " + session.text(.cliErrorNearest, $0) } ?? ""
      throw .usage(session.text(.cliErrorUnknownVerb, first) + hint)
    }
    list(verbs, session)
  }

  static func overview(_ session: Session) {
    session.terminal.line(session.text(.cliHelpIntro))
    session.terminal.line()
    list(Verb.all, session)
    session.terminal.line()
    session.terminal.line(session.text(.cliHelpOptions))
  }

  private static func list(_ verbs: [Verb], _ session: Session) {
    var table = Table()
    for verb in verbs {
      let usage = (verb.path + (verb.arguments.isEmpty ? [] : [verb.arguments])).joined(separator: " ")
      table.add(["  kindverb \(usage)", session.text(verb.summary)])
    }
    for line in table.lines(width: max(session.terminal.width ?? 200, 100)) { session.terminal.line(line) }
  }

  private static func describe(_ method: MethodDescriptor, _ session: Session) {
    session.terminal.line(session.terminal.strong(method.name) + "  " + method.summary)
    session.terminal.line(method.description)
    var table = Table()
    for parameter in method.parameters {
      table.add(["  \(parameter.name)\(parameter.isRequired ? "" : "?")", kind(parameter.kind), parameter.summary])
    }
    for line in table.lines(width: max(session.terminal.width ?? 200, 100)) { session.terminal.line(line) }
    for error in method.errors { session.terminal.line("  \(error.rawValue) (\(error.code))") }
  }

  static func kind(_ kind: ParameterDescriptor.Kind) -> String {
    switch kind {
    case .string: "string"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .object: "object"
    case .any: "any"
    case .array(let item): "\(self.kind(item)), …"
    case .enumeration(let cases): cases.joined(separator: "|")
    }
  }
}
