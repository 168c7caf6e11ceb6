import KindVerbAPI

/// `completions bash|zsh|fish`: made from the verbs and the contract, so that they cannot fall behind.
enum CompletionsCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    switch arguments.words.first {
    case "bash": session.terminal.line(bash())
    case "zsh": session.terminal.line(zsh())
    case "fish": session.terminal.line(fish(session))
    case let word?: throw .choice(session.text(.cliErrorWrongValue, "completions", word), of: shells, session.language)
    case nil: throw .missing(shells.joined(separator: "|"), session)
    }
  }

  /// The shells that there are completions for.
  static let shells = ["bash", "zsh", "fish"]

  // MARK: What can be completed

  private static var firstWords: [String] {
    var seen: Set<String> = []
    return Verb.all.compactMap { $0.path.first }.filter { seen.insert($0).inserted }
  }

  private static let methods = MethodCatalogue.all.map(\.name)
  private static let withOptions = Verb.all.filter { !$0.options.isEmpty }
  /// What can follow some words, beside ids: the pattern of the words, and what is offered.
  private static let choices: [Branch] = {
    var result: [Branch] = []
    for verb in Verb.all where !verb.choices.isEmpty && verb.name != "settings" {
      result.append(("'\(verb.name) '*", verb.choices))
    }
    result.append(("'settings '", ["get", "set"]))
    result.append(("'settings set '*", Verb.assignments("settings.set")))
    result.append(("'settings get '", MethodCatalogue.named("settings.set")?.parameters.map(\.name) ?? []))
    for group in groups { result.append(("'help \(group.first) '", group.second)) }
    result.append(("'help '", firstWords + ["all"] + methods))
    return result
  }()
  private typealias Branch = (pattern: String, words: [String])
  /// The words after which an id is due, and what it belongs to.
  private static let ids: [(pattern: String, words: [String])] = Verb.all.compactMap { verb in
    verb.ids.map { ("'\(verb.name) '", [$0.rawValue]) }
  }
  /// The words after which a file is due.
  private static let files = Verb.all.filter(\.takesFile).map { "'\($0.name) '" }.joined(separator: "|")
  /// How many ids are offered, and how long is waited for the daemon.
  private static let idList = "list --limit 50 2>/dev/null | cut -f 1"
  /// The options that a value follows.
  private static let valued: [String] = {
    var seen: Set<String> = []
    let own = withOptions.flatMap(\.options).filter { $0.placeholder != nil }.map { "--" + $0.name }
    return (["--language", "--socket", "--timeout", "--idempotency-key"] + own).filter { seen.insert($0).inserted }
  }()

  /// The first words that second ones follow.
  private static var groups: [(first: String, second: [String])] {
    firstWords.map { first in (first, Verb.all.filter { $0.path.count > 1 && $0.path[0] == first }.map { $0.path[1] }) }
      .filter { !$0.second.isEmpty }
  }

  /// The options whose values are few: their names and values.
  private static var values: [(name: String, values: [String])] {
    var seen: Set<String> = []
    let own = withOptions.flatMap(\.options).filter { !$0.values.isEmpty && seen.insert($0.name).inserted }
    return [("--language", Language.allCases.map(\.rawValue))] + own.map { ("--" + $0.name, $0.values) }
  }

  private static func names(_ options: [VerbOption]) -> [String] { options.map { "--" + $0.name } }

  /// The branches of a shell's `case`: a pattern and what is done, given as the words to offer.
  private static func branches(_ branches: [(pattern: String, words: [String])], _ action: (String) -> String) -> String {
    branches.map { "      \($0.pattern)) \(action($0.words.joined(separator: " "))) ;;" }.joined(separator: "\n")
  }

  private static func branches(_ verbs: [Verb], _ words: (Verb) -> [String], _ action: (String) -> String) -> String {
    branches(verbs.map { ("'\($0.name) '*", words($0)) }, action)
  }

  private static func methodBranches(_ action: (String) -> String) -> String {
    branches(methods.map { ($0, Verb.assignments($0)) }.filter { !$0.1.isEmpty }, action)
  }

  // MARK: Shells

  static func bash() -> String {
    let set = { (words: String) in "words=\"\(words)\"" }
    return """
      # bash completion of kindverb; made by `kindverb completions bash`.
      _kindverb_ids() { kindverb --timeout 1 "$1" \(idList); }
      _kindverb() {
        local current=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} words="" name="" word index so_far
        local -a typed=()
        [[ $last == = && ${COMP_WORDS[COMP_CWORD-2]} == --* ]] && last=${COMP_WORDS[COMP_CWORD-2]}
        # The words without the options, which may stand anywhere.
        for (( index = 1; index < COMP_CWORD; index++ )); do
          word=${COMP_WORDS[index]}
          case $word in
            \(valued.joined(separator: "|"))) [[ ${COMP_WORDS[index+1]} == = ]] && index=$((index + 1)); index=$((index + 1)) ;;
            -*) ;;
            *) typed+=("$word") ;;
          esac
        done
        so_far="${typed[*]-} "
        COMPREPLY=()
        if [[ $current == -* ]]; then
          words="\(Options.names.joined(separator: " "))"
          case $so_far in
      \(branches(withOptions, { names($0.options) }, { "words+=\" \($0)\"" }))
          esac
        elif [[ " \(valued.joined(separator: " ")) " == *" $last "* ]]; then
          case $last in
      \(branches(values.map { ($0.name, $0.values) }, set))
            --socket) compopt -o default ;;
          esac
        elif (( ${#typed[@]} == 0 )); then
          words="\(firstWords.joined(separator: " "))"
          [[ $current == *.* ]] && words="\(methods.joined(separator: " "))"
        elif [[ $so_far == "call " ]]; then
          words="\(methods.joined(separator: " "))"
        elif [[ ${typed[0]} == call || ${typed[0]} == *.* ]]; then
          word=${typed[0]}
          [[ $word == call ]] && word=${typed[1]}
          compopt -o nospace
          case $word in
      \(methodBranches(set))
          esac
        else
          if (( ${#typed[@]} == 1 )); then
            case ${typed[0]} in
      \(branches(groups.map { ($0.first, $0.second) }, set))
            esac
          fi
          case $so_far in
      \(branches(choices, set))
          esac
          case $so_far in
      \(branches(ids) { "words+=\" $(_kindverb_ids \($0))\"" })
            \(files)) compopt -o default ;;
          esac
        fi
        # The shell parts name=value at the sign.
        if [[ $current == = ]]; then name=$last current=""; elif [[ $last == = ]]; then name=${COMP_WORDS[COMP_CWORD-2]}; fi
        if [[ $name && $name != -* ]]; then
          for word in $words; do [[ $word == "$name="* ]] && COMPREPLY+=($(compgen -W "${word#*=}" -- "$current")); done
        else
          COMPREPLY=($(compgen -W "$words" -- "$current"))
          [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
        fi
      }
      complete -F _kindverb kindverb
      """
  }

  static func zsh() -> String {
    let add = { (words: String) in "compadd -- \(words)" }
    return """
      #compdef kindverb
      # zsh completion of kindverb; made by `kindverb completions zsh`.
      _kindverb_ids() { compadd -- ${(f)"$(kindverb --timeout 1 $1 \(idList))"} }
      _kindverb() {
        local word so_far
        local -a typed
        local -i place
        # The words without the options, which may stand anywhere.
        for (( place = 2; place < CURRENT; place++ )); do
          word=$words[place]
          case $word in
            \(valued.joined(separator: "|"))) place+=1 ;;
            -*) ;;
            *) typed+=($word) ;;
          esac
        done
        so_far="$typed "
        word=$typed[1]
        if [[ $words[CURRENT] == -* ]]; then
          compadd -- \(Options.names.joined(separator: " "))
          case $so_far in
      \(branches(withOptions, { names($0.options) }, add))
          esac
        elif [[ $words[CURRENT-1] == (\(valued.joined(separator: "|"))) ]]; then
          case $words[CURRENT-1] in
      \(branches(values.map { ($0.name, $0.values) }, add))
            --socket) _files ;;
          esac
        elif (( $#typed == 0 )); then
          compadd -- \(firstWords.joined(separator: " "))
          [[ $words[CURRENT] == *.* ]] && compadd -- \(methods.joined(separator: " "))
        elif [[ $so_far == 'call ' ]]; then
          compadd -- \(methods.joined(separator: " "))
        elif [[ $word == call || $word == *.* ]]; then
          [[ $word == call ]] && word=$typed[2]
          case $word in
      \(methodBranches { "compadd -S '' -- \($0)" })
          esac
        else
          (( $#typed == 1 )) && case $word in
      \(branches(groups.map { ($0.first, $0.second) }, add))
          esac
          case $so_far in
      \(branches(choices, add))
          esac
          case $so_far in
      \(branches(ids) { "_kindverb_ids \($0)" })
            \(files)) _files ;;
          esac
        fi
      }
      _kindverb "$@"
      """
  }

  static func fish(_ session: Session) -> String {
    let text = { (text: String) in text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’") }
    let seen = { (verb: Verb) in verb.path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ") }
    var lines = ["# fish completion of kindverb; made by `kindverb completions fish`.", "complete -c kindverb -f"]
    for option in Options.names where !["--language", "--socket", "--timeout", "--idempotency-key"].contains(option) {
      lines.append("complete -c kindverb\(option == "--help" ? " -s h" : "") -l \(option.dropFirst(2))")
    }
    lines += [
      "complete -c kindverb -l language -x -a '\(Language.allCases.map(\.rawValue).joined(separator: " "))'",
      "complete -c kindverb -l socket -r -F", "complete -c kindverb -l timeout -x", "complete -c kindverb -l idempotency-key -x",
      "complete -c kindverb -n __fish_use_subcommand -a '\(firstWords.joined(separator: " "))'",
    ]
    for verb in Verb.all {
      if verb.path.count > 1 {
        let others = groups.first { $0.first == verb.path[0] }?.second.joined(separator: " ") ?? ""
        let place = "__fish_seen_subcommand_from \(verb.path[0]); and not __fish_seen_subcommand_from \(others)"
        lines.append("complete -c kindverb -n '\(place)' -a \(verb.path[1]) -d '\(text(session.text(verb.summary)))'")
      }
      if !verb.choices.isEmpty, verb.name != "settings" {
        lines.append("complete -c kindverb -n '\(seen(verb))' -a '\(verb.choices.joined(separator: " "))'")
      }
      if let ids = verb.ids?.rawValue {
        lines.append("complete -c kindverb -n '\(seen(verb))' -a '(kindverb --timeout 1 \(ids) \(idList))'")
      }
      if verb.takesFile { lines.append("complete -c kindverb -n '\(seen(verb))' -F") }
      for option in verb.options {
        let takes =
          option.placeholder == nil ? "" : option.values.isEmpty ? " -x" : " -x -a '\(option.values.joined(separator: " "))'"
        lines.append("complete -c kindverb -n '\(seen(verb))' -l \(option.name)\(takes)")
      }
    }
    let settings = "__fish_seen_subcommand_from settings; and "
    let names = MethodCatalogue.named("settings.set")?.parameters.map(\.name).joined(separator: " ") ?? ""
    lines += [
      "complete -c kindverb -n '__fish_seen_subcommand_from help' -a '\((firstWords + ["all"]).joined(separator: " "))'",
      "complete -c kindverb -n '\(settings)not __fish_seen_subcommand_from get set' -a 'get set'",
      "complete -c kindverb -n '\(settings)__fish_seen_subcommand_from get' -a '\(names)'",
      "complete -c kindverb -n '\(settings)__fish_seen_subcommand_from set' -a '\(Verb.assignments("settings.set").joined(separator: " "))'",
    ]
    for method in MethodCatalogue.all {
      let place = "__fish_seen_subcommand_from call help"
      lines.append("complete -c kindverb -n '\(place)' -a \(method.name) -d '\(text(method.summary))'")
      let names = Verb.assignments(method.name).joined(separator: " ")
      if !names.isEmpty { lines.append("complete -c kindverb -n '__fish_seen_subcommand_from \(method.name)' -a '\(names)'") }
    }
    return lines.joined(separator: "\n")
  }
}
