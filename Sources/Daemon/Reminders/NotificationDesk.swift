import EventLoop
import KindVerbAPI
import Reminders
import Storage
import Systemd

/// What stands on the person's screen, by what it is about. It is kept in the store as well, so that a daemon that was restarted can
/// still take it away, and hears of the click.
@DaemonActor
final class NotificationDesk {
  /// The person clicked a notification; what it was about, and the token that brings a program to the front.
  var onActivated: (@DaemonActor (String, _ token: String?) -> Void)?
  /// Somebody is there who shows notifications and was not before.
  var onServiceAppeared: (@DaemonActor () -> Void)?

  private let notifications = DesktopNotifications()
  private let write: @DaemonActor ((Store) throws -> Void) throws -> Void
  private var standing: [String: StandingNotification] = [:]
  /// Something stands on the screen now that did not before: it may be done with already.
  var onStands: (@DaemonActor () -> Void)?
  private let log = Log("notification")
  private var isMissingNoted = false

  /// A desk that keeps what stands by `write`.
  init(write: @escaping @DaemonActor ((Store) throws -> Void) throws -> Void) {
    self.write = write
    notifications.onActivated = { [weak self] in self?.activated($0, $1) }
    notifications.onClosed = { [weak self] notification, _ in self?.closed(notification) }
    notifications.onServiceAppeared = { [weak self] in
      self?.isMissingNoted = false
      self?.onServiceAppeared?()
    }
  }

  /// Takes up what stood when the daemon ended.
  func takeUp(_ store: Store) {
    guard let kept = try? StandingStore(store).all() else { return }
    for one in kept {
      let notification = StandingNotification(number: one.number, service: one.service)
      standing[one.subject] = notification
      notifications.adopt(notification)
    }
  }

  /// Shows something. `beforeSending` stores what must be stored before it can be seen; with false nothing is shown. `completion` may be
  /// called a second time: by a service that shows it when it was given up already.
  func show(
    _ subject: String, _ notification: DesktopNotification, beforeSending: @escaping @DaemonActor (_ service: String) -> Bool,
    completion: @escaping @DaemonActor (ReminderWatch.Showing) -> Void
  ) {
    var wasSent = false
    notifications.show(
      notification,
      beforeSending: { service in
        wasSent = beforeSending(service)
        return wasSent
      },
      completion: { [weak self] outcome in
        switch outcome {
        case .shown(let notification):
          self?.stands(subject, notification)
          completion(.shown)
        case .notShown(.withheld): completion(.withheld)
        case .notShown(let reason):
          // A quiet one is not shown later either.
          if QuietWatch.type(of: subject) == nil { self?.noteMissing(reason) }
          completion(!wasSent ? .notShown : reason == .refused || reason == .accessDenied ? .refused : .unanswered)
        }
      },
      late: { [weak self] notification in
        guard let self else { return false }
        guard let notification else {
          completion(.refused)
          return false
        }
        stands(subject, notification)
        completion(.shown)
        return true
      })
  }

  /// Shows something that is not kept and means nothing when it is clicked; why it was not shown, or nil.
  func tryOut(_ notification: DesktopNotification) async -> DesktopNotifications.Reason? {
    await withCheckedContinuation { continuation in
      notifications.show(
        notification,
        completion: { outcome in
          if case .notShown(let reason) = outcome {
            continuation.resume(returning: reason)
          } else {
            continuation.resume(returning: nil)
          }
        }, late: nil)
    }
  }

  /// Takes from the screen what is about certain things.
  func takeAway(_ isMeant: (String) -> Bool) {
    for (subject, notification) in standing where isMeant(subject) { notifications.close(notification) }
  }

  private func stands(_ subject: String, _ notification: StandingNotification) {
    // Whoever shows the same a second time takes the first away.
    if let former = standing[subject], former != notification { notifications.close(former) }
    standing[subject] = notification
    // What cannot be kept can be taken away as long as this process lives.
    try? write { store in
      try StandingStore(store).keep(.init(subject: subject, number: notification.number, service: notification.service))
    }
    onStands?()
  }

  private func activated(_ notification: StandingNotification, _ token: String?) {
    guard let subject = standing.first(where: { $0.value == notification })?.key else { return }
    onActivated?(subject, token)
    notifications.close(notification)
  }

  private func closed(_ notification: StandingNotification) {
    guard let subject = standing.first(where: { $0.value == notification })?.key else { return }
    standing[subject] = nil
    try? write { store in try StandingStore(store).forget(subject) }
  }

  private func noteMissing(_ reason: DesktopNotifications.Reason) {
    guard !isMissingNoted else { return }
    isMissingNoted = true
    log.warning(
      "a reminder could not be shown: \(public: reason.rawValue); it is shown when a notification service appears in time")
  }
}
