import KindVerbAPI
import RPCServer
import Storage

/// How the daemon ends when it cannot start; the numbers are those of `sysexits.h` where one fits.
public enum ExitStatus: Int32, Sendable {
  /// It was asked to end.
  case ok = 0
  /// The command line is wrong.
  case usage = 64
  /// The database is damaged, missing or another program's.
  case damaged = 65
  /// The socket cannot be made, or was taken away from under an activated daemon.
  case socket = 69
  /// Something inside the system failed.
  case system = 71
  /// The disk is full, or reading or writing failed.
  case inputOutput = 74
  /// Another daemon runs, or another program holds the database.
  case busy = 75
  /// The database was written by a newer program.
  case newerSchema = 76
  /// A directory or file is open to others, another user's, or read-only.
  case permission = 77
  /// The configuration is wrong.
  case configuration = 78
}

/// Why the daemon does not start: a line for a person, and the status.
struct StartFailure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ key: MessageKey, _ language: Language, _ arguments: [String] = []) {
    self.status = status
    message = key.text(in: language, filling: arguments)
  }

  /// What the store refused.
  init(_ error: StoreError, _ language: Language) {
    switch error {
    case .openToOthers(let path, let mode):
      self.init(.permission, .daemonStartOpenToOthers, language, [path, String(mode, radix: 8)])
    case .notOurs(let path): self.init(.permission, .daemonStartNotOurs, language, [path])
    case .readOnly(let path): self.init(.permission, .daemonStartReadOnly, language, [path])
    case .wrongKind(let path): self.init(.permission, .daemonStartWrongKind, language, [path])
    case .alreadyRunning(let path, let pid):
      self.init(.busy, .daemonStartAlreadyRunning, language, [path, pid.map(String.init) ?? "?"])
    case .busy(let path): self.init(.busy, .daemonStartStoreBusy, language, [path])
    case .full(let path): self.init(.inputOutput, .daemonStartFull, language, [path])
    case .newerSchema(let path, let found, let known):
      self.init(.newerSchema, .daemonStartNewerSchema, language, [path, String(found), String(known)])
    case .foreign(let path): self.init(.damaged, .daemonStartForeign, language, [path])
    case .damaged(let path, let detail): self.init(.damaged, .daemonStartDamaged, language, [path, detail])
    case .failed(let call, let path, let number):
      self.init(.inputOutput, .daemonStartFailed, language, [path, "\(call): \(systemMessage(number))"])
    case .sqlite(let error): self.init(.inputOutput, .daemonStartFailed, language, ["SQLite", "\(error)"])
    }
  }

  /// What the socket's path refused.
  init(_ error: SocketPathError, _ language: Language) {
    switch error {
    case .tooLong(let path, let limit): self.init(.socket, .daemonStartPathTooLong, language, [path, String(limit)])
    case .alreadyRunning(let path, let pid):
      self.init(.busy, .daemonStartAlreadyRunning, language, [path, pid.map { String($0) } ?? "?"])
    case .occupied(let path, _): self.init(.socket, .daemonStartOccupied, language, [path])
    case .notOurs(let path): self.init(.permission, .daemonStartNotOurs, language, [path])
    case .wrongKind(let path): self.init(.permission, .daemonStartWrongKind, language, [path])
    case .failed(let call, let path, let number):
      self.init(.socket, .daemonStartFailed, language, [path, "\(call): \(systemMessage(number))"])
    }
  }
}
