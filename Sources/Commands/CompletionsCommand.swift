import KindVerbAPI

/// `completions bash|zsh|fish`: made from the verbs and the contract, so that they cannot fall behind.
enum CompletionsCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    switch arguments.words.first {
    case "bash": session.terminal.line(bash())
    case "zsh": session.terminal.line(zsh())
    case "fish": session.terminal.line(fish(session))
    default: throw .usage(session.text(.cliErrorMissing, "bash|zsh|fish"))
    }
  }

  /// The verbs that have options of their own.
  private static let own = Verb.all.filter { !$0.options.isEmpty }

  /// The options whose values are few: their names and values.
  private static var values: [(name: String, values: [String])] {
    var seen: Set<String> = []
    let own = own.flatMap(\.options).filter { !$0.values.isEmpty && seen.insert($0.name).inserted }
    return [("--language", Language.allCases.map(\.rawValue))] + own.map { ("--" + $0.name, $0.values) }
  }

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
          words="\(Options.names.joined(separator: " "))"
          case "${COMP_WORDS[*]:1:COMP_CWORD-1} " in
      \(own.map { "      '\($0.name) '*) words+=\" \($0.options.map { "--" + $0.name }.joined(separator: " "))\" ;;" }.joined(separator: "\n"))
          esac
        elif [[ ${COMP_WORDS[COMP_CWORD-1]} == --* ]]; then
          case ${COMP_WORDS[COMP_CWORD-1]} in
      \(values.map { "      \($0.name)) words=\"\($0.values.joined(separator: " "))\" ;;" }.joined(separator: "\n"))
            --socket) compopt -o default ;;
          esac
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
          compadd -- \(Options.names.joined(separator: " "))
          case "$words[2] $words[3] " in
      \(own.map { "      '\($0.name) '*) compadd -- \($0.options.map { "--" + $0.name }.joined(separator: " ")) ;;" }.joined(separator: "\n"))
          esac
        elif [[ $words[CURRENT-1] == --* ]]; then
          case $words[CURRENT-1] in
      \(values.map { "      \($0.name)) compadd -- \($0.values.joined(separator: " ")) ;;" }.joined(separator: "\n"))
            --socket) _files ;;
          esac
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
    for option in Options.names { lines.append("complete -c kindverb -l \(option.dropFirst(2))") }
    for verb in own {
      let seen = verb.path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      for option in verb.options {
        let takes =
          option.placeholder == nil ? "" : option.values.isEmpty ? " -x" : " -x -a '\(option.values.joined(separator: " "))'"
        lines.append("complete -c kindverb -n '\(seen)' -l \(option.name)\(takes)")
      }
    }
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
