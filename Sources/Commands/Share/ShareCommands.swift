import JSONRPC
import KindVerbAPI

/// `share …`: a finished letter as a link.
enum ShareCommands {
  /// How long a link is waited for, in seconds, where `--wait` says nothing; and at most.
  private static let wait = (usual: 15, longest: 3_600)

  static func share(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard let word = arguments.words.first else { throw .missing("LETTER", session) }
    let days = try number(arguments["days"], "--days", 1...365, session)
    let seconds = try number(arguments["wait"], "--wait", 0...wait.longest, session) ?? wait.usual
    let letter = try Values.letterID(word, session)
    if session.terminal.isInteractive, !session.options.isJSON, !session.options.isDryRun {
      try agree(session)
      try finish(letter, session)
    }
    // Before there is anything to tell, so that nothing is missed.
    let isTold = (try? session.call(Methods.EventsSubscribe.self, .init(topics: [.share]))) != nil
    let share: Share
    do { share = try session.call(Methods.ShareCreate.self, .init(letterId: letter, expiresInDays: days)) } catch {
      throw helped(error, letter, session)
    }
    if session.options.isDryRun { return session.show(share) {} }
    try ShareWait(session).run(share, seconds: isTold ? seconds : 0)
  }

  private static func number(
    _ text: String?, _ name: String, _ range: ClosedRange<Int>, _ session: Session
  ) throws(Failure) -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let wrong = session.text(.cliErrorOptionValue, name, text)
      throw .usage(
        wrong + " " + session.text(.cliErrorRange, String(range.lowerBound), String(range.upperBound)))
    }
    return number
  }

  // MARK: What has to be so before

  /// Whoever has not agreed is asked, once. Nobody is asked about what cannot be done anyway.
  private static func agree(_ session: Session) throws(Failure) {
    let consent = try session.call(Methods.ShareConsentGet.self, .init())
    guard consent.configured else {
      throw Failure(.failed, session.text(.errorShareNotConfigured) + "\n" + session.text(.cliShareConfigureHow))
    }
    if consent.granted { return }
    guard try isAgreed(consent, session) else { throw Failure(.failed, session.text(.cliAiNotSent)) }
    _ = try session.call(Methods.ShareConsentSet.self, .init(granted: true))
  }

  /// Explains what is uploaded, where to and who can read it, and asks; Enter is a no.
  private static func isAgreed(_ consent: ShareConsent, _ session: Session) throws(Failure) -> Bool {
    session.terminal.say(session.text(.cliShareExplain, consent.host, consent.linkBase))
    return try Values.agrees(session, session.text(.cliShareQuestion), byDefault: false)
  }

  private static func finish(_ id: String, _ session: Session) throws(Failure) {
    let letter = try session.call(Methods.LetterGet.self, .init(id: id))
    if letter.status == .finalized { return }
    let question = session.text(.cliShareFinishQuestion)
    let isWanted = try session.options.isConfirmed ? true : Values.agrees(session, question, byDefault: false)
    guard isWanted else { throw Failure(.failed, session.text(.cliAiNotSent)) }
    _ = try session.call(Methods.LetterFinalize.self, .init(id: id))
  }

  /// An error with the way out.
  private static func helped(_ error: Failure, _ letter: String, _ session: Session) -> Failure {
    switch error.messageKey.flatMap(ErrorKey.init(rawValue:)) {
    case .shareConsentRequired: error.saying(error.message + session.next("share on"))
    case .shareLetterNotFinalized:
      error.saying(session.text(.errorShareLetterNotFinalized) + session.next("letter finalize \(ShortID.text(letter))"))
    case .shareNotConfigured: error.saying(error.message + "\n" + session.text(.cliShareConfigureHow))
    case .outboxFull: error.saying(error.message + session.next("shares"))
    default: error
    }
  }

  // MARK: Agreement by itself

  static func turnOn(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let isAsked = session.terminal.isInteractive && !session.options.isJSON && !session.options.isDryRun
    if isAsked, !session.options.isConfirmed {
      let consent = try session.call(Methods.ShareConsentGet.self, .init())
      let isWanted = try consent.granted ? true : isAgreed(consent, session)
      guard isWanted else { throw Failure(.failed, session.text(.cliNothingDone)) }
    }
    let consent = try session.call(Methods.ShareConsentSet.self, .init(granted: true))
    session.show(consent) {
      session.terminal.say(session.text(.cliShareOn, consent.host))
      if !consent.configured { session.terminal.say(session.text(.cliShareConfigureHow)) }
    }
  }

  static func turnOff(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let consent = try session.call(Methods.ShareConsentSet.self, .init(granted: false))
    session.show(consent) { session.terminal.say(session.text(.cliShareOff)) }
  }
}
