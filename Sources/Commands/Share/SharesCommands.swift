import KindVerbAPI

/// `shares …`: the links that were made.
enum SharesCommands {
  static func list(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    if !arguments.words.isEmpty { throw Verb.unknown(["shares"] + arguments.words, session) }
    try Listing(arguments, session).show(session, rows: { show($0, session) }) { (limit, before) throws(Failure) in
      let page = try session.call(Methods.ShareList.self, .init(limit: limit, before: before))
      return (page.items, page.next)
    }
    guard session.terminal.isTerminal, !session.options.isJSON else { return }
    let outbox = try session.call(Methods.OutboxStatus.self, .init())
    if let line = ShareWords(session.language).outbox(outbox) { session.terminal.say(line) }
  }

  private static func show(_ shares: [Share], _ session: Session) {
    if shares.isEmpty, session.terminal.isTerminal { return session.terminal.say(session.text(.cliSharesNone)) }
    let rows = shares.map { ShareWords(session.language).row($0).map(session.terminal.safe) }
    for line in lines(rows, width: session.terminal.width) { session.terminal.line(line) }
  }

  /// A line for each row, and on a terminal another for where it is or why not: a link must not be cut, or broken by us.
  static func lines(_ rows: [[String]], width: Int?) -> [String] {
    var table = Table()
    for row in rows { table.add(width == nil ? row : row.dropLast()) }
    guard let width else { return table.lines(width: nil) }
    let aligned = table.lines(width: .max)
    let isNarrow = aligned.contains { cellWidth($0) > width }
    return zip(rows, aligned).flatMap { row, line in
      let cells = row.dropLast().filter { !$0.isEmpty }.joined(separator: "  ")
      let last = row.last ?? ""
      let more = last.hasPrefix("https://") ? [last] : last.isEmpty ? [] : Wrapping.lines("  " + last, width: width)
      return (isNarrow ? Wrapping.lines(cells, width: width) : [trimmed(line)]) + more
    }
  }

  private static func trimmed(_ line: String) -> String { String(line.reversed().drop { $0 == " " }.reversed()) }

  static func retry(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let share: Share
    do { share = try session.call(Methods.ShareRetry.self, .init(id: try id(arguments, session))) } catch {
      throw error.messageKey == ErrorKey.shareConsentRequired.rawValue
        ? error.saying(error.message + session.next("share on")) : error
    }
    session.show(share) {
      let words = ShareWords(session.language)
      let isThere = share.status == .succeeded
      session.terminal.say(isThere ? words.there(share) : session.text(.cliSharesRetried) + "\n" + words.toSee(session))
    }
  }

  static func cancel(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let share = try session.call(Methods.ShareCancel.self, .init(id: try id(arguments, session)))
    session.show(share) {
      for line in ShareWords(session.language).canceled(share) { session.terminal.say(line) }
    }
  }

  static func delete(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let id = try id(arguments, session)
    try Values.confirm(session, session.text(.cliSharesConfirmDelete))
    let result = try session.call(Methods.ShareDelete.self, .init(id: id))
    session.show(result) {
      session.terminal.say(session.text(session.options.isDryRun ? .cliWouldBeDeleted : .cliSharesDeleted))
      let lives = result.livesUntil.map {
        session.text(.cliSharesLivesUntil, WallClockWords(session.language).moment($0))
      }
      session.terminal.say(lives ?? session.text(.cliSharesNeverThere))
    }
  }

  private static func id(_ arguments: VerbArguments, _ session: Session) throws(Failure) -> String {
    guard let word = arguments.words.first else { throw .missing("ID", session) }
    return try ShortID.find(word, session, none: .cliErrorNoShare) { (limit, before) throws(Failure) in
      let page = try session.call(Methods.ShareList.self, .init(limit: limit, before: before))
      return (page.items.map { ($0.id, $0.createdAt, $0.updatedAt) }, page.next)
    }
  }
}

/// Links in words.
struct ShareWords {
  private let language: Language
  private let moments: WallClockWords

  init(_ language: Language, clock: LocalClock = .present) {
    self.language = language
    moments = WallClockWords(language, clock: clock)
  }

  private func text(_ key: MessageKey, _ arguments: String...) -> String { key.text(in: language, filling: arguments) }

  /// Id, date, how far it is, until when, and where it is or why it is not there.
  func row(_ share: Share) -> [String] {
    let end = share.status == .succeeded ? share.expiresAt.map { text(.cliSharesUntil, moments.moment($0)) } : nil
    let reason = share.status == .canceled ? nil : share.lastError?.message
    return [ShortID.text(share.id), moments.date(share.createdAt), status(share), end ?? "", share.url ?? reason ?? ""]
  }

  /// How far it is.
  func status(_ share: Share) -> String {
    switch share.status {
    case .queued: text(.cliSharesQueued)
    case .uploading: text(.cliSharesUploading)
    case .succeeded: text(share.expiresAt.map(moments.isPast) == true ? .cliSharesExpired : .cliSharesSucceeded)
    case .failed: text(.cliSharesFailed)
    case .canceled: text(.cliSharesCanceled)
    }
  }

  /// What waits, and until when at most; nil where nothing does.
  func outbox(_ status: OutboxStatus) -> String? {
    let count = status.queued + status.uploading
    guard count > 0 else { return nil }
    let next = status.nextAttemptAt.map { [text(.cliSharesNext, moments.moment($0))] } ?? []
    return language.sentences([text(.cliSharesOutbox, String(count))] + next)
  }

  func there(_ share: Share) -> String { text(.cliSharesThere, share.expiresAt.map { moments.moment($0) } ?? "?") }

  /// What came of taking it back.
  func canceled(_ share: Share) -> [String] {
    switch share.status {
    case .succeeded: return [there(share)]
    case .failed: return [text(.cliSharesNotWaiting)]
    case .queued, .uploading, .canceled:
      return [text(.cliSharesTakenBack)] + (share.mayHaveArrived ? [text(.cliSharesMayHaveArrived)] : [])
    }
  }

  func toSee(_ session: Session) -> String {
    text(.cliShareToSee, session.terminal.safe(session.options.command("shares")))
  }
}
