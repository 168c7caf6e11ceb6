import KindVerbAPI

/// What `doctor` says of the ways out of the machine: only what the daemon tells.
struct DoctorSending {
  private let session: Session
  private let log: String

  init(_ session: Session, _ units: DoctorUnits) {
    self.session = session
    log = units.log
  }

  /// Nothing of what an older daemon does not know.
  var findings: [DoctorCommand.Finding] { [drafts, project, outbox].compactMap { $0 } }

  private var drafts: DoctorCommand.Finding? {
    guard let status = try? session.call(Methods.AiStatus.self, .init()) else { return nil }
    if !status.enabled { return .good(session.text(.cliDoctorAiOff)) }
    if status.configured { return .good(session.text(.cliDoctorAiReady)) }
    return .note(session.text(.cliDoctorAiNoKey), session.text(.cliAiKeyHow) + "\n" + log)
  }

  private var project: DoctorCommand.Finding? {
    guard let consent = try? session.call(Methods.ShareConsentGet.self, .init()), consent.granted, !consent.configured else {
      return nil
    }
    return .note(session.text(.cliDoctorShareNoProject), session.text(.cliShareConfigureHow))
  }

  private var outbox: DoctorCommand.Finding? {
    guard let status = try? session.call(Methods.OutboxStatus.self, .init()) else { return nil }
    let waiting = status.queued + status.uploading
    if waiting == 0, status.failed == 0 { return .good(session.text(.cliDoctorOutboxEmpty)) }
    let figures = session.text(.cliDoctorOutbox, String(waiting), String(status.failed))
    let reason = status.lastError.map { [$0.message] } ?? []
    return .note(session.language.sentences([figures] + reason), session.options.command("shares"))
  }
}
