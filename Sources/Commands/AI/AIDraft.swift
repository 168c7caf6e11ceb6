import JSONRPC
import KindVerbAPI

/// A letter that an AI is asked for: the agreement before it, the wait, and what is said of how it went.
struct AIDraft {
  private let session: Session
  private let source: DraftSource

  /// What the options ask for; nil for a template.
  init?(_ arguments: VerbArguments, _ session: Session) throws(Failure) {
    let (isAI, isAuto) = (arguments["ai"] != nil, arguments["auto"] != nil)
    if isAI, isAuto { throw .usage(showing: session.text(.cliAiBothSources)) }
    guard isAI || isAuto else { return nil }
    self.session = session
    source = isAI ? .ai : .auto
  }

  /// Asks for the letter. `params` are made with the source.
  func ask<Method: ContractMethod>(
    _ method: Method.Type, of journal: String, _ params: (DraftSource) -> Method.Params
  ) throws(Failure) -> LetterDraft where Method.Result == LetterDraft {
    if source == .ai { try agree() }
    let progress = ProgressLine()
    // It is told how far the draft is; one that does not hear it waits as well.
    _ = try? session.call(Methods.EventsSubscribe.self, .init(topics: [.ai]))
    var characters = 0
    do {
      return try Interruption.noted { () throws(Failure) -> LetterDraft in
        defer { progress.end() }
        return try session.call(method, params(source)) { notification in
          if let notification, notification.method == AiProgress.method,
            let told = try? AiProgress(json: notification.params), told.journalId == journal
          {
            characters = told.receivedCharacters
          }
          progress.show(line(progress.seconds, characters), plain: session.text(.cliAiAsking))
          return !Interruption.hasCome
        }
      }
    } catch {
      if Interruption.hasCome { throw stopped() }
      throw helped(error)
    }
  }

  private func line(_ seconds: String, _ characters: Int) -> String {
    characters == 0
      ? session.text(.cliAiWaiting, seconds) : session.text(.cliAiWriting, seconds, String(characters))
  }

  /// What becomes of what was sent. It ends as Ctrl-C ends a program.
  private func stopped() -> Failure {
    let host = (try? session.call(Methods.AiConsentGet.self, .init()))?.host
    session.terminal.complain(session.text(.cliAiStopped, host ?? "AI"))
    return .interruption
  }

  /// Whoever has not agreed is asked, on a terminal; elsewhere the daemon refuses.
  private func agree() throws(Failure) {
    guard session.terminal.isInteractive, !session.options.isJSON, !session.options.isDryRun else { return }
    let consent = try session.call(Methods.AiConsentGet.self, .init())
    if consent.enabled { return }
    guard try AICommands.isAgreed(consent, session) else { throw Failure(.failed, session.text(.cliAiNotSent)) }
    _ = try session.call(Methods.AiConsentSet.self, .init(enabled: true))
  }

  /// An error with the way out.
  private func helped(_ error: Failure) -> Failure {
    switch error.messageKey.flatMap(ErrorKey.init(rawValue:)) {
    case .aiConsentRequired: error.saying(error.message + session.next("ai on"))
    case .aiKeyMissing, .aiKeyRejected: error.saying(error.message + "\n" + session.text(.cliAiKeyHow))
    case .aiLimitReached, .aiMachineLimit, .aiTooFast, .aiRateLimited:
      error.figure("retryAfterMs").map {
        let retry = WallClockWords(session.language).retry(afterMilliseconds: $0)
        return error.saying(session.language.sentences([error.message, retry]))
      } ?? error
    default: error
    }
  }

  // MARK: Beside the letter

  /// What is said of where a letter came from; nothing of most.
  static func words(_ letter: LetterDraft, _ language: Language, clock: LocalClock = .present) -> [String] {
    var lines: [String] = []
    if letter.fromStore == true { lines.append(MessageKey.cliAiFromStore.text(in: language)) }
    if let fallback = letter.fallback {
      var reasons = [fallback.message]
      if fallback.retriable || fallback.retryAfterMs != nil {
        reasons.append(WallClockWords(language, clock: clock).retry(afterMilliseconds: fallback.retryAfterMs ?? 0))
      }
      lines.append(MessageKey.cliAiFallback.text(in: language, language.sentences(reasons)))
    }
    return lines
  }
}
