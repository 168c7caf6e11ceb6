import KindVerbAPI
import Systemd

/// What a quiet notification says: one text for everybody. Nothing that a person wrote, felt or measured, and no one's name: others can
/// read a screen that is locked.
enum QuietText {
  /// A type's text in a language.
  static func notification(_ type: QuietType, _ language: Language) -> DesktopNotification {
    let (summary, body): (MessageKey, MessageKey) =
      switch type {
      case .dailyReflection: (.notificationDailyReflectionSummary, .notificationDailyReflectionBody)
      case .draftFollowUp: (.notificationDraftFollowUpSummary, .notificationDraftFollowUpBody)
      case .gratitude: (.notificationGratitudeSummary, .notificationGratitudeBody)
      }
    return DesktopNotification(
      appName: "KindVerb", summary: summary.text(in: language), body: body.text(in: language),
      defaultActionLabel: MessageKey.notificationActionOpen.text(in: language), urgency: .low, category: "x-kindverb.quiet")
  }
}
