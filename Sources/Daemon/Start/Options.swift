import Glibc
import KindVerbAPI

/// What the command line and the environment say.
struct Options: Equatable, Sendable {
  var socketPath: String
  var dataDirectory: String
  var configPath: String
  /// Whether the configuration was named on the command line, and must therefore be there.
  var configIsExplicit = false

  /// What the command line asks for.
  enum Parsed: Equatable {
    case run(Options)
    case help
    case version
  }

  /// Reads the arguments (without the program's name); paths that are not given follow the XDG base directories.
  static func parse(_ arguments: [String], language: Language, environment: (String) -> String?) throws(StartFailure) -> Parsed {
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" { return .help }
      if argument == "--version" { return .version }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = parts.first, ["--socket", "--data-dir", "--config"].contains(name) else {
        throw StartFailure(.usage, .daemonStartUsage, language, [argument])
      }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
        throw StartFailure(.usage, .daemonStartUsage, language, [argument])
      }
      values[name] = value
    }
    let home = environment("HOME") ?? "/"
    func base(_ name: String, _ fallback: String) -> String {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? fallback
    }
    let runtime = base("XDG_RUNTIME_DIR", "/run/user/\(geteuid())")
    return .run(
      Options(
        socketPath: absolute(values["--socket"] ?? runtime + "/kindverb/kindverbd.sock"),
        dataDirectory: absolute(values["--data-dir"] ?? base("XDG_DATA_HOME", home + "/.local/share") + "/kindverb"),
        configPath: absolute(values["--config"] ?? base("XDG_CONFIG_HOME", home + "/.config") + "/kindverb/config.json5"),
        configIsExplicit: values["--config"] != nil))
  }

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard let directory = getcwd(&buffer, buffer.count) else { return path }
    return String(cString: directory) + "/" + path
  }
}

/// What the system says of an error number.
func systemMessage(_ number: Int32) -> String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
