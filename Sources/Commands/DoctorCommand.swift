import Glibc
import JSON
import JSONRPC
import KindVerbAPI

/// `doctor`: what is wrong with this installation, and how to mend it.
enum DoctorCommand {
  /// One finding.
  struct Finding: Equatable {
    var isGood: Bool
    var text: String
    /// What to do; nothing when all is well.
    var remedy: String?
  }

  static func run(_ session: Session, _ words: [String]) throws(Failure) {
    var findings = [runtimeDirectory(session), socket(session)]
    findings += daemon(session)
    findings += [dataDirectory(session), space(session), clipboard(session), locale(session)]
    if session.options.isJSON {
      let items: [JSON] = findings.map { finding in
        ["ok": .bool(finding.isGood), "finding": .string(finding.text), "remedy": finding.remedy.map { .string($0) } ?? .null]
      }
      session.terminal.line((["items": .array(items)] as JSON).description)
    } else {
      for finding in findings {
        session.terminal.line((finding.isGood ? "✓ " : "✗ ") + finding.text)
        if let remedy = finding.remedy { session.terminal.line("    " + remedy) }
      }
    }
    if findings.contains(where: { !$0.isGood }) { throw Failure(.failed, "") }
  }

  private static func runtimeDirectory(_ session: Session) -> Finding {
    guard let path = variable("XDG_RUNTIME_DIR") else {
      let fallback = "/run/user/\(geteuid())"
      return Finding(
        isGood: access(fallback, F_OK) == 0, text: session.text(.cliDoctorNoRuntime, fallback),
        remedy: access(fallback, F_OK) == 0 ? nil : session.text(.cliDoctorNoRuntimeRemedy))
    }
    return Finding(isGood: access(path, W_OK) == 0, text: session.text(.cliDoctorRuntime, path), remedy: nil)
  }

  private static func socket(_ session: Session) -> Finding {
    let path = session.options.socket
    var status = stat()
    guard path.utf8.count <= Client.pathLimit else {
      return Finding(isGood: false, text: session.text(.cliErrorPathTooLong, path, String(Client.pathLimit)), remedy: nil)
    }
    guard lstat(path, &status) == 0 else {
      return Finding(isGood: false, text: session.text(.cliDoctorNoSocket, path), remedy: session.text(.cliDoctorStart))
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      return Finding(isGood: false, text: session.text(.cliDoctorNotASocket, path), remedy: nil)
    }
    let isPrivate = status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    return Finding(
      isGood: isPrivate, text: session.text(isPrivate ? .cliDoctorSocket : .cliDoctorOpen, path),
      remedy: isPrivate ? nil : "chmod 600 \(path)")
  }

  private static func daemon(_ session: Session) -> [Finding] {
    do {
      let info = try session.call(Methods.SystemInfo.self, .init())
      let isReady = info.state == .ready
      var findings = [
        Finding(isGood: true, text: session.text(.cliDoctorAnswers, info.version, info.protocolVersion), remedy: nil),
        Finding(
          isGood: isReady, text: session.text(.cliDoctorState, info.state.rawValue),
          remedy: isReady ? nil : "journalctl --user -u kindverbd"),
      ]
      if let stats = try? session.call(Methods.SystemStats.self, .init()) {
        findings.append(
          Finding(
            isGood: true, text: session.text(.cliDoctorBackup, stats.lastBackupAt ?? "-"),
            remedy: stats.lastBackupAt == nil ? "kindverb backup" : nil))
      }
      return findings
    } catch {
      return [Finding(isGood: false, text: error.message, remedy: session.text(.cliDoctorStart))]
    }
  }

  private static var dataPath: String {
    (variable("XDG_DATA_HOME") ?? (variable("HOME") ?? "") + "/.local/share") + "/kindverb"
  }

  private static func dataDirectory(_ session: Session) -> Finding {
    var status = stat()
    guard stat(dataPath, &status) == 0 else {
      return Finding(isGood: true, text: session.text(.cliDoctorNoData, dataPath), remedy: nil)
    }
    let isPrivate = status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    return Finding(
      isGood: isPrivate, text: session.text(isPrivate ? .cliDoctorData : .cliDoctorOpen, dataPath),
      remedy: isPrivate ? nil : "chmod 700 \(dataPath)")
  }

  private static func space(_ session: Session) -> Finding {
    var figures = statvfs()
    let path = access(dataPath, F_OK) == 0 ? dataPath : variable("HOME") ?? "/"
    guard statvfs(path, &figures) == 0 else {
      return Finding(isGood: true, text: session.text(.cliDoctorSpace, "?"), remedy: nil)
    }
    let mebibytes = (UInt64(figures.f_bavail) * UInt64(figures.f_frsize)) >> 20
    return Finding(
      isGood: mebibytes >= 50, text: session.text(.cliDoctorSpace, String(mebibytes)),
      remedy: mebibytes >= 50 ? nil : session.text(.cliDoctorSpaceRemedy))
  }

  private static func clipboard(_ session: Session) -> Finding {
    Finding(isGood: true, text: session.text(.cliDoctorClipboard, Clipboard.program?.first ?? "OSC 52"), remedy: nil)
  }

  private static func locale(_ session: Session) -> Finding {
    Finding(isGood: true, text: session.text(.cliDoctorLocale, session.language.rawValue), remedy: nil)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The directory that the program was started in.
  static func workingDirectory() -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    return getcwd(&buffer, buffer.count).map { String(cString: $0) } ?? "/"
  }
}
