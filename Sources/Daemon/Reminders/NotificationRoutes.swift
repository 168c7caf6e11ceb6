import CivilTime
import EventLoop
import KindVerb
import KindVerbAPI

/// The methods of quiet notifications, each put on its handler.
@DaemonActor
struct NotificationRoutes {
  let turn: TurnEngine
  let zones: ZoneKeeper
  let entitling: Entitling

  private func handlers() throws -> NotificationHandlers {
    let store = try turn.begin()
    return NotificationHandlers(store, entitlement: try entitling.present(store), zone: zones.read().zone)
  }

  func register(on router: Router) {
    router.on(Methods.NotificationConsentGet.self) { _, _ in try self.handlers().consent() }
    router.on(Methods.NotificationConsentSet.self) { params, _ in try self.handlers().setConsent(params) }
    router.on(Methods.NotificationSettingsGet.self) { _, _ in try self.handlers().settings() }
    router.on(Methods.NotificationSettingsSet.self) { params, _ in try self.handlers().set(params) }
  }
}
