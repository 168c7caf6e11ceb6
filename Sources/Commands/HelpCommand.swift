import KindVerbAPI

/// `help`: what there is.
enum HelpCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) { try show(session, arguments.words) }

  /// Everything, the verbs that begin with some words, or one method of the contract.
  static func show(_ session: Session, _ words: [String]) throws(Failure) {
    guard let first = words.first else { return overview(session) }
    if let method = MethodCatalogue.named(first == "call" ? words.dropFirst().first ?? "" : first) {
      return describe(method, session)
    }
    let verbs = Verb.all.filter { verb in verb.path.first == first && zip(verb.path, words).allSatisfy { $0 == $1 } }
    guard !verbs.isEmpty else { throw Verb.unknown(words, session) }
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
    for line in lines(verbs, session.language, width: session.terminal.width) { session.terminal.line(line) }
  }

  /// Verbs with what they do: beside them where that fits, else under them. Nothing is cut.
  static func lines(_ verbs: [Verb], _ language: Language, width: Int?) -> [String] {
    var table = Table()
    for verb in verbs { table.add(["  kindverb \(verb.usage)", verb.summary.text(in: language)]) }
    let beside = table.lines(width: .max)
    if beside.contains(where: { cellWidth($0) > width ?? 130 }) {
      return verbs.flatMap { ["  kindverb \($0.usage)", "      \($0.summary.text(in: language))"] }
    }
    return beside
  }

  private static func describe(_ method: MethodDescriptor, _ session: Session) {
    session.terminal.line(session.terminal.strong(method.name) + "  " + method.summary)
    session.terminal.line(method.description)
    var table = Table()
    for parameter in method.parameters {
      table.add(["  \(parameter.name)\(parameter.isRequired ? "" : "?")", kind(parameter.kind), parameter.summary])
    }
    for line in table.lines(width: .max) { session.terminal.line(line) }
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
