import CivilTime
import EventLoop
import KindVerbAPI
import PulseLog
import Reminders

/// The methods of reminders, each put on its handler.
@DaemonActor
struct ReminderRoutes {
  let turn: TurnEngine
  let reminding: Reminding

  private func handlers() throws -> ReminderHandlers {
    let store = try turn.begin()
    return ReminderHandlers(store, zone: reminding.zones.read()) { try HealthStore(store).isRecorded($0, $1) }
  }

  func register(on router: Router) {
    router.on(Methods.ReminderSettingsGet.self) { _, _ in try self.handlers().settings() }
    router.on(Methods.ReminderSettingsSet.self) { params, _ in try self.handlers().set(params) }
    router.on(Methods.ReminderUpcoming.self) { params, _ in try self.handlers().upcoming(params) }
    router.on(Methods.ReminderHistory.self) { params, _ in try self.handlers().history(params) }
    router.onWaiting(Methods.ReminderTest.self) { params, context in
      // A trial of a trial shows nothing.
      if context.isDryRun { return ReminderTrial(outcome: .notShown, reason: "dry_run") }
      return await self.reminding.tryOut(params.slot ?? .morning, context.language)
    }
  }
}
