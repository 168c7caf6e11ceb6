import JSON
import JSONRPC
import KindVerbAPI

/// How the program ends.
public enum ExitCode: Int32, Sendable {
  case ok = 0
  /// The daemon answered with an error, or something is wrong with the installation.
  case failed = 1
  /// The daemon cannot be reached.
  case unreachable = 2
  /// The command line is wrong.
  case usage = 3
  /// The time limit passed.
  case timeout = 4
  /// The daemon has too much to do.
  case overloaded = 5
}

/// Why a command ends early: a text for a person and the status. `reply` is the daemon's error for `--json`.
struct Failure: Error {
  let code: ExitCode
  let message: String
  var reply: String?
  /// Whether the daemon closed the connection before it answered.
  private(set) var isClosed = false
  /// Whether the person pressed Ctrl-C at a prompt.
  private(set) var isInterruption = false
  /// Whether the verb's line of the help says what is wrong: something is missing, or unknown.
  private(set) var wantsUsage = false
  /// Whether the daemon said that the same call may succeed later.
  private let isRetriable: Bool

  init(_ code: ExitCode, _ message: String, reply: String? = nil, isRetriable: Bool = false) {
    self.code = code
    self.message = message
    self.reply = reply
    self.isRetriable = isRetriable
  }

  /// The same beside a result that is on standard output already: there it would be a second one.
  var beside: Failure {
    var failure = self
    failure.reply = nil
    return failure
  }

  /// The same in other words.
  func saying(_ message: String) -> Failure { Failure(code, message, reply: reply, isRetriable: isRetriable) }

  /// The key of the daemon's error; nil for what went wrong on this side.
  var messageKey: String? { detail("messageKey") }

  /// A detail of the daemon's error.
  func detail(_ name: String) -> String? { data?[name]?.stringValue }

  /// A number among the details of the daemon's error.
  func figure(_ name: String) -> Int? { data?[name]?.intValue }

  private var data: JSON? { reply.flatMap { try? JSON.parse($0) }.flatMap { $0["data"] } }

  /// A wrong command line.
  static func usage(_ message: String) -> Failure { Failure(.usage, message) }

  /// A wrong command line that shows how the right one looks.
  static func usage(showing message: String) -> Failure {
    var failure = usage(message)
    failure.wantsUsage = true
    return failure
  }

  /// Something that the verb needs is not there.
  static func missing(_ name: String, _ session: Session) -> Failure {
    .usage(showing: session.text(.cliErrorMissing, name))
  }

  /// A value that is none of a few.
  static func choice(_ message: String, of choices: [String], _ language: Language) -> Failure {
    .usage(message + " " + MessageKey.cliErrorChoices.text(in: language, choices.joined(separator: ", ")))
  }

  /// The same with the line of the help under it.
  func showing(_ usage: String, _ language: Language) -> Failure {
    guard wantsUsage else { return self }
    return .usage(message + "\n" + MessageKey.cliUsage.text(in: language, "kindverb " + usage))
  }

  /// Ctrl-C.
  static var interruption: Failure {
    var failure = Failure(.failed, "")
    failure.isInterruption = true
    return failure
  }

  /// Whether trying again may help: the daemon was away, slow or busy, its store not open yet, or the disk full.
  var isPassing: Bool { [.unreachable, .timeout, .overloaded].contains(code) || isRetriable }

  /// What the client could not do.
  init(_ error: ClientError, _ language: Language) {
    switch error {
    case .unreachable(let path, _): self.init(.unreachable, MessageKey.cliErrorUnreachable.text(in: language, path))
    case .pathTooLong(let path, let limit):
      self.init(.unreachable, MessageKey.cliErrorPathTooLong.text(in: language, path, String(limit)))
    case .timedOut(let milliseconds): self.init(.timeout, MessageKey.cliErrorTimeout.text(in: language, String(milliseconds)))
    case .closed: self.init(.unreachable, MessageKey.cliErrorClosed.text(in: language))
    case .malformed(let detail): self.init(.unreachable, MessageKey.cliErrorMalformed.text(in: language, detail))
    }
    isClosed = error == .closed
  }
}
