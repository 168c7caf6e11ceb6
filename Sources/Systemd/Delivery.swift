import EventLoop

/// A notification on its way.
@DaemonActor
final class Delivery {
  /// How far it is.
  enum Stage {
    /// For the bus to tell who shows notifications.
    case waiting
    /// A service is being started for it.
    case starting
    /// The service is asked what it can do.
    case asking
    /// It has been handed over.
    case sent
    /// It has failed, and who asked is about to be told.
    case failed
  }

  let notification: DesktopNotification
  let beforeSending: @DaemonActor (_ service: String) -> Bool
  let completion: @DaemonActor (DesktopNotifications.Outcome) -> Void
  let late: (@DaemonActor (StandingNotification?) -> Bool)?
  var stage = Stage.waiting
  /// The service that was given it.
  var handedTo: String?
  /// The call that it waits for.
  var slot: BusSlot?
  private var timer: TimerSource?
  private let failed: @DaemonActor (Delivery, DesktopNotifications.Reason) -> Void
  private var reason = DesktopNotifications.Reason.noAnswer

  /// Calls `failed` when the time is over.
  init(
    _ notification: DesktopNotification, _ beforeSending: @escaping @DaemonActor (_ service: String) -> Bool,
    _ completion: @escaping @DaemonActor (DesktopNotifications.Outcome) -> Void,
    _ late: (@DaemonActor (StandingNotification?) -> Bool)?,
    failed: @escaping @DaemonActor (Delivery, DesktopNotifications.Reason) -> Void
  ) {
    self.notification = notification
    self.beforeSending = beforeSending
    self.completion = completion
    self.late = late
    self.failed = failed
    timer = try? TimerSource { [weak self] in
      if let self { self.failed(self, self.reason) }
    }
    timer?.arm(afterMilliseconds: DesktopNotifications.answerTime)
  }

  /// Fails for that reason, in the next turn of the loop: whoever asked is told after it has asked.
  func fail(_ reason: DesktopNotifications.Reason) {
    self.reason = reason
    stage = .failed
    guard let timer else { return failed(self, reason) }
    timer.arm(afterMilliseconds: 0)
  }

  /// Its time does not run any more.
  func stopTime() {
    timer?.cancel()
    timer = nil
  }
}

extension DesktopNotification {
  /// The key of the action that a click on the notification itself means.
  static let defaultAction = "default"

  /// The arguments of `Notify`, for a service that can do `capabilities`.
  func write(to call: inout BusCall, _ capabilities: Set<String>) {
    let text = NotificationText.lines(body)
    call.append(NotificationText.line(appName))
    call.append(0 as UInt32)  // replaces none
    call.append(NotificationText.line(icon))
    call.append(NotificationText.line(summary))
    call.append(capabilities.contains("body-markup") ? NotificationText.escaped(text) : text)
    let label = capabilities.contains("actions") ? defaultActionLabel : nil
    call.append(label.map { [Self.defaultAction, NotificationText.line($0)] } ?? [])
    call.container(.array, "{sv}") { hints in
      hints.hint("urgency", .byte) { $0.append(urgency.rawValue) }
      for (name, value) in [("category", category), ("desktop-entry", desktopEntry)] where !value.isEmpty {
        hints.hint(name, .string) { $0.append(NotificationText.line(value)) }
      }
    }
    call.append((stays ? 0 : -1) as Int32)  // never of itself, or when the service decides
  }
}

extension BusCall {
  fileprivate mutating func hint(_ name: String, _ type: CChar, _ value: (inout BusCall) -> Void) {
    container(.entry, "sv") { entry in
      entry.append(name)
      entry.container(.variant, String(UnicodeScalar(UInt8(bitPattern: type)))) { value(&$0) }
    }
  }
}
