import JSONRPC
import KindVerbAPI

/// Waits until a link is there, or will not be. The daemon tells when something changed; nothing is asked for in between.
struct ShareWait {
  private let session: Session
  private var words: ShareWords { ShareWords(session.language) }

  init(_ session: Session) { self.session = session }

  /// Waits for so many seconds at most, and ends with the link on standard output, alone. Whatever else is said goes to standard error.
  func run(_ first: Share, seconds: Int) throws(Failure) {
    let share: Share
    do {
      share = try Interruption.noted { () throws(Failure) -> Share in try last(first, seconds) }
    } catch {
      // A daemon that went away has it in its outbox.
      guard Interruption.hasCome else { throw error.saying(error.message + "\n" + later(first)) }
      session.terminal.complain(session.text(.cliShareGoesOn) + "\n" + takeBack(first))
      throw .interruption
    }
    switch share.status {
    case .succeeded: try tell(share)
    case .failed:
      throw failure(session.text(.cliShareFailed, share.lastError?.message ?? "") + retry(share), share)
    case .canceled: throw failure(session.text(.cliShareCanceled) + retry(share), share)
    case .queued, .uploading:
      // Whoever did not want to wait has what they wanted; but a script must not take nothing for a link.
      if seconds > 0 { throw failure(later(share), share, .timeout) }
      session.show(share) { session.terminal.complain(later(share)) }
    }
  }

  /// The link as it is when it is done, or when the time is over.
  private func last(_ first: Share, _ seconds: Int) throws(Failure) -> Share {
    let progress = ProgressLine()
    defer { progress.end() }
    let end = ContinuousClock.now + .seconds(seconds)
    var share = first
    while [.queued, .uploading].contains(share.status), ContinuousClock.now < end {
      let key: MessageKey = share.status == .queued ? .cliShareWaiting : .cliShareUploading
      progress.show(session.text(key, progress.seconds), plain: session.text(.cliShareSending))
      if Interruption.hasCome { throw .interruption }
      if try hasChanged(share.id) { share = try latest(share.id) }
    }
    return share
  }

  /// Waits for a tick; whether the daemon told of this link, or that it could not tell everything.
  private func hasChanged(_ id: String) throws(Failure) -> Bool {
    let client = try session.client()
    do {
      return Self.tells(try client.notification(timeoutMilliseconds: Interruption.tickMilliseconds), of: id)
    } catch {
      if case .timedOut = error { return false }
      throw Failure(error, session.language)
    }
  }

  private static func tells(_ event: ServerNotification, of id: String) -> Bool {
    event.method == EventsLagged.method || event.params["id"]?.stringValue == id
  }

  /// The link as it is now; also after what is told while it is asked for.
  private func latest(_ id: String) throws(Failure) -> Share {
    while true {
      var isStale = false
      let share = try session.call(Methods.ShareGet.self, .init(id: id)) { event in
        if let event, Self.tells(event, of: id) { isStale = true }
        return !Interruption.hasCome
      }
      if !isStale { return share }
    }
  }

  // MARK: What is said

  private func tell(_ share: Share) throws(Failure) {
    let url = share.url ?? ""
    session.show(share) { session.terminal.line(session.terminal.safe(url)) }
    if let end = share.expiresAt {
      session.terminal.complain(session.text(.cliShareUntil, WallClockWords(session.language).moment(end)))
    }
    if !share.confirmed { session.terminal.complain(session.text(.cliShareUnconfirmed)) }
    // A script has what it wants; nobody expects it in the clipboard. Where there is none, the link stands above.
    guard session.terminal.isTerminal, !session.options.isJSON, let how = try? Clipboard.copy(url, session) else { return }
    session.terminal.complain(how)
  }

  /// A failure beside which `--json` has the link.
  private func failure(_ message: String, _ share: Share, _ code: ExitCode = .failed) -> Failure {
    session.show(share) {}
    return Failure(code, message)
  }

  private func later(_ share: Share) -> String {
    session.text(.cliShareLater, ShortID.text(share.id)) + "\n" + words.toSee(session) + "\n" + takeBack(share)
  }

  private func takeBack(_ share: Share) -> String {
    session.text(
      .cliShareTakeBack, session.terminal.safe(session.options.command("shares cancel \(ShortID.text(share.id))")))
  }

  private func retry(_ share: Share) -> String { session.next("shares retry \(ShortID.text(share.id))") }
}
