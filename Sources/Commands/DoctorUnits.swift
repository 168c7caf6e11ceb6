import Glibc
import KindVerbAPI

/// What starts the daemon here: systemd's user manager, with the units as it knows them, or nothing.
struct DoctorUnits {
  /// The manager's answers about the socket's unit, and whether the service starts with the login; nil where there is no user manager.
  private let state: (enabled: String, active: String, service: String)?
  private let systemctl: String
  private let session: Session
  private static let units = ["kindverbd.socket", "kindverbd.service"]
  private static let start = "systemctl --user enable --now \(units.joined(separator: " "))"

  init(_ session: Session) {
    self.session = session
    systemctl = Program.find("systemctl") ?? ""
    let manager = systemctl.isEmpty ? "" : Program.output([systemctl, "--user", "is-system-running"])?.text ?? ""
    guard !manager.isEmpty, !manager.hasPrefix("offline"), !manager.hasPrefix("unknown") else {
      state = nil
      return
    }
    let program = systemctl
    let answer = { (question: String, unit: String) in
      Program.output([program, "--user", question, unit]).map { Wizard.trimmed($0.text) } ?? ""
    }
    state = (
      answer("is-enabled", "kindverbd.socket"), answer("is-active", "kindverbd.socket"),
      answer("is-enabled", "kindverbd.service")
    )
  }

  private var isInstalled: Bool { state.map { !$0.enabled.isEmpty && $0.enabled != "not-found" } ?? false }

  /// What starts the daemon that this run looks for.
  var remedy: String {
    if session.options.hasOwnSocket { return "kindverbd --socket \(DoctorCommand.quoted(session.options.socket)) &" }
    guard state != nil else { return "kindverbd &" }
    return isInstalled ? whatHinders?.remedy ?? Self.start : whereUnitsLie.remedy ?? ""
  }

  /// What restarts it.
  var restart: String { state == nil ? session.text(.cliDoctorRestartByHand) : "systemctl --user restart kindverbd" }

  /// Where its log is read.
  var log: String { state == nil ? session.text(.cliDoctorLogByHand) : "journalctl --user -u kindverbd -n 20" }

  /// Whether systemd starts the daemon. That it does not is a problem only while nobody answers.
  func finding(daemonAnswers: Bool) -> DoctorCommand.Finding {
    guard let state else {
      return .note(session.text(.cliDoctorNoSystemd), session.text(.cliDoctorNoSystemdRemedy))
    }
    let grade: DoctorCommand.Finding.Grade = daemonAnswers ? .note : .problem
    if !isInstalled {
      var finding = whereUnitsLie
      finding.grade = grade
      return finding
    }
    if !daemonAnswers, var finding = whatHinders {
      finding.grade = grade
      return finding
    }
    let text = session.text(.cliDoctorUnits, state.enabled, state.active)
    if state.enabled == "enabled", state.active == "active" {
      return state.service == "disabled" ? .note(session.text(.cliDoctorServiceWaits), Self.start) : .good(text)
    }
    return DoctorCommand.Finding(grade: grade, text: text, remedy: Self.start)
  }

  // MARK: Why it is not started

  /// The units are not known to the manager: they are not installed, or lie where it does not look.
  private var whereUnitsLie: DoctorCommand.Finding {
    let known = property("UnitPath", of: nil).split(separator: " ").map(String.init)
    guard let place = Self.places.first(where: { access("\($0)/kindverbd.socket", F_OK) == 0 }) else {
      return .note(session.text(.cliDoctorNoUnits), session.text(.cliDoctorInstall))
    }
    let reload = "systemctl --user daemon-reload && \(Self.start)"
    if known.contains(place) { return .note(session.text(.cliDoctorUnitsNotRead, place), reload) }
    let target = "${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user"
    let copy = "mkdir -p \"\(target)\" && cp -r \(DoctorCommand.quoted(place))/kindverbd.* \"\(target)/\" && "
    return .note(session.text(.cliDoctorUnitsElsewhere, place), copy + reload)
  }

  /// Where `make install` puts units, now or earlier, beside this program and in the home.
  private static var places: [String] {
    var prefixes: [String] = []
    if let directory = DoctorCommand.programDirectory, directory.hasSuffix("/bin") {
      prefixes.append(String(directory.dropLast(4)))
    }
    if let home = DoctorCommand.variable("HOME") { prefixes.append(home + "/.local") }
    return (prefixes + ["/usr/local", "/usr"]).flatMap { ["\($0)/share/systemd/user", "\($0)/lib/systemd/user"] }
  }

  /// A failure of the service that starting it again does not mend.
  private var whatHinders: DoctorCommand.Finding? {
    let again =
      "systemctl --user daemon-reload && systemctl --user reset-failed \(Self.units.joined(separator: " ")); \(Self.start)"
    switch property("ExecMainStatus", of: "kindverbd.service") {
    case "226", "218":
      let dropIns = property("DropInPaths", of: "kindverbd.service").split(separator: " ").map(String.init)
      let strict = dropIns.first { $0.hasSuffix("/strict.conf") } ?? "kindverbd.service.d/strict.conf"
      return .problem(session.text(.cliDoctorNamespaces), "rm \(DoctorCommand.quoted(strict)) && \(again)")
    case "", "0": return nil
    case let status:
      guard state?.active == "failed" || property("ActiveState", of: "kindverbd.service") == "failed" else { return nil }
      return .problem(session.text(.cliDoctorServiceFailed, status), "\(log)\n\(again)")
    }
  }

  private func property(_ name: String, of unit: String?) -> String {
    let words = [systemctl, "--user", "show", "--property", name] + (unit.map { [$0] } ?? [])
    guard state != nil, let text = Program.output(words)?.text else { return "" }
    // `--value` is younger than some managers.
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + "=") }
    return line.map { Wizard.trimmed(String($0.dropFirst(name.count + 1))) } ?? ""
  }
}
