import CivilTime
import EventLoop
import KindVerbAPI
import PulseLog

/// The methods of readings, each put on its handler.
@DaemonActor
struct HealthRoutes {
  let turn: TurnEngine
  let zones: ZoneKeeper

  private func health() throws -> HealthHandlers {
    let zones = zones
    return HealthHandlers(try turn.begin()) { zones.read().zone }
  }

  func register(on router: Router) {
    router.on(Methods.HealthRecordSet.self) { params, _ in try self.health().setRecord(params) }
    router.on(Methods.HealthRecordClear.self) { params, _ in try self.health().clearRecord(params) }
    router.on(Methods.HealthWeightSet.self) { params, _ in try self.health().setWeight(params) }
    router.on(Methods.HealthWeightClear.self) { params, _ in try self.health().clearWeight(params) }
    router.on(Methods.HealthUndo.self) { _, _ in try self.health().undo() }
    router.on(Methods.HealthDayGet.self) { params, _ in try self.health().day(params) }
    router.on(Methods.HealthCalendarGet.self) { params, _ in try self.health().calendar(params) }
    router.on(Methods.HealthSeriesGet.self) { params, _ in try self.health().series(params) }
  }
}
