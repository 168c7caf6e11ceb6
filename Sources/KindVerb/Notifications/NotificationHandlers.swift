import CivilTime
import KindVerbAPI
import Storage

/// The `notification.` methods: from the wire to the rule to the store and back. Each runs inside the caller's transaction.
public struct NotificationHandlers {
  private let store: Store
  private let quiet: QuietStore
  private let entitlement: Entitlement
  private let zone: Zone

  /// Handlers on a store, with the zone in force.
  public init(_ store: Store, entitlement: Entitlement, zone: Zone) {
    self.store = store
    quiet = QuietStore(store)
    self.entitlement = entitlement
    self.zone = zone
  }

  /// `notification.consent.get`
  public func consent() throws -> NotificationConsent {
    let (state, at) = try quiet.consent()
    return NotificationConsent(state: state, updatedAt: at == 0 ? nil : Instant.text(at))
  }

  /// `notification.consent.set`
  public func setConsent(_ params: Methods.NotificationConsentSet.Params) throws -> NotificationConsent {
    try quiet.setConsent(params.granted ? .granted : .declined)
    return try consent()
  }

  /// `notification.settings.get`
  public func settings() throws -> NotificationSettings {
    let (settings, updatedAt) = try quiet.settings()
    let now = store.now()
    return NotificationSettings(
      consent: try quiet.consent().state, dailyReflectionEnabled: settings.dailyReflection.isEnabled,
      dailyReflectionTime: settings.dailyReflection.time.text, draftFollowUpEnabled: settings.draftFollowUp.isEnabled,
      gratitudeEnabled: settings.gratitude.isEnabled, gratitudeTime: settings.gratitude.time.text,
      updatedAt: updatedAt == 0 ? nil : Instant.text(updatedAt), today: zone.date(at: now).iso,
      next: try quiet.rule(at: now, in: zone, entitlement)?.next.map(next))
  }

  private func next(_ occurrence: QuietOccurrence) -> NextNotification {
    let (date, second) = zone.civil(at: occurrence.at)
    return NextNotification(
      type: occurrence.type, dateIso: date.iso, localTime: TimeOfDay(minute: second / 60)?.text ?? "",
      at: Instant.text(occurrence.at))
  }

  /// `notification.settings.set`
  public func set(_ params: Methods.NotificationSettingsSet.Params) throws -> NotificationSettings {
    if params.gratitudeEnabled == true { try entitlement.requirePro("gratitudeEnabled") }
    var (settings, _) = try quiet.settings()
    let now = store.now()
    settings.dailyReflection = settings.dailyReflection.edited(
      isEnabled: params.dailyReflectionEnabled, time: try Self.time(params.dailyReflectionTime, "dailyReflectionTime"), now: now)
    settings.draftFollowUp = settings.draftFollowUp.edited(isEnabled: params.draftFollowUpEnabled, time: nil, now: now)
    settings.gratitude = settings.gratitude.edited(
      isEnabled: params.gratitudeEnabled, time: try Self.time(params.gratitudeTime, "gratitudeTime"), now: now)
    try quiet.setSettings(settings)
    return try self.settings()
  }

  private static func time(_ text: String?, _ field: String) throws(APIError) -> TimeOfDay? {
    guard let text else { return nil }
    guard let time = TimeOfDay(text) else {
      var failure = APIError(.notificationTimeInvalid, field: field)
      failure.expected = "HH:MM"
      throw failure
    }
    return time
  }
}
