import CivilTime
import EventLoop
import KindVerb
import KindVerbAPI
import PulseLog
import Reminders
import Storage
import Systemd

/// Reminders and quiet notifications put together: the clock and the zone, what is recorded, the rules, and the screen.
@DaemonActor
final class Reminding {
  let zones: ZoneKeeper
  let command = ClickCommand()
  let quietCommand = ClickCommand()
  /// What else has its times, by the same clock and zone.
  var others: [any Scheduled] = []
  /// Called when the clock was set or the machine woke up.
  var onClockSet: @DaemonActor () -> Void = {}
  private let clock: WallClock
  private let turn: TurnEngine
  private let entitling: Entitling
  private let takesWrites: @DaemonActor () -> Bool
  private let publish: @DaemonActor ([ChangeRecord]) -> Void
  private let language: @DaemonActor () -> Language
  private var scheduler: Scheduler?
  private var watch: ReminderWatch?
  private var quiet: QuietWatch?
  private var desk: NotificationDesk?
  private var zone: ZoneWatch?
  private var hasFailed = false
  private let log = Log("reminder")

  /// Reminders by a clock, in the zone that a source tells; `publish` tells of changes that were committed.
  init(
    clock: WallClock, zones: ZoneKeeper, turn: TurnEngine, entitling: Entitling, takesWrites: @escaping @DaemonActor () -> Bool,
    publish: @escaping @DaemonActor ([ChangeRecord]) -> Void,
    language: @escaping @DaemonActor () -> Language
  ) {
    self.clock = clock
    self.zones = zones
    self.turn = turn
    self.entitling = entitling
    self.takesWrites = takesWrites
    self.publish = publish
    self.language = language
  }

  /// Begins, once the store is open.
  func start(_ store: Store) throws(LoopError) {
    let zone = try ZoneWatch(zones) { [weak self] in self?.scheduler?.look() }
    let scheduler = try Scheduler(clock: clock) { zone.present() }
    let desk = NotificationDesk { [unowned self] in try write($0) }
    let watch = ReminderWatch(world(scheduler, desk, zone))
    desk.onServiceAppeared = { [weak self] in
      self?.watch?.serviceAppeared()
      self?.scheduler?.look()
    }
    desk.onStands = { [weak self] in
      self?.takeAwayRecorded()
      self?.scheduler?.look()
    }
    desk.onActivated = { [weak self] subject, token in self?.activated(subject, token) }
    scheduler.onFailure = { [weak self] in self?.note(failure: $0) }
    scheduler.onClockSet = { [weak self, log] in
      log.notice("the clock was set, or the machine woke up")
      self?.onClockSet()
    }
    let quiet = QuietWatch(quietWorld(scheduler, desk, zone))
    scheduler.add(watch)
    scheduler.add(quiet)
    for other in others { scheduler.add(other) }
    (self.scheduler, self.desk, self.watch, self.quiet, self.zone) = (scheduler, desk, watch, quiet, zone)
    desk.takeUp(store)
    // The end may have come between a reading and the reminder's being taken away.
    takeAwayRecorded()
    zone.begin()
    scheduler.look()
  }

  /// Ends; what stands on the screen stays there.
  func stop() {
    scheduler?.stop()
    zone?.end()
  }

  /// Something may have changed.
  func look() { scheduler?.look() }

  /// The clock was set, where nothing else tells.
  func clockWasSet() {
    log.notice("the clock was set")
    onClockSet()
    scheduler?.look()
  }

  private func world(_ scheduler: Scheduler, _ desk: NotificationDesk, _ zone: ZoneWatch) -> ReminderWatch.World {
    ReminderWatch.World(
      write: { [unowned self] in try write($0) },
      isRecorded: { store, date, slot in try HealthStore(store).isRecorded(date, slot) },
      show: { [unowned self] name, claim, completion in
        desk.show(
          name.id, ReminderText.notification(name.slot, language()), beforeSending: claim, completion: completion)
      },
      takeAway: { isMeant in desk.takeAway { subject in Occurrence.Name(id: subject).map(isMeant) ?? false } },
      lookAgain: { [weak scheduler] afterFailure in afterFailure ? scheduler?.lookLater() : scheduler?.look() },
      present: { [clock] in (clock.now(), zone.present()) })
  }

  private func quietWorld(_ scheduler: Scheduler, _ desk: NotificationDesk, _ zone: ZoneWatch) -> QuietWatch.World {
    QuietWatch.World(
      write: { [unowned self] in try write($0) },
      show: { [unowned self] type, claim, completion in
        // One at a time stands on the screen: the newest.
        desk.takeAway { QuietWatch.type(of: $0) != nil }
        desk.show(
          QuietWatch.prefix + type.rawValue, QuietText.notification(type, language()), beforeSending: { _ in claim() },
          completion: completion)
      },
      takeAway: { isMeant in desk.takeAway { subject in QuietWatch.type(of: subject).map(isMeant) ?? false } },
      lookAgain: { [weak scheduler] afterFailure in afterFailure ? scheduler?.lookLater() : scheduler?.look() },
      present: { [clock] in (clock.now(), zone.present()) }, entitlement: { [entitling] in try entitling.present($0) })
  }

  private func note(failure: (any Error)?) {
    if let failure, !hasFailed {
      log.error("reminders could not be stored, none is shown until they can: \(public: StoreFaults.detail(failure))")
    }
    hasFailed = failure != nil
  }

  /// Runs something in a transaction of its own and tells what it changed. Nothing is written while the store takes no writes.
  private func write(_ body: (Store) throws -> Void) throws {
    guard takesWrites() else { throw APIError(.storageReadOnly) }
    publish(try turn.writeAlone(body))
  }
}

// MARK: - What happens

extension Reminding {
  /// Something was committed: it may be what a reminder was waiting for.
  func committed(_ changes: [ChangeRecord]) {
    let topics = Set(changes.compactMap { Topic(rawValue: $0.topic) })
    if topics.contains(.health) { takeAwayRecorded() }
    let isWaitedFor =
      !topics.isDisjoint(with: [.health, .notification, .entitlement])
      || topics.contains(.letter) && quiet?.waitsForLetters == true
      || changes.contains { $0.topic == Topic.share.rawValue && $0.op != "uploading" }
    if isWaitedFor || changes.contains(where: { $0.topic == Topic.reminder.rawValue && $0.id == "settings" }) {
      scheduler?.look()
    }
  }

  private func takeAwayRecorded() {
    guard let store = turn.store else { return }
    desk?.takeAway { subject in
      guard let name = Occurrence.Name(id: subject) else { return false }
      return (try? HealthStore(store).isRecorded(name.date, name.slot)) ?? false
    }
  }

  private func activated(_ subject: String, _ token: String?) {
    if let type = QuietWatch.type(of: subject) {
      try? write { store in try QuietStore(store).activate(type) }
      quietCommand.run(for: type, token: token)
    }
    guard let name = Occurrence.Name(id: subject) else { return }
    try? write { store in try ReminderStore(store).activate(name) }
    command.run(for: name, token: token)
  }

  /// `reminder.test`
  func tryOut(_ slot: Slot, _ language: Language) async -> ReminderTrial {
    guard let desk else { return ReminderTrial(outcome: .notShown, reason: "no_bus") }
    var notification = ReminderText.notification(slot, language)
    // A click on it would record nothing, and nobody takes it away.
    notification.defaultActionLabel = nil
    notification.stays = false
    let reason = await desk.tryOut(notification)
    return ReminderTrial(outcome: reason == nil ? .shown : .notShown, reason: reason.map(Self.word))
  }

  /// A reason in the contract's words.
  private static func word(_ reason: DesktopNotifications.Reason) -> String {
    switch reason {
    case .noBus: "no_bus"
    case .noService, .startFailed: "no_service"
    case .noAnswer: "no_answer"
    case .accessDenied, .refused, .badAnswer, .withheld: "refused"
    }
  }
}
