import KindVerbAPI

/// `completions bash|zsh|fish`: made from the verbs and the contract, so that they cannot fall behind.
enum CompletionsCommand {
  static func run(_ session: Session, _ words: [String]) throws(Failure) {
    switch words.first {
    case "bash": session.terminal.line(bash())
    case "zsh": session.terminal.line(zsh())
    case "fish": session.terminal.line(fish(session))
    default: throw .usage(session.text(.cliErrorMissing, "bash|zsh|fish"))
    }
  }

  static let options = [
    "--json", "--socket", "--timeout", "--language", "--idempotency-key", "--dry-run", "--yes", "--help", "--version",
  ]

  private static var firstWords: [String] {
    var seen: Set<String> = []
    return Verb.all.compactMap { $0.path.first }.filter { seen.insert($0).inserted }
  }

  private static func secondWords(_ first: String) -> [String] {
    Verb.all.filter { $0.path.count > 1 && $0.path[0] == first }.map { $0.path[1] }
  }

  /// `name=` of each parameter; with the values where there are few.
  private static func parameters(_ method: MethodDescriptor) -> [String] {
    method.parameters.flatMap { parameter -> [String] in
      if case .enumeration(let cases) = parameter.kind { return cases.map { "\(parameter.name)=\($0)" } }
      return ["\(parameter.name)="]
    }
  }

  static func bash() -> String {
    var cases = ""
    for first in firstWords where !secondWords(first).isEmpty {
      cases += "    \(first)) words=\"\(secondWords(first).joined(separator: " "))\" ;;\n"
    }
    let methods = MethodCatalogue.all.map { "      \($0.name)) words=\"\(parameters($0).joined(separator: " "))\" ;;" }
    return """
      # bash completion of kindverb; made by `kindverb completions bash`.
      _kindverb() {
        local current=${COMP_WORDS[COMP_CWORD]} words=""
        COMPREPLY=()
        if [[ $current == -* ]]; then
          words="\(options.joined(separator: " "))"
        elif (( COMP_CWORD == 1 )); then
          words="\(firstWords.joined(separator: " "))"
        elif [[ ${COMP_WORDS[1]} == call || ${COMP_WORDS[1]} == help ]] && (( COMP_CWORD == 2 )); then
          words="\(MethodCatalogue.all.map(\.name).joined(separator: " "))"
        elif [[ ${COMP_WORDS[1]} == call ]]; then
          compopt -o nospace
          case ${COMP_WORDS[2]} in
      \(methods.joined(separator: "\n"))
          esac
        elif [[ ${COMP_WORDS[1]} == watch ]]; then
          words="\(Topic.allCases.map(\.rawValue).joined(separator: " "))"
        elif (( COMP_CWORD == 2 )); then
          case ${COMP_WORDS[1]} in
      \(cases.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
          esac
        fi
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      }
      complete -F _kindverb kindverb
      """
  }

  static func zsh() -> String {
    let methods = MethodCatalogue.all.map { "        \($0.name)) compadd -S '' -- \(parameters($0).joined(separator: " ")) ;;" }
    let seconds = firstWords.filter { !secondWords($0).isEmpty }.map {
      "      \($0)) compadd -- \(secondWords($0).joined(separator: " ")) ;;"
    }
    return """
      #compdef kindverb
      # zsh completion of kindverb; made by `kindverb completions zsh`.
      _kindverb() {
        if [[ $words[CURRENT] == -* ]]; then
          compadd -- \(options.joined(separator: " "))
        elif (( CURRENT == 2 )); then
          compadd -- \(firstWords.joined(separator: " "))
        elif [[ $words[2] == (call|help) ]] && (( CURRENT == 3 )); then
          compadd -- \(MethodCatalogue.all.map(\.name).joined(separator: " "))
        elif [[ $words[2] == call ]]; then
          case $words[3] in
      \(methods.joined(separator: "\n"))
          esac
        elif [[ $words[2] == watch ]]; then
          compadd -- \(Topic.allCases.map(\.rawValue).joined(separator: " "))
        elif (( CURRENT == 3 )); then
          case $words[2] in
      \(seconds.joined(separator: "\n"))
          esac
        fi
      }
      _kindverb "$@"
      """
  }

  static func fish(_ session: Session) -> String {
    var lines = ["# fish completion of kindverb; made by `kindverb completions fish`.", "complete -c kindverb -f"]
    for option in options { lines.append("complete -c kindverb -l \(option.dropFirst(2))") }
    lines.append("complete -c kindverb -n __fish_use_subcommand -a '\(firstWords.joined(separator: " "))'")
    for verb in Verb.all where verb.path.count > 1 {
      let summary = session.text(verb.summary).split(separator: "'").joined(separator: "’")
      lines.append("complete -c kindverb -n '__fish_seen_subcommand_from \(verb.path[0])' -a \(verb.path[1]) -d '\(summary)'")
    }
    for method in MethodCatalogue.all {
      lines.append(
        "complete -c kindverb -n '__fish_seen_subcommand_from call help' -a \(method.name) -d '\(method.summary.split(separator: "'").joined(separator: "’"))'"
      )
      let names = parameters(method).joined(separator: " ")
      if !names.isEmpty { lines.append("complete -c kindverb -n '__fish_seen_subcommand_from \(method.name)' -a '\(names)'") }
    }
    return lines.joined(separator: "\n")
  }
}

/// `manual`: the man page as roff, made from the verbs and the contract.
enum ManualCommand {
  static func run(_ session: Session, _ words: [String]) throws(Failure) { session.terminal.line(page(session)) }

  static func page(_ session: Session) -> String {
    var lines = [
      ".TH KINDVERB 1 \"\" \"kindverb \(ClientVersion.program)\"", ".SH NAME",
      "kindverb \\- \(escaped(session.text(.cliManualName)))",
      ".SH SYNOPSIS", ".B kindverb", "[\\fIOPTIONS\\fR] \\fIVERB\\fR [\\fIARGUMENTS\\fR]", ".SH DESCRIPTION",
      escaped(session.text(.cliHelpIntro)), ".SH VERBS",
    ]
    for verb in Verb.all {
      lines += [
        ".TP", "\\fB\(escaped(verb.path.joined(separator: " ")))\\fR \(escaped(verb.arguments))",
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
