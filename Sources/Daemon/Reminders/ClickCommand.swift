import EventLoop
import Glibc
import KindVerbAPI
import Reminders
import Systemd

/// The person's own command, run when a notification is clicked (`reminder.command`, `notification.command` of the configuration).
@DaemonActor
final class ClickCommand {
  /// Commands that may run at once; one that never ends is not waited for.
  static let atOnce = 8

  /// The program and its arguments; empty for none.
  var arguments: [String] = []
  private var running: [Int: ChildProcess] = [:]
  private var lastNumber = 0
  private let log = Log("notification")

  init() {}

  /// Starts it for a reminder: `KINDVERB_DATE` and `KINDVERB_SLOT` say which.
  func run(for name: Occurrence.Name, token: String?) {
    run(["KINDVERB_DATE=\(name.date.iso)", "KINDVERB_SLOT=\(name.slot.rawValue)"], token)
  }

  /// Starts it for a quiet notification: `KINDVERB_NOTIFICATION` says of which type.
  func run(for type: QuietType, token: String?) { run(["KINDVERB_NOTIFICATION=\(type.rawValue)"], token) }

  /// Starts it with variables, and with the token that lets a window come to the front.
  private func run(_ variables: [String], _ token: String?) {
    guard let program = arguments.first else { return }
    guard running.count < Self.atOnce else {
      return log.warning("the command of a click was not run: \(Self.atOnce) of them still run")
    }
    guard let path = Self.find(program) else {
      return log.error("the command of a click was not found, or cannot be executed: \(public: program)")
    }
    var additions = variables
    if let token { additions += ["XDG_ACTIVATION_TOKEN=\(token)", "DESKTOP_STARTUP_ID=\(token)"] }
    lastNumber += 1
    let number = lastNumber
    do {
      running[number] = try ChildProcess([path] + arguments.dropFirst(), environment: Self.environment() + additions) {
        [weak self] ending in self?.ended(number, ending)
      }
    } catch {
      log.error("the command of a click could not be started: \(public: error.call) \(error.errno)")
    }
  }

  private func ended(_ number: Int, _ ending: ChildProcess.Ending) {
    running[number] = nil
    switch ending {
    case .exited(0): break
    case .exited(let status): log.notice("the command of a click ended with status \(status)")
    case .signalled(let signal): log.notice("the command of a click was ended by signal \(signal)")
    }
  }

  /// A program by its path, or as a shell would find it.
  private static func find(_ program: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let candidates = program.contains("/") ? [program] : path.split(separator: ":").map { "\($0)/\(program)" }
    return candidates.first { candidate in
      var status = stat()
      return stat(candidate, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(candidate, X_OK) == 0
    }
  }

  /// What concerns this process alone is not the command's.
  private static let own = [
    "NOTIFY_SOCKET=", "LISTEN_", "WATCHDOG_", "CREDENTIALS_DIRECTORY=", "JOURNAL_STREAM=", "INVOCATION_ID=",
  ]

  private static func environment() -> [String] {
    var variables: [String] = []
    var place = environ
    while let variable = place.pointee {
      let text = String(cString: variable)
      if !own.contains(where: text.hasPrefix) { variables.append(text) }
      place += 1
    }
    return variables
  }
}
