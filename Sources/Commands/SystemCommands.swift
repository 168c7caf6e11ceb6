import JSON
import KindVerbAPI

/// `ping`, `info`, `stats`, `backup`, `settings`
enum SystemCommands {
  static func ping(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let start = ContinuousClock.now
    let pong = try session.call(Methods.SystemPing.self, .init())
    let elapsed = (ContinuousClock.now - start) / .microseconds(1)
    session.show(pong) { session.terminal.line(session.text(.cliPong, String(Int(elapsed)))) }
  }

  static func info(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let info = try session.call(Methods.SystemInfo.self, .init())
    session.show(info) {
      rows(
        [
          (session.text(.cliRowVersion), info.version), (session.text(.cliRowProtocol), info.protocolVersion),
          (session.text(.cliRowState), Rows.state(info.state, session)),
          (session.text(.cliRowSchema), info.schema.map(String.init) ?? "-"),
          (session.text(.cliRowSocket), session.options.socket),
          (session.text(.cliRowActivation), info.activation == .activated ? "systemd" : "kindverbd"),
          (session.text(.cliRowLanguages), info.languages.joined(separator: ", ")),
          (session.text(.cliRowCapabilities), info.capabilities.joined(separator: ", ")),
        ], session)
    }
  }

  static func stats(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let stats = try session.call(Methods.SystemStats.self, .init())
    session.show(stats) {
      rows(
        [
          (session.text(.cliRowUptime), Units.duration(seconds: stats.uptimeMs / 1_000, session)),
          (session.text(.cliRowConnections), "\(stats.connections)"),
          (session.text(.cliRowSubscriptions), "\(stats.subscriptions)"),
          (session.text(.cliRowRequests), "\(stats.requests)"), (session.text(.cliRowErrors), "\(stats.errors)"),
          (session.text(.cliRowCommits), "\(stats.commits)"),
          (
            session.text(.cliRowMemory),
            "\(Units.bytes(stats.memory.rssBytes)) (\(session.text(.cliRowAnonymous)) \(Units.bytes(stats.memory.anonymousBytes)))"
          ),
          (session.text(.cliRowStore), Units.bytes(stats.storeBytes)),
          (session.text(.cliRowLastBackup), stats.lastBackupAt ?? "-"),
        ], session)
    }
  }

  static func backup(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    var path = arguments.words.first
    if let given = path, !given.hasPrefix("/") { path = try OutsideText.workingDirectory(session) + "/" + given }
    let backup = try session.call(Methods.SystemBackup.self, .init(path: path))
    session.show(backup) {
      session.terminal.line(session.text(.cliBackupDone, session.terminal.safe(backup.path), Units.bytes(backup.bytes)))
    }
  }

  static func settings(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    var words = arguments.words
    if words.first == "get" || words.first == "set" {
      let word = words.removeFirst()
      if word == "get" { return try show(words, session) }
      if words.isEmpty { throw .missing("name=value", session) }
    }
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
    session.show(settings) { show(settings, session) }
  }

  private static func show(_ settings: Settings, _ session: Session) {
    rows(
      [
        ("language (\(session.text(.cliRowLanguageChosen)))", settings.language?.rawValue ?? "-"),
        (session.text(.cliRowLanguageInForce), settings.effectiveLanguage.rawValue),
      ], session)
  }

  /// `settings get [NAME]`: all of them, or the value of one, alone, for scripts; an empty line where none is chosen.
  private static func show(_ words: [String], _ session: Session) throws(Failure) {
    let names = MethodCatalogue.named("settings.set")?.parameters.map(\.name) ?? []
    if words.count > 1 { throw .usage(showing: session.text(.cliErrorTooManyWords, words[1])) }
    if let name = words.first, !names.contains(name) {
      throw .choice(session.text(.cliErrorWrongValue, "settings get", name), of: names, session.language)
    }
    let all = try session.call("settings.get", JSONObject())
    guard let settings = try? Settings(json: all) else {
      throw Failure(.failed, session.text(.cliErrorMalformed, "settings.get"))
    }
    guard let name = words.first else { return session.show(settings) { show(settings, session) } }
    let value = all[name] ?? .null
    session.terminal.line(session.options.isJSON ? value.description : session.terminal.safe(value.stringValue ?? ""))
  }

  static func version(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    session.terminal.line("kindverb \(ContractVersion.program)")
  }

  private static func rows(_ rows: [(String, String)], _ session: Session) {
    var table = Table()
    for (name, value) in rows { table.add([name, session.terminal.safe(value)]) }
    for line in table.lines(width: session.terminal.width) { session.terminal.line(line) }
  }
}
