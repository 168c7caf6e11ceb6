import Glibc
import KindVerbAPI

/// The options that every verb takes.
struct Options: Equatable, Sendable {
  var socket: String
  /// The language of `--language`.
  var chosenLanguage: Language?
  /// The language that the terminal's locale names.
  var localeLanguage: Language?
  var isJSON = false
  var timeoutMs: Int?
  var idempotencyKey: String?
  var isDryRun = false
  var isConfirmed = false
  /// Whether the socket was named by the person, by `--socket` or `KINDVERB_SOCKET`.
  var hasOwnSocket = false
  /// The socket as `--socket` names it, which has to be named again in a later run.
  private var namedSocket: String?
  /// Whether the program tells which of its verbs may come next.
  var hasHints = true
  /// What is left: the verb and its arguments.
  var words: [String] = []
  /// The words after `--`: arguments, whatever they look like.
  var literals: [String] = []

  /// A verb as it is typed to reach the same daemon.
  func command(_ verb: String) -> String {
    (["kindverb"] + (namedSocket.map { ["--socket", DoctorCommand.quoted($0)] } ?? []) + [verb]).joined(separator: " ")
  }

  /// The language of texts as long as the daemon, which knows the person's setting, has not been asked.
  var language: Language { chosenLanguage ?? localeLanguage ?? .en }

  /// The names of them all, in the order of the help.
  static let names = [
    "--json", "--language", "--socket", "--timeout", "--idempotency-key", "--dry-run", "--yes", "--version", "--help",
  ]

  /// Those of them that have a value. Two values would be one too many, whichever won.
  private static let withValue: Set<String> = ["--language", "--socket", "--timeout", "--idempotency-key"]

  /// Reads the arguments (without the program's name). Options may stand anywhere before `--`.
  static func parse(_ arguments: [String], environment: (String) -> String?) throws(Failure) -> Options {
    let runtime = environment("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(geteuid())"
    let named = environment("KINDVERB_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    var options = Options(
      socket: named ?? runtime + "/kindverb/kindverbd.sock", localeLanguage: Language.named(byEnvironment: environment))
    options.hasOwnSocket = named != nil
    options.hasHints = environment("KINDVERB_HINTS") != "no"
    var given: Set<String> = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        options.literals = Array(rest)
        break
      }
      guard argument.hasPrefix("--"), argument.count > 2 else {
        options.words.append(argument == "-h" ? "--help" : argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if withValue.contains(parts[0]), !given.insert(parts[0]).inserted {
        throw .usage(MessageKey.cliErrorOptionTwice.text(in: options.language, parts[0]))
      }
      try options.take(parts[0], parts.count == 2 ? parts[1] : nil, &rest)
    }
    return options
  }

  private mutating func take(_ name: String, _ inline: String?, _ rest: inout ArraySlice<String>) throws(Failure) {
    func value() throws(Failure) -> String {
      guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
        throw .usage(MessageKey.cliErrorOptionNeedsValue.text(in: language, name))
      }
      return value
    }
    if let inline, ["--json", "--dry-run", "--yes", "--help", "--version"].contains(name) {
      throw .usage(MessageKey.cliErrorOptionValue.text(in: language, name, inline))
    }
    switch name {
    case "--json": isJSON = true
    case "--dry-run": isDryRun = true
    case "--yes": isConfirmed = true
    case "--help", "--version": words.insert(name, at: 0)
    case "--socket":
      socket = try value()
      namedSocket = socket
      hasOwnSocket = true
    case "--idempotency-key": idempotencyKey = try value()
    case "--timeout":
      let text = try value()
      guard let seconds = Double(text), seconds > 0, seconds * 1_000 <= Double(CallOptions.longestDeadlineMs) else {
        let longest = String(CallOptions.longestDeadlineMs / 1_000)
        let range = " " + MessageKey.cliErrorRange.text(in: language, "0.001", longest)
        throw .usage(MessageKey.cliErrorOptionValue.text(in: language, name, text) + range)
      }
      timeoutMs = max(1, Int(seconds * 1_000))
    case "--language":
      let text = try value()
      guard let chosen = Language(rawValue: text) ?? Language(locale: text) else {
        let message = MessageKey.cliErrorOptionValue.text(in: language, name, text)
        throw .choice(message, of: Language.allCases.map(\.rawValue), language)
      }
      chosenLanguage = chosen
    default:
      // A verb's own option stays with its words.
      words.append(inline.map { "\(name)=\($0)" } ?? name)
    }
  }
}

/// An option of one verb.
struct VerbOption: Equatable, Sendable {
  /// Its name without the dashes.
  let name: String
  /// What stands for its value in the help; nil for an option without one.
  let placeholder: String?
  /// The values it takes, where they are few.
  let values: [String]
  /// What it does.
  let summary: MessageKey

  init(_ name: String, _ placeholder: String?, _ summary: MessageKey) {
    self.name = name
    self.placeholder = placeholder
    self.values = []
    self.summary = summary
  }

  init(_ name: String, values: [String], _ summary: MessageKey) {
    self.name = name
    self.placeholder = values.joined(separator: "|")
    self.values = values
    self.summary = summary
  }

  /// As the help shows it.
  var usage: String { "[--\(name)\(placeholder.map { " " + $0 } ?? "")]" }
}

/// The words and options of one verb.
struct VerbArguments {
  private(set) var words: [String]
  private var values: [String: String] = [:]

  /// Takes `--name value` and `--name=value` for the options that the verb knows; another option is an error, and so is a second
  /// value of one, and a word more than the verb takes. `literals` are words, whatever they look like.
  init(
    _ words: [String], literals: [String] = [], options known: [VerbOption] = [], maximum: Int? = nil, language: Language
  ) throws(Failure) {
    var left: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word.count > 2 else {
        left.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let inline = parts.count == 2 ? parts[1] : nil
      guard let option = known.first(where: { "--" + $0.name == parts[0] }) else {
        throw Self.unknown(parts[0], known, language)
      }
      if option.placeholder == nil {
        if let inline { throw .usage(MessageKey.cliErrorOptionValue.text(in: language, parts[0], inline)) }
        values[option.name] = ""
      } else {
        guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
          throw .usage(MessageKey.cliErrorOptionNeedsValue.text(in: language, parts[0]))
        }
        guard values.updateValue(value, forKey: option.name) == nil else {
          throw .usage(MessageKey.cliErrorOptionTwice.text(in: language, parts[0]))
        }
      }
    }
    self.words = left + literals
    if let maximum, self.words.count > maximum {
      throw .usage(showing: MessageKey.cliErrorTooManyWords.text(in: language, self.words[maximum]))
    }
  }

  /// An option that is unknown, with the nearest one.
  static func unknown(_ name: String, _ known: [VerbOption], _ language: Language) -> Failure {
    let hint = nearestName(to: name, in: known.map { "--" + $0.name } + Options.names)
    let text = MessageKey.cliErrorUnknownOption.text(in: language, name)
    return .usage(showing: text + (hint.map { " " + MessageKey.cliErrorNearest.text(in: language, $0) } ?? ""))
  }

  /// An option's value; the empty string for one that was given and has none.
  subscript(name: String) -> String? { values[name] }
}
