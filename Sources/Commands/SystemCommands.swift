import JSON
import KindVerbAPI

/// `ping`, `info`, `stats`, `backup`, `settings`
enum SystemCommands {
  static func ping(_ session: Session, _ words: [String]) throws(Failure) {
    let start = ContinuousClock.now
    let pong = try session.call(Methods.SystemPing.self, .init())
    let elapsed = (ContinuousClock.now - start) / .microseconds(1)
    session.show(pong) { session.terminal.line(session.text(.cliPong, String(Int(elapsed)))) }
  }

  static func info(_ session: Session, _ words: [String]) throws(Failure) {
    let info = try session.call(Methods.SystemInfo.self, .init())
    session.show(info) {
      rows(
        [
          ("version", info.version), ("protocol", info.protocolVersion), ("state", info.state.rawValue),
          ("schema", info.schema.map(String.init) ?? "-"), ("socket", session.options.socket),
          ("activation", info.activation.rawValue),
          ("languages", info.languages.joined(separator: ", ")), ("capabilities", info.capabilities.joined(separator: ", ")),
        ], session)
    }
  }

  static func stats(_ session: Session, _ words: [String]) throws(Failure) {
    let stats = try session.call(Methods.SystemStats.self, .init())
    session.show(stats) {
      rows(
        [
          ("uptime", "\(stats.uptimeMs / 1_000) s"), ("connections", "\(stats.connections)"),
          ("subscriptions", "\(stats.subscriptions)"),
          ("requests", "\(stats.requests)"), ("errors", "\(stats.errors)"), ("commits", "\(stats.commits)"),
          ("memory", "\(stats.memory.rssBytes >> 10) KiB (\(stats.memory.anonymousBytes >> 10) KiB anonymous)"),
          ("store", "\(stats.storeBytes >> 10) KiB"), ("last backup", stats.lastBackupAt ?? "-"),
        ], session)
    }
  }

  static func backup(_ session: Session, _ words: [String]) throws(Failure) {
    var path = words.first
    if let given = path, !given.hasPrefix("/") { path = DoctorCommand.workingDirectory() + "/" + given }
    let backup = try session.call(Methods.SystemBackup.self, .init(path: path))
    session.show(backup) { session.terminal.line(session.text(.cliBackupDone, backup.path, String(backup.bytes >> 10))) }
  }

  static func settings(_ session: Session, _ words: [String]) throws(Failure) {
    var words = words
    if words.first == "get" || words.first == "set" { words.removeFirst() }
    let settings: Settings
    if words.isEmpty {
      settings = try session.call(Methods.SettingsGet.self, .init())
    } else {
      guard let method = MethodCatalogue.named("settings.set") else { return }
      var params = try CallCommand.parameters(words, of: method, session)
      // `language=` goes back to the default.
      for member in params.members where member.value == "" { params[member.name] = .null }
      let result = try session.call(method.name, params)
      guard let read = try? Settings(json: result) else { throw Failure(.failed, session.text(.cliErrorMalformed, method.name)) }
      settings = read
    }
    session.show(settings) {
      rows(
        [("language", settings.language?.rawValue ?? "-"), ("effectiveLanguage", settings.effectiveLanguage.rawValue)], session)
    }
  }

  private static func rows(_ rows: [(String, String)], _ session: Session) {
    var table = Table()
    for (name, value) in rows { table.add([name, value]) }
    for line in table.lines(width: session.terminal.width) { session.terminal.line(line) }
  }
}
