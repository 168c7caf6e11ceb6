import Glibc
import KindVerbAPI

/// The options that every verb takes.
struct Options: Equatable, Sendable {
  var socket: String
  var language: Language
  var isJSON = false
  var timeoutMs: Int?
  var idempotencyKey: String?
  var isDryRun = false
  var isConfirmed = false
  /// What is left: the verb and its arguments.
  var words: [String] = []

  /// Reads the arguments (without the program's name). Options may stand anywhere before `--`.
  static func parse(_ arguments: [String], environment: (String) -> String?) throws(Failure) -> Options {
    let ofEnvironment = Language.ofEnvironment(environment)
    let runtime = environment("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(geteuid())"
    let named = environment("KINDVERB_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    var options = Options(socket: named ?? runtime + "/kindverb/kindverbd.sock", language: ofEnvironment)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        options.words += rest
        break
      }
      guard argument.hasPrefix("--"), argument.count > 2 else {
        options.words.append(argument == "-h" ? "--help" : argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      var inline = parts.count == 2 ? parts[1] : nil
      try options.take(parts[0], &inline, &rest)
    }
    return options
  }

  private mutating func take(_ name: String, _ inline: inout String?, _ rest: inout ArraySlice<String>) throws(Failure) {
    func value() throws(Failure) -> String {
      guard let value = inline ?? rest.popFirst() else {
        throw .usage(MessageKey.cliErrorOptionNeedsValue.text(in: language, name))
      }
      return value
    }
    switch name {
    case "--json": isJSON = true
    case "--dry-run": isDryRun = true
    case "--yes": isConfirmed = true
    case "--help", "--version": words.insert(name, at: 0)
    case "--socket": socket = try value()
    case "--idempotency-key": idempotencyKey = try value()
    case "--timeout":
      let text = try value()
      guard let seconds = Double(text), seconds > 0, seconds <= 600 else {
        throw .usage(MessageKey.cliErrorOptionValue.text(in: language, name, text))
      }
      timeoutMs = max(1, Int(seconds * 1_000))
    case "--language":
      let text = try value()
      guard let chosen = Language(rawValue: text) ?? Language(locale: text) else {
        throw .usage(MessageKey.cliErrorOptionValue.text(in: language, name, text))
      }
      language = chosen
    default:
      // A verb's own option stays with its words.
      words.append(inline.map { "\(name)=\($0)" } ?? name)
    }
  }
}

/// The options of one verb, taken out of its words.
struct VerbArguments {
  private(set) var words: [String]
  private var values: [String: String] = [:]

  /// Takes `--name value` and `--name=value` for the names that the verb knows; another option is an error.
  init(_ words: [String], options known: [String] = [], language: Language) throws(Failure) {
    var left: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word.count > 2 else {
        left.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard known.contains(parts[0]) else { throw .usage(MessageKey.cliErrorUnknownOption.text(in: language, "--" + parts[0])) }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw .usage(MessageKey.cliErrorOptionNeedsValue.text(in: language, "--" + parts[0]))
      }
      values[parts[0]] = value
    }
    self.words = left
  }

  subscript(name: String) -> String? { values[name] }
}
