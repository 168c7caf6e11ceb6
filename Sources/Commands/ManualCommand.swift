import KindVerbAPI

/// `manual`: the man page as roff, made from the verbs and the contract.
enum ManualCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) { session.terminal.line(page(session)) }

  static func page(_ session: Session) -> String {
    var lines = [
      ".TH KINDVERB 1 \"\" \"kindverb \(ContractVersion.program)\"", ".SH NAME",
      "kindverb \\- \(escaped(session.text(.cliManualName)))",
      ".SH SYNOPSIS", ".B kindverb", "[\\fIOPTIONS\\fR] \\fIVERB\\fR [\\fIARGUMENTS\\fR]", ".SH DESCRIPTION",
      escaped(session.text(.cliHelpIntro)), ".SH VERBS",
    ]
    for verb in Verb.all {
      lines += [
        ".TP", "\\fB\(escaped(verb.name))\\fR\(escaped(String(verb.usage.dropFirst(verb.name.count))))",
        escaped(session.text(verb.summary)),
      ]
    }
    lines += [".SH OPTIONS", ".nf", escaped(session.text(.cliHelpOptions)), ".fi", ".SH METHODS"]
    for method in MethodCatalogue.all {
      lines += [".TP", "\\fB\(escaped(method.name))\\fR", escaped(method.description)]
      for parameter in method.parameters {
        lines += [
          ".br",
          "\\fI\(escaped(parameter.name))\\fR\(parameter.isRequired ? "" : "?") (\(escaped(HelpCommand.kind(parameter.kind)))): \(escaped(parameter.summary))",
        ]
      }
    }
    lines += [".SH EXIT STATUS"]
    for (code, meaning) in [
      ("0", MessageKey.cliExit0), ("1", .cliExit1), ("2", .cliExit2), ("3", .cliExit3), ("4", .cliExit4), ("5", .cliExit5),
    ] {
      lines += [".TP", "\\fB\(code)\\fR", escaped(session.text(meaning))]
    }
    return lines.joined(separator: "\n")
  }

  /// Text that roff shows as it is: no line begins with a command, no backslash or hyphen means something else.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let safe = String(line.flatMap { $0 == "\\" ? Array("\\e") : $0 == "-" ? Array("\\-") : [$0] })
      return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }.joined(separator: "\n")
  }
}
