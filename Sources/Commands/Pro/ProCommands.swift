import KindVerbAPI

/// `pro`, `pro restore FILE`
enum ProCommands {
  /// A transaction has a few thousand bytes. A file may have this many, of which the text may be what a daemon takes.
  private static let longestFile = 131_072
  private static let longest = 65_536

  static func show(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    if !arguments.words.isEmpty { throw Verb.unknown(["pro"] + arguments.words, session) }
    show(try session.call(Methods.EntitlementGet.self, .init()), session)
  }

  static func restore(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard let path = arguments.words.first else { throw .missing("FILE", session) }
    let transaction = try transaction(path, session)
    let state: EntitlementState
    do {
      state = try session.call(Methods.EntitlementRestore.self, .init(signedTransaction: PersonalText(transaction)))
    } catch {
      guard error.messageKey?.hasPrefix("error.iap.") == true, let message = error.detail("message") else { throw error }
      // There is one thing that can be wrong, and which check it failed helps who looks into it.
      throw error.saying(message + (error.detail("reason").map { " (\($0))" } ?? ""))
    }
    show(state, session)
  }

  /// What a file, or with `-` standard input, holds, without the white space around it that copying leaves.
  private static func transaction(_ path: String, _ session: Session) throws(Failure) -> String {
    let bytes =
      path == "-"
      ? try OutsideText.standardInput(session) : try OutsideText.file(path, longest: longestFile, session)
    let text = Wizard.trimmed(String(decoding: bytes, as: UTF8.self))
    if text.isEmpty { throw .usage(session.text(.cliProEmpty, path)) }
    if text.utf8.count > longest { throw .usage(session.text(.cliErrorLargeFile, path, Units.bytes(longest))) }
    return text
  }

  // MARK: In words

  private static func show(_ state: EntitlementState, _ session: Session) {
    session.show(state) {
      let words = ProWords(state, session.language)
      session.terminal.say(session.terminal.strong(words.headline))
      var table = Table()
      for row in words.rows { table.add(row) }
      for line in table.whole(width: session.terminal.width) { session.terminal.line(line) }
      for line in words.proof { session.terminal.say(line) }
      if state.plan == .free {
        session.terminal.say(session.text(.cliProHow, session.terminal.safe(session.options.command("pro restore FILE"))))
      }
    }
  }
}

/// What is unlocked, in words.
struct ProWords {
  private let state: EntitlementState
  private let language: Language

  init(_ state: EntitlementState, _ language: Language) {
    self.state = state
    self.language = language
  }

  private func text(_ key: MessageKey, _ arguments: String...) -> String { key.text(in: language, filling: arguments) }

  var headline: String { text(state.plan == .pro ? .cliProUnlocked : .cliProLocked) }

  /// What there is, what of it may be used now and, where that is less, what Pro would give.
  var rows: [[String]] {
    let (now, pro) = (state.limits, state.proLimits)
    let rows: [(MessageKey, (PlanLimits) -> String)] = [
      (.cliProTypes, types), (.cliProDrafts, { String($0.aiDraftsPerDay) }), (.cliProLinks, days), (.cliProGratitude, gratitude),
    ]
    return rows.map { key, value in
      let row = ["  " + text(key), value(now)]
      return value(now) == value(pro) ? row : row + [text(.cliProWith, value(pro))]
    }
  }

  private func types(_ limits: PlanLimits) -> String {
    if limits.conflictTypes.count == ConflictType.allCases.count { return text(.cliProAllTypes) }
    let names = limits.conflictTypes.map { MessageKey.text("conflict.\($0.rawValue).title", in: language) ?? $0.rawValue }
    return names.joined(separator: text(.cliProSeparator))
  }

  private func days(_ limits: PlanLimits) -> String {
    text(.cliProDays, limits.shareExpiryDays.sorted().map(String.init).joined(separator: text(.cliProSeparator)))
  }

  private func gratitude(_ limits: PlanLimits) -> String { text(limits.gratitude ? .cliProYes : .cliProNo) }

  /// What was proved of the purchase, what it means, and what cannot be known here.
  var proof: [String] {
    guard state.proof != .none else { return [] }
    var lines = [text(.cliProProved, day(state.purchasedAt), day(state.signedAt), day(state.verifiedAt))]
    if state.ownership == .familyShared { lines.append(text(.cliProFamily)) }
    if state.environment == "Sandbox" { lines.append(text(.cliProSandbox)) }
    switch state.proof {
    case .active:
      if let end = state.expiresAt { lines.append(text(.cliProUntil, day(end))) }
      lines.append(text(.cliProUnseen, day(state.signedAt)))
    case .revoked: lines += [text(.cliProRevoked, day(state.revokedAt)), text(.cliProKept)]
    case .expired: lines += [text(.cliProExpired, day(state.expiresAt)), text(.cliProKept)]
    case .upgraded: lines.append(text(.cliProUpgraded))
    case .notAccepted: lines.append(text(.cliProNotAccepted))
    case .none: break
    }
    return lines
  }

  /// The date of an instant.
  private func day(_ instant: String?) -> String { String(instant?.prefix(10) ?? "?") }
}
