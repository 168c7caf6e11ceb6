import KindVerbAPI

/// `help`: what there is.
enum HelpCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) { try show(session, arguments.words) }

  /// What there is at a glance, everything, the verbs that begin with some words, or one method of the contract.
  static func show(_ session: Session, _ words: [String]) throws(Failure) {
    guard let first = words.first else { return overview(session) }
    if first == "all" { return everything(session) }
    if let method = MethodCatalogue.named(first == "call" ? words.dropFirst().first ?? "" : first) {
      return describe(method, session)
    }
    let verbs = Verb.all.filter { verb in verb.path.first == first && zip(verb.path, words).allSatisfy { $0 == $1 } }
    guard !verbs.isEmpty else { throw Verb.unknown(words, session) }
    // A verb that others begin with is explained; they follow.
    let meant = verbs.first { $0.path == words } ?? (verbs.count == 1 ? verbs.first : nil)
    if let meant { describe(meant, session) }
    let others = verbs.filter { $0.path.starts(with: words) && $0.name != meant?.name }
    if meant != nil, !others.isEmpty { session.terminal.line() }
    for line in lines(others, session.language, width: session.terminal.width) { session.terminal.line(line) }
  }

  /// The verbs at a glance, on one screen.
  static func overview(_ session: Session) {
    for line in glance(session.language, width: session.terminal.width) { session.terminal.line(line) }
  }

  /// Its lines: verbs of two words stand together.
  static func glance(_ language: Language, width: Int?) -> [String] {
    let width = min(width ?? widest, widest)
    var lines = Wrapping.lines(MessageKey.cliHelpIntro.text(in: language), width: width) + [""]
    var table = Table()
    var shown: Set<String> = []
    for verb in Verb.all {
      if let section = verb.section {
        guard shown.insert(section).inserted, let title = MessageKey.text("cli.group.\(section)", in: language) else { continue }
        table.add(["  " + verb.path[0] + " …", "\(title): " + names(Verb.all.filter { $0.section == section })])
        continue
      }
      let first = verb.path[0]
      guard shown.insert(first).inserted else { continue }
      let group = Verb.group(first)
      guard let title = MessageKey.text("cli.group.\(first)", in: language), !group.isEmpty else {
        table.add(["  " + first, verb.summary.text(in: language)])
        continue
      }
      table.add(["  " + first, "\(title): \(group.map { $0.path[1] }.joined(separator: ", "))"])
    }
    let names = Verb.all.map { cellWidth("  " + $0.path[0]) }.max() ?? 0
    let indent = String(repeating: " ", count: names + 2)
    for line in table.lines(width: .max) { lines += hanging(line, indent, width) }
    return lines + [""] + Wrapping.lines(MessageKey.cliHelpMore.text(in: language), width: width)
  }

  /// The names of verbs that stand together. What three or more begin with is written once.
  private static func names(_ verbs: [Verb]) -> String {
    let groups = verbs.reduce(into: [[Verb]]()) { groups, verb in
      if groups.last?.last?.path[0] == verb.path[0] { groups[groups.count - 1].append(verb) } else { groups.append([verb]) }
    }
    let isShort = groups.contains { $0.count > 2 }
    let texts = groups.flatMap { group in
      guard group.count > 2 else { return group.map(\.name) }
      return [group[0].path[0] + " " + group.compactMap { $0.path.dropFirst().first }.joined(separator: ", ")]
    }
    return texts.joined(separator: isShort ? "; " : ", ")
  }

  private static func everything(_ session: Session) {
    for line in whole(session) { session.terminal.line(line) }
  }

  /// The lines of all of it.
  static func whole(_ session: Session) -> [String] {
    let width = session.terminal.width
    let intro = Wrapping.lines(session.text(.cliHelpIntro), width: min(width ?? widest, widest))
    return intro + [""] + lines(Verb.all, session.language, width: width) + ["", session.text(.cliHelpOptions)]
  }

  /// No line of the help is wider, however wide the terminal.
  private static let widest = 100

  /// A line that goes on under itself, indented.
  private static func hanging(_ text: String, _ indent: String, _ width: Int) -> [String] {
    guard cellWidth(text) > width, let first = Wrapping.lines(text, width: width).first else { return [text] }
    let rest = Wizard.trimmed(String(text.dropFirst(first.count)))
    return [first] + Wrapping.lines(rest, width: max(1, width - cellWidth(indent))).map { indent + $0 }
  }

  /// Verbs with what they do under them. Nothing is cut.
  static func lines(_ verbs: [Verb], _ language: Language, width: Int?) -> [String] {
    let width = min(width ?? widest, widest)
    return verbs.flatMap { verb in
      hanging("  kindverb \(verb.usage)", "      ", width) + hanging("      \(verb.summary.text(in: language))", "      ", width)
    }
  }

  /// One verb: how it is written, what it does, what its words and options mean.
  private static func describe(_ verb: Verb, _ session: Session) {
    for line in description(of: verb, session.language, width: session.terminal.width) { session.terminal.line(line) }
  }

  /// The lines of a verb's own help.
  static func description(of verb: Verb, _ language: Language, width: Int?) -> [String] {
    let width = min(width ?? widest, widest)
    var lines = hanging("kindverb \(verb.usage)", "    ", width)
    lines += Wrapping.lines(verb.summary.text(in: language), width: width)
    var table = Table()
    if verb.ids != nil { table.add(["  ID", MessageKey.cliHelpID.text(in: language)]) }
    for parameter in verb.method.flatMap({ MethodCatalogue.named($0) })?.parameters ?? [] {
      table.add(["  \(parameter.name)=", "\(kind(parameter.kind)): \(parameter.summary)"])
    }
    if verb.method == nil, !verb.choices.isEmpty {
      let places = verb.arguments.split { "[] …".contains($0) }.last.map(String.init) ?? ""
      if !places.contains("|") { table.add(["  \(places)", verb.choices.joined(separator: ", ")]) }
    }
    for option in verb.options {
      let values = option.values.isEmpty ? "" : ": " + option.values.joined(separator: ", ")
      let placeholder = option.values.isEmpty ? option.placeholder.map { " " + $0 } ?? "" : ""
      table.add(["  --\(option.name)\(placeholder)", option.summary.text(in: language) + values])
    }
    let rows = table.lines(width: .max)
    if !rows.isEmpty { lines.append("") }
    for row in rows { lines += hanging(row, "      ", width) }
    return lines + [""] + Wrapping.lines(MessageKey.cliHelpAlso.text(in: language), width: width)
  }

  private static func describe(_ method: MethodDescriptor, _ session: Session) {
    session.terminal.line(session.terminal.strong(method.name) + "  " + method.summary)
    session.terminal.say(method.description)
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
