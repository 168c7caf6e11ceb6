import Glibc
import JSON
import JSONRPC
import KindVerbAPI

/// `doctor`: what is wrong with this installation, and how to mend it.
enum DoctorCommand {
  /// One finding.
  struct Finding: Equatable {
    enum Grade: String {
      /// As it should be.
      case good
      /// It works, and could be better.
      case note
      /// It does not work, or is not safe.
      case problem
    }

    var grade: Grade
    var text: String
    /// What to do; nil when nothing is to be done.
    var remedy: String?

    static func good(_ text: String) -> Finding { Finding(grade: .good, text: text, remedy: nil) }
    static func note(_ text: String, _ remedy: String?) -> Finding { Finding(grade: .note, text: text, remedy: remedy) }
    static func problem(_ text: String, _ remedy: String) -> Finding { Finding(grade: .problem, text: text, remedy: remedy) }

    /// The lines for a person.
    var lines: [String] {
      let sign =
        switch grade {
        case .good: "✓"
        case .note: "•"
        case .problem: "✗"
        }
      return ["\(sign) \(text)"] + (remedy.map { $0.split(separator: "\n").map { "    " + $0 } } ?? [])
    }

    var json: JSON {
      [
        "ok": .bool(grade != .problem), "grade": .string(grade.rawValue), "finding": .string(text),
        "remedy": remedy.map { .string($0) } ?? .null,
      ]
    }
  }

  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    for name in ["XDG_DATA_HOME", "HOME"] { _ = try OutsideText.variable(name, session.language) }
    let units = DoctorUnits(session)
    let (daemon, isUnreachable) = daemon(session, units)
    let answers = !daemon.contains { $0.grade == .problem }
    let sending = answers ? DoctorSending(session, units).findings : []
    let findings =
      [runtimeDirectory(session)] + socket(session, units) + daemon + sending + [units.finding(daemonAnswers: answers)]
      + [
        configuration(session), dataDirectory(session), space(session), clipboard(session),
        .good(session.text(.cliDoctorLocale, session.language.rawValue)),
      ]
    if session.options.isJSON {
      session.terminal.json((["items": .array(findings.map(\.json))] as JSON).description)
    } else {
      for finding in findings {
        let lines = finding.lines
        session.terminal.say(session.terminal.safe(lines.first ?? ""))
        // A command must stay in one piece.
        for line in lines.dropFirst() { session.terminal.line(session.terminal.safe(line)) }
      }
    }
    if findings.contains(where: { $0.grade == .problem }) { throw Failure(isUnreachable ? .unreachable : .failed, "") }
  }

  // MARK: Where the daemon is reached

  private static func runtimeDirectory(_ session: Session) -> Finding {
    guard let path = variable("XDG_RUNTIME_DIR") else {
      let fallback = "/run/user/\(geteuid())"
      let text = session.text(.cliDoctorNoRuntime, fallback)
      let remedy = session.text(.cliDoctorNoRuntimeRemedy)
      return access(fallback, W_OK) == 0 || session.options.hasOwnSocket ? .note(text, remedy) : .problem(text, remedy)
    }
    if access(path, W_OK) == 0 { return .good(session.text(.cliDoctorRuntime, path)) }
    let text = session.text(.cliDoctorRuntimeUnusable, path)
    let remedy = session.text(.cliDoctorNoRuntimeRemedy)
    return session.options.hasOwnSocket ? .note(text, remedy) : .problem(text, remedy)
  }

  private static func socket(_ session: Session, _ units: DoctorUnits) -> [Finding] {
    let path = session.options.socket
    guard path.utf8.count <= Client.pathLimit else {
      return [.problem(session.text(.cliErrorPathTooLong, path, String(Client.pathLimit)), session.text(.cliDoctorShorter))]
    }
    guard let status = status(path) else {
      return [.problem(session.text(.cliDoctorNoSocket, path), units.remedy)]
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      return [.problem(session.text(.cliDoctorNotASocket, path), "mv \(quoted(path)) \(quoted(path + ".old"))")]
    }
    let parent = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    return [
      isPrivate(status) ? .good(session.text(.cliDoctorSocket, path)) : open(path, "600", session),
      Self.status(parent).map(isPrivate) ?? true
        ? .good(session.text(.cliDoctorDirectory, parent))
        : .note(session.text(.cliDoctorOpen, parent), "chmod 700 \(quoted(parent))"),
    ]
  }

  private static func daemon(_ session: Session, _ units: DoctorUnits) -> (findings: [Finding], isUnreachable: Bool) {
    let info: SystemInfo
    do { info = try session.call(Methods.SystemInfo.self, .init()) } catch {
      // One that answers, however badly, needs no start.
      let isUnreachable = error.code == .unreachable
      return ([.problem(error.message, isUnreachable ? units.remedy : units.restart)], isUnreachable)
    }
    var findings: [Finding] = [
      info.version == ContractVersion.program
        ? .good(session.text(.cliDoctorAnswers, info.version, info.protocolVersion))
        : .note(session.text(.cliDoctorOtherVersion, info.version, ContractVersion.program), units.restart),
      info.state == .ready
        ? .good(session.text(.cliDoctorState, Rows.state(info.state, session)))
        : .problem(session.text(.cliDoctorState, Rows.state(info.state, session)), units.log),
    ]
    if let stats = try? session.call(Methods.SystemStats.self, .init()) {
      let text = session.text(.cliDoctorBackup, stats.lastBackupAt ?? "-")
      findings.append(stats.lastBackupAt == nil ? .note(text, "kindverb backup") : .good(text))
    }
    return (findings, false)
  }

  /// The daemon's configuration: read by the daemon's own program, which starts nothing with a data directory that cannot be.
  private static func configuration(_ session: Session) -> Finding {
    let home = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? (variable("HOME") ?? "") + "/.config"
    let path = home + "/kindverb/config.json5"
    guard access(path, F_OK) == 0 else { return .good(session.text(.cliDoctorNoConfig, path)) }
    let beside = programDirectory.flatMap { Program.find($0 + "/kindverbd") }
    guard let program = beside ?? Program.find("kindverbd") else { return .note(session.text(.cliDoctorConfigUnread, path), nil) }
    let nowhere = "/dev/null/none"
    let words = [program, "--config", path, "--data-dir", nowhere, "--socket", nowhere]
    guard let (text, status) = Program.output(["/bin/sh", "-c", #"exec "$0" "$@" 2>&1"#] + words), status >> 8 == 78 else {
      return .good(session.text(.cliDoctorConfig, path))
    }
    // A log's line: its level and area are for the log.
    var said = Wizard.trimmed(text)[...]
    if said.hasPrefix("<"), let end = said.firstIndex(of: ">") { said = said[said.index(after: end)...] }
    for area in ["daemon: ", "kindverbd: "] where said.hasPrefix(area) { said = said.dropFirst(area.count) }
    return .problem(said.isEmpty ? path : String(said), session.text(.cliDoctorConfigRemedy, quoted(path)))
  }

  // MARK: Where things lie

  private static var dataPath: String {
    (variable("XDG_DATA_HOME") ?? (variable("HOME") ?? "") + "/.local/share") + "/kindverb"
  }

  private static func dataDirectory(_ session: Session) -> Finding {
    guard let directory = status(dataPath) else { return .good(session.text(.cliDoctorNoData, dataPath)) }
    if !isPrivate(directory) { return open(dataPath, "700", session) }
    for file in ["kindverb.db", "backups"].map({ "\(dataPath)/\($0)" }) {
      if let status = status(file), !isPrivate(status) {
        return open(file, status.st_mode & S_IFMT == S_IFDIR ? "700" : "600", session)
      }
    }
    return .good(session.text(.cliDoctorData, dataPath))
  }

  private static func space(_ session: Session) -> Finding {
    var figures = statvfs()
    let path = access(dataPath, F_OK) == 0 ? dataPath : variable("HOME") ?? "/"
    guard statvfs(path, &figures) == 0 else { return .note(session.text(.cliDoctorSpace, "?"), nil) }
    let free = UInt64(figures.f_bavail) * UInt64(figures.f_frsize)
    let text = session.text(.cliDoctorSpace, Units.bytes(free))
    return free >= 50 << 20 ? .good(text) : .problem(text, session.text(.cliDoctorSpaceRemedy))
  }

  private static func clipboard(_ session: Session) -> Finding {
    if Clipboard.program == nil, !Clipboard.hasTerminal {
      return .note(session.text(.cliDoctorNoClipboard), session.text(.cliDoctorClipboardRemedy))
    }
    let text = session.text(.cliDoctorClipboard, Clipboard.program?.first ?? "OSC 52")
    return Clipboard.lacksProgram ? .note(text, session.text(.cliDoctorClipboardRemedy)) : .good(text)
  }

  // MARK: Asking the system

  /// Something that others can reach, and how to close it.
  private static func open(_ path: String, _ mode: String, _ session: Session) -> Finding {
    .problem(session.text(.cliDoctorOpen, path), "chmod \(mode) \(quoted(path))")
  }

  private static func status(_ path: String) -> stat? {
    var result = stat()
    return lstat(path, &result) == 0 ? result : nil
  }

  private static func isPrivate(_ status: stat) -> Bool { status.st_mode & 0o077 == 0 && status.st_uid == geteuid() }

  /// A path as a shell takes it.
  static func quoted(_ path: String) -> String {
    if path.utf8.allSatisfy({ $0 >= 0x80 || Unicode.Scalar($0).properties.isAlphabetic || "0123456789/._-+".utf8.contains($0) }) {
      return path
    }
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// The directory that this program lies in.
  static var programDirectory: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// A variable of the environment that is not empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
