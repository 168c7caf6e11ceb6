import KindVerbAPI

/// After the first completed journal: whether the person wants quiet notifications. Asked on a terminal alone, once in a run, and never
/// again once there is an answer.
enum NotificationOffer {
  private static let laterWords = ["later", "나중에", "あとで", "後で", "以后", "以後"]

  static func make(_ session: Session) throws(Failure) {
    // Who has typed on does not read this.
    guard session.terminal.isInteractive, !session.terminal.isTypedAhead else { return }
    // What an older daemon does not know is not asked for.
    guard let consent = try? session.call(Methods.NotificationConsentGet.self, .init()), consent.state == .offered else { return }
    let terminal = session.terminal
    terminal.line()
    terminal.line(terminal.strong(terminal.wrapped(session.text(.consentNotifTitle))))
    terminal.say(session.text(.consentNotifBody))
    terminal.say(session.text(.consentNotifLater))
    while let line = try terminal.ask(session.text(.consentNotifAllow) + " [y/N] ") {
      let word = Wizard.trimmed(line).lowercased()
      if laterWords.contains(word) { return terminal.say(session.text(.cliNotifLater)) }
      guard let answer = word.isEmpty ? false : Values.isYes(word) else {
        terminal.say(session.text(.cliYesOrNo))
        continue
      }
      return try keep(answer, session)
    }
  }

  private static func keep(_ isWanted: Bool, _ session: Session) throws(Failure) {
    _ = try session.call(Methods.NotificationConsentSet.self, .init(granted: isWanted))
    let verb = isWanted ? "notifications" : "notifications on"
    session.terminal.say(session.text(isWanted ? .cliNotifOn : .cliNotifDeclined) + session.next(verb))
  }
}
