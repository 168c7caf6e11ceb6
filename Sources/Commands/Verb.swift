import KindVerbAPI

/// A verb of the program.
struct Verb: Sendable {
  /// Its words: `journal`, `new`.
  let path: [String]
  /// The words that may follow, for the help.
  let arguments: String
  /// How many words may follow; nil for any number.
  var maximum: Int?
  /// What its words may be where they are few, for completions.
  var choices: [String] = []
  /// Whose ids its words are, for completions.
  var ids: Ids?
  /// Whether its word is a file's path, for completions.
  var takesFile = false
  /// The method whose parameters its words are.
  var method: String?
  /// Its own options.
  var options: [VerbOption] = []
  /// Whether `--dry-run` and `--idempotency-key` make sense for it.
  var isOneCall = true
  /// The name of what it stands together with in the help at a glance; nil where it stands for itself or for its first word.
  var section: String?
  /// One line of what it does.
  let summary: MessageKey
  let run: @Sendable (Session, VerbArguments) throws(Failure) -> Void

  /// What has ids.
  enum Ids: String, Sendable {
    case journal, letter
    case share = "shares"
  }

  /// Its words as one.
  var name: String { path.joined(separator: " ") }

  /// The line of the help: the verb, its words, its options.
  var usage: String { (path + (arguments.isEmpty ? [] : [arguments]) + options.map(\.usage)).joined(separator: " ") }

  /// Every verb, in the order of the help.
  static let all: [Verb] =
    journalVerbs + letterVerbs + aiVerbs + peopleVerbs + shareVerbs + healthVerbs + remindVerbs + notificationVerbs + proVerbs
    + systemVerbs

  private static let journalVerbs: [Verb] = [
    Verb(
      path: ["journal", "new"], arguments: "[TYPE]", maximum: 1, choices: VerbOption.type.values, options: [.to],
      isOneCall: false,
      summary: .cliHelpJournalNew, run: JournalCommands.new),
    Verb(
      path: ["journal", "list"], arguments: "", maximum: 0, options: [.status, .type, .limit, .before, .all],
      summary: .cliHelpJournalList, run: JournalCommands.list),
    Verb(
      path: ["journal", "show"], arguments: "[ID]", maximum: 1, ids: .journal, summary: .cliHelpJournalShow,
      run: JournalCommands.show),
    Verb(
      path: ["journal", "search"], arguments: "TEXT…", options: [.limit], summary: .cliHelpJournalSearch,
      run: JournalCommands.search),
    Verb(
      path: ["journal", "delete"], arguments: "ID", maximum: 1, ids: .journal, summary: .cliHelpJournalDelete,
      run: JournalCommands.delete),
  ]

  private static let letterVerbs: [Verb] = [
    Verb(
      path: ["letter", "compose"], arguments: "name=value…", choices: assignments("letter.compose"), method: "letter.compose",
      summary: .cliHelpLetterCompose,
      run: LetterCommands.compose),
    Verb(
      path: ["letter", "draft"], arguments: "[JOURNAL]", maximum: 1, ids: .journal, options: [.tone, .register, .ai, .auto],
      summary: .cliHelpLetterDraft,
      run: LetterCommands.draft),
    Verb(
      path: ["letter", "show"], arguments: "[ID]", maximum: 1, ids: .letter, summary: .cliHelpLetterShow, run: LetterCommands.show
    ),
    Verb(
      path: ["letter", "rewrite"], arguments: "[ID] TONE", maximum: 2, choices: VerbOption.tone.values, ids: .letter,
      options: [.tone, .ai, .auto],
      summary: .cliHelpLetterRewrite,
      run: LetterCommands.rewrite),
    Verb(
      path: ["letter", "edit"], arguments: "[ID]", maximum: 1, ids: .letter, isOneCall: false, summary: .cliHelpLetterEdit,
      run: LetterCommands.edit),
    Verb(
      path: ["letter", "finalize"], arguments: "[ID]", maximum: 1, ids: .letter, summary: .cliHelpLetterFinalize,
      run: LetterCommands.finalize),
    Verb(
      path: ["letter", "copy"], arguments: "[ID]", maximum: 1, ids: .letter, isOneCall: false, summary: .cliHelpLetterCopy,
      run: LetterCommands.copy),
    Verb(
      path: ["letter", "list"], arguments: "[JOURNAL]", maximum: 1, ids: .journal, options: [.limit, .before, .all],
      summary: .cliHelpLetterList,
      run: LetterCommands.list),
    Verb(
      path: ["letter", "delete"], arguments: "ID", maximum: 1, ids: .letter, summary: .cliHelpLetterDelete,
      run: LetterCommands.delete),
  ]

  /// `call`, also meant by a method's name alone.
  static let call = Verb(
    path: ["call"], arguments: "METHOD [name=value|name:=json|-]…", summary: .cliHelpCall, run: CallCommand.run)

  private static let systemVerbs: [Verb] = [
    Verb(
      path: ["settings"], arguments: "[get [NAME]|set name=value…]", choices: ["get", "set"], method: "settings.set",
      summary: .cliHelpSettings, run: SystemCommands.settings),
    Verb(
      path: ["watch"], arguments: "[TOPIC…]", choices: Topic.allCases.map(\.rawValue), options: [.since], isOneCall: false,
      section: "daemon", summary: .cliHelpWatch,
      run: WatchCommand.run),
    call,
    Verb(path: ["ping"], arguments: "", maximum: 0, section: "daemon", summary: .cliHelpPing, run: SystemCommands.ping),
    Verb(path: ["info"], arguments: "", maximum: 0, section: "daemon", summary: .cliHelpInfo, run: SystemCommands.info),
    Verb(path: ["stats"], arguments: "", maximum: 0, section: "daemon", summary: .cliHelpStats, run: SystemCommands.stats),
    Verb(
      path: ["backup"], arguments: "[PATH]", maximum: 1, takesFile: true, isOneCall: false, section: "daemon",
      summary: .cliHelpBackup,
      run: SystemCommands.backup),
    Verb(path: ["doctor"], arguments: "", maximum: 0, summary: .cliHelpDoctor, run: DoctorCommand.run),
    Verb(
      path: ["completions"], arguments: CompletionsCommand.shells.joined(separator: "|"), maximum: 1,
      choices: CompletionsCommand.shells, section: "program", summary: .cliHelpCompletions,
      run: CompletionsCommand.run),
    Verb(path: ["manual"], arguments: "", maximum: 0, section: "program", summary: .cliHelpManual, run: ManualCommand.run),
    Verb(path: ["version"], arguments: "", maximum: 0, section: "program", summary: .cliHelpVersion, run: SystemCommands.version),
    Verb(path: ["help"], arguments: "[VERB|METHOD|all]", maximum: 2, summary: .cliHelpHelp, run: HelpCommand.run),
  ]

  /// `name=` of each parameter of a method; with the values where they are few.
  static func assignments(_ method: String) -> [String] {
    (MethodCatalogue.named(method)?.parameters ?? []).flatMap { parameter -> [String] in
      if case .enumeration(let cases) = parameter.kind { return cases.map { "\(parameter.name)=\($0)" } }
      return ["\(parameter.name)="]
    }
  }

  /// The verb that some words begin with; the longest wins.
  static func find(_ words: [String]) -> Verb? {
    all.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
  }

  /// The verb that is nearest to words that are none.
  static func nearest(to words: [String]) -> String? {
    nearestName(to: words.prefix(2).joined(separator: " "), in: all.map(\.name))
      ?? words.first.flatMap { nearestName(to: $0, in: all.map(\.name)) }
      ?? all.first { $0.path.first == words.first }?.name
  }

  /// The verbs that begin with a word.
  static func group(_ word: String) -> [Verb] { all.filter { $0.path.count > 1 && $0.path[0] == word } }

  /// Says that words are no verb, with the nearest one, or with what the beginning of some verbs can be followed by.
  static func unknown(_ words: [String], _ session: Session) -> Failure {
    if let first = words.first, case let group = group(first), !group.isEmpty, words.count == 1 {
      let lines = HelpCommand.lines(group, session.language, width: session.terminal.width)
      return .usage(session.text(.cliErrorWhichVerb, first) + "\n" + lines.joined(separator: "\n"))
    }
    let hint = nearest(to: words).map { " " + session.text(.cliErrorNearest, $0) } ?? ""
    return .usage(session.text(.cliErrorUnknownVerb, words.prefix(2).joined(separator: " ")) + hint)
  }
}

extension VerbOption {
  static let to = VerbOption("to", "NAME", .cliOptionTo)
  static let status = VerbOption("status", values: JournalStatus.allCases.map(\.rawValue), .cliOptionStatus)
  static let type = VerbOption("type", values: ConflictType.allCases.map(\.rawValue), .cliOptionType)
  static let tone = VerbOption("tone", values: Tone.allCases.map(\.rawValue), .cliOptionTone)
  static let register = VerbOption("register", values: Register.allCases.map(\.rawValue), .cliOptionRegister)
  static let limit = VerbOption("limit", "N", .cliOptionLimit)
  static let before = VerbOption("before", "CURSOR", .cliOptionBefore)
  static let since = VerbOption("since", "CURSOR", .cliOptionSince)
  static let all = VerbOption("all", nil, .cliOptionAll)
}
