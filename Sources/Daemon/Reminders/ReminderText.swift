import KindVerbAPI
import Systemd

/// What a reminder says: nothing that is recorded, nothing that a person wrote, and no one's name. Others can read a screen that is
/// locked.
enum ReminderText {
  /// The morning's or the evening's reminder in a language.
  static func notification(_ slot: Slot, _ language: Language) -> DesktopNotification {
    let (summary, body): (MessageKey, MessageKey) =
      switch slot {
      case .morning: (.reminderMorningSummary, .reminderMorningBody)
      case .evening: (.reminderEveningSummary, .reminderEveningBody)
      }
    var notification = DesktopNotification(
      appName: "KindVerb", icon: "appointment-soon", summary: summary.text(in: language), body: body.text(in: language),
      defaultActionLabel: MessageKey.reminderActionRecord.text(in: language), urgency: .normal, category: "x-kindverb.reminder")
    // It is an alarm: recording takes it away, and the next one.
    notification.stays = true
    return notification
  }
}
