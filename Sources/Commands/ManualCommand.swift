import KindVerbAPI

/// `manual`: the man page, made from the verbs and the contract. On a terminal it is read page by page; elsewhere it is roff.
enum ManualCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard session.terminal.isTerminal else { return session.terminal.line(page(session)) }
    if let man = Program.find("man"), Program.run([man, "-l", "-"], input: page(session) + "\n", isShown: true) { return }
    // Roff is nothing to read: without man it is the help in full.
    let pager = DoctorCommand.variable("PAGER") ?? ["less", "more"].first { Program.find($0) != nil }
    let text = HelpCommand.whole(session).joined(separator: "\n")
    if let pager, Program.run(["/bin/sh", "-c", pager], input: text + "\n", isShown: true) { return }
    session.terminal.line(text)
  }

  static func page(_ session: Session) -> String {
    var lines = [
      ".TH KINDVERB 1 \"\" \"kindverb \(ContractVersion.program)\"", ".SH NAME",
      "kindverb \\- \(escaped(session.text(.cliManualName)))",
      ".SH SYNOPSIS", ".B kindverb", "[\\fIOPTIONS\\fR] \\fIVERB\\fR [\\fIARGUMENTS\\fR]", ".SH DESCRIPTION",
      escaped(session.text(.cliHelpIntro)), ".SH VERBS",
    ]
    for verb in Verb.all {
      lines += item(verb.name, String(verb.usage.dropFirst(verb.name.count)), session.text(verb.summary))
      for option in verb.options {
        lines += [".br", "\\fB\(escaped("--" + option.name))\\fR: \(escaped(session.text(option.summary)))"]
      }
    }
    lines += [".SH OPTIONS"] + options(session) + [".SH METHODS"]
    for method in MethodCatalogue.all {
      lines += item(method.name, "", method.description)
      for parameter in method.parameters {
        let name = "\\fI\(escaped(parameter.name))\\fR\(parameter.isRequired ? "" : "?")"
        lines += [".br", "\(name) (\(escaped(HelpCommand.kind(parameter.kind)))): \(escaped(parameter.summary))"]
      }
    }
    let files: [(String, MessageKey)] = [
      ("$XDG_RUNTIME_DIR/kindverb/kindverbd.sock", .cliFileSocket), ("$XDG_DATA_HOME/kindverb/kindverb.db", .cliFileData),
      ("$XDG_DATA_HOME/kindverb/backups/", .cliFileBackups), ("$XDG_CONFIG_HOME/kindverb/config.json5", .cliFileConfig),
    ]
    let variables: [(String, MessageKey)] = [
      ("KINDVERB_SOCKET", .cliVariableSocket), ("KINDVERB_HINTS", .cliVariableHints),
      ("LC_ALL, LC_MESSAGES, LANG", .cliVariableLocale), ("VISUAL, EDITOR", .cliVariableEditor), ("PAGER", .cliVariablePager),
      ("NO_COLOR", .cliVariableNoColor),
    ]
    let statuses: [(String, MessageKey)] = [
      ("0", .cliExit0), ("1", .cliExit1), ("2", .cliExit2), ("3", .cliExit3), ("4", .cliExit4), ("5", .cliExit5),
    ]
    let examples: [(String, MessageKey)] = [
      ("kindverb journal new --to Sam", .cliManualExampleNew), ("kindverb letter rewrite softer", .cliManualExampleRewrite),
      ("kindverb letter show > letter.txt", .cliManualExampleShow), ("kindverb ai preview", .cliManualExamplePreview),
      ("kindverb share 1f2e3d4c --wait 60", .cliManualExampleShare),
      ("kindverb --json journal list --all", .cliManualExampleList),
      ("kindverb bp 128/82", .cliManualExampleBp), ("kindverb graph 30", .cliManualExampleGraph),
      (
        "kindverb call journal.create conflictType=friends situationText='It rained.' feelings:='[\"sad\"]'",
        .cliManualExampleCall
      ),
    ]
    for (title, items) in [
      ("FILES", files), ("ENVIRONMENT", variables), ("EXIT STATUS", statuses), ("EXAMPLES", examples),
    ] {
      lines.append(".SH " + title)
      for (name, meaning) in items { lines += item(name, "", session.text(meaning)) }
    }
    return lines.joined(separator: "\n")
  }

  /// Something in bold, what follows it, and under it what it means.
  private static func item(_ name: String, _ rest: String, _ meaning: String) -> [String] {
    [".TP", "\\fB\(escaped(name))\\fR\(escaped(rest))", escaped(meaning)]
  }

  /// The lines of the help on options, under their own heading here: the first says only that.
  private static func options(_ session: Session) -> [String] {
    session.text(.cliHelpOptions).split(separator: "\n").dropFirst().flatMap { line -> [String] in
      let text = Wizard.trimmed(String(line))
      // A name and its meaning are apart by two spaces, or by one where the name is wide.
      guard let gap = text.firstRange(of: "  ") else { return [".TP", escaped(text)] }
      return item(String(text[..<gap.lowerBound]), "", Wizard.trimmed(String(text[gap.upperBound...])))
    }
  }

  /// Text that roff shows as it is: no line begins with a command, no backslash or hyphen means something else.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let safe = String(line.flatMap { $0 == "\\" ? Array("\\e") : $0 == "-" ? Array("\\-") : [$0] })
      return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }.joined(separator: "\n")
  }
}
