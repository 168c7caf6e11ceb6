import KindVerbAPI

/// `ai …`
enum AICommands {
  static func status(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    if !arguments.words.isEmpty { throw Verb.unknown(["ai"] + arguments.words, session) }
    let status = try session.call(Methods.AiStatus.self, .init())
    // Whom it would ask is a word for a person; the JSON is the daemon's.
    let host = session.options.isJSON ? "" : try session.call(Methods.AiConsentGet.self, .init()).host
    session.show(status) {
      for line in AIWords(session.language).status(status, host: host) { session.terminal.say(line) }
      let next = status.enabled ? "" : session.next("ai on")
      if session.terminal.isTerminal, !next.isEmpty { session.terminal.line(String(next.dropFirst())) }
    }
  }

  static func turnOn(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let isAsked = session.terminal.isInteractive && !session.options.isJSON && !session.options.isDryRun
    if isAsked, !session.options.isConfirmed {
      let consent = try session.call(Methods.AiConsentGet.self, .init())
      let isWanted = try consent.enabled ? true : isAgreed(consent, session)
      guard isWanted else { throw Failure(.failed, session.text(.cliNothingDone)) }
    }
    let consent = try session.call(Methods.AiConsentSet.self, .init(enabled: true))
    if session.options.isJSON || session.options.isDryRun {
      return session.show(consent) { session.terminal.say(session.text(.cliAiOn, consent.host, consent.model)) }
    }
    try status(session, arguments)
  }

  static func turnOff(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let consent = try session.call(Methods.AiConsentSet.self, .init(enabled: false))
    session.show(consent) { session.terminal.say(session.text(.cliAiOff)) }
  }

  /// Explains what is sent and to whom, and asks; Enter is a no.
  static func isAgreed(_ consent: AIConsent, _ session: Session) throws(Failure) -> Bool {
    session.terminal.say(session.text(.cliAiExplain, consent.host, consent.model))
    session.terminal.say(session.text(.cliAiExplainPreview, session.terminal.safe(session.options.command("ai preview"))))
    return try Values.agrees(session, session.text(.cliAiQuestion), byDefault: false)
  }

  static func preview(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let tone: Tone? = try Values.optional(arguments["tone"], "--tone", session)
    let register: Register? = try Values.optional(arguments["register"], "--register", session)
    let journal = try Values.journalID(arguments.words.first, session)
    let preview = try session.call(Methods.AiPreview.self, .init(journalId: journal, tone: tone, register: register))
    session.show(preview) {
      let terminal = session.terminal
      if arguments["body"] != nil { return terminal.json(preview.body.exposed) }
      if let refusal = preview.refusal { return terminal.say(refusal.message) }
      terminal.say(session.text(.cliAiPreviewTo, preview.host, preview.model))
      section(.cliAiPreviewInstruction, preview.systemInstruction, session)
      section(.cliAiPreviewText, preview.text.exposed, session)
      terminal.line()
      if preview.tokens.isEmpty { return terminal.say(session.text(.cliAiPreviewNone)) }
      terminal.line(terminal.strong(session.text(.cliAiPreviewTokens)))
      var table = Table()
      let times = Terminal.isPlain ? "x" : "×"
      for token in preview.tokens {
        table.add(["  " + token.token, terminal.safe(token.standsFor.exposed), times + String(token.occurrences)])
      }
      for line in table.whole(width: terminal.width) { terminal.line(line) }
    }
  }

  private static func section(_ title: MessageKey, _ text: String, _ session: Session) {
    session.terminal.line()
    session.terminal.line(session.terminal.strong(session.terminal.wrapped(session.text(title))))
    session.terminal.say(session.terminal.safe(text))
  }
}

/// Drafts by an AI, in words.
struct AIWords {
  private let language: Language
  private let clock: LocalClock

  init(_ language: Language, clock: LocalClock = .present) {
    self.language = language
    self.clock = clock
  }

  private func text(_ key: MessageKey, _ arguments: String...) -> String { key.text(in: language, filling: arguments) }

  /// Whether it is on and can be, what is left, and what it waits for.
  func status(_ status: AIStatus, host: String) -> [String] {
    var lines = [status.enabled ? text(.cliAiOn, host, status.model) : text(.cliAiOff)]
    lines.append(status.configured ? text(.cliAiKey) : language.sentences([text(.cliAiNoKey), text(.cliAiKeyHow)]))
    let moments = WallClockWords(language, clock: clock)
    lines.append(
      text(.cliAiLeft, String(status.leftToday), String(status.limitPerDay), moments.moment(status.renewsAt)))
    if status.machineLeftToday == 0 { lines.append(text(.cliAiMachineDone)) }
    // Where the day's drafts are used up it is said already when there are more.
    if status.retryAfterMs > 0, status.leftToday > 0 {
      lines.append(text(.cliAiPause, moments.moment(clock.now + Int64(status.retryAfterMs))))
    }
    return lines
  }
}
