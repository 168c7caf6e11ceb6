import CivilTime
import EventLoop
import Glibc
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
  let entitlement = Entitlement()
  private let clock: WallClock
  private let turn: TurnEngine
  private let takesWrites: @DaemonActor () -> Bool
  private let publish: @DaemonActor ([ChangeRecord]) -> Void
  private let language: @DaemonActor () -> Language
  private var scheduler: Scheduler?
  private var watch: ReminderWatch?
  private var quiet: QuietWatch?
  private var desk: NotificationDesk?
  private var zoneWatches: [DirectoryWatch] = []
  private var hasFailed = false
  /// Looks again at a zone that could not be told for a moment.
  private var doubt: TimerSource?
  private var isUnwatched = false
  private var problem: ZoneSource.Problem?
  private let log = Log("reminder")

  /// Reminders by a clock, in the zone that a source tells; `publish` tells of changes that were committed.
  init(
    clock: WallClock, zones: ZoneKeeper, turn: TurnEngine, takesWrites: @escaping @DaemonActor () -> Bool,
    publish: @escaping @DaemonActor ([ChangeRecord]) -> Void,
    language: @escaping @DaemonActor () -> Language
  ) {
    self.clock = clock
    self.zones = zones
    self.turn = turn
    self.takesWrites = takesWrites
    self.publish = publish
    self.language = language
  }

  /// Begins, once the store is open.
  func start(_ store: Store) throws(LoopError) {
    let scheduler = try Scheduler(clock: clock) { [unowned self] in zone() }
    let desk = NotificationDesk { [unowned self] in try write($0) }
    let watch = ReminderWatch(world(scheduler, desk))
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
    scheduler.onClockSet = { [log] in log.notice("the clock was set, or the machine woke up") }
    let quiet = QuietWatch(quietWorld(scheduler, desk), entitlement)
    scheduler.add(watch)
    scheduler.add(quiet)
    (self.scheduler, self.desk, self.watch, self.quiet) = (scheduler, desk, watch, quiet)
    doubt = try TimerSource { [weak self] in self?.scheduler?.look() }
    desk.takeUp(store)
    // The end may have come between a reading and the reminder's being taken away.
    takeAwayRecorded()
    watchZone()
    scheduler.look()
  }

  /// Ends; what stands on the screen stays there.
  func stop() {
    scheduler?.stop()
    zoneWatches = []
  }

  /// Something may have changed.
  func look() { scheduler?.look() }

  /// The clock was set, where nothing else tells.
  func clockWasSet() {
    log.notice("the clock was set")
    scheduler?.look()
  }

  private func world(_ scheduler: Scheduler, _ desk: NotificationDesk) -> ReminderWatch.World {
    ReminderWatch.World(
      write: { [unowned self] in try write($0) },
      isRecorded: { store, date, slot in try HealthStore(store).isRecorded(date, slot) },
      show: { [unowned self] name, claim, completion in
        desk.show(
          name.id, ReminderText.notification(name.slot, language()), beforeSending: claim, completion: completion)
      },
      takeAway: { isMeant in desk.takeAway { subject in Occurrence.Name(id: subject).map(isMeant) ?? false } },
      lookAgain: { [weak scheduler] afterFailure in afterFailure ? scheduler?.lookLater() : scheduler?.look() },
      present: { [unowned self] in (clock.now(), zone()) })
  }

  private func quietWorld(_ scheduler: Scheduler, _ desk: NotificationDesk) -> QuietWatch.World {
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
      present: { [unowned self] in (clock.now(), zone()) })
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
      topics.contains(.health) || topics.contains(.notification) || topics.contains(.letter) && quiet?.waitsForLetters == true
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

// MARK: - The zone

extension Reminding {
  /// The zone in force, read afresh.
  private func zone() -> Zone {
    let (zone, found) = zones.read()
    if zones.isInDoubt { doubt?.arm(afterMilliseconds: Int(ZoneKeeper.patience / .milliseconds(1)) + 50) }
    if found != problem {
      problem = found
      switch found {
      case .unknownZone: log.warning("TZ names no zone of the database; the system's is used in its place")
      case .unreadableFile: log.warning("the system's zone cannot be read; UTC is used in its place")
      case .missingFile, nil: log.notice("the zone is told")
      }
    }
    return zone
  }

  /// A new zone is a new link or a new file in the place of the old one, or, after an update of the database, of what it leads to.
  private func watchZone() {
    let places = Set(zones.watchedFiles.flatMap(Self.hops))
    let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
    zoneWatches = places.compactMap { place in
      guard let slash = place.lastIndex(of: "/") else { return nil }
      let name = String(place[place.index(after: slash)...])
      let directory = slash == place.startIndex ? "/" : String(place[..<slash])
      return try? DirectoryWatch(directory, mask: mask) { [weak self] entry in
        if entry == nil || entry == name { self?.zoneMayHaveChanged() }
      }
    }
    if zoneWatches.count < places.count, !isUnwatched {
      isUnwatched = true
      log.warning("the zone's file cannot be watched; another zone is noticed when something else happens")
    }
  }

  /// A file and every link on the way to what it leads to.
  private static func hops(_ file: String) -> [String] {
    var hops = [file]
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    while hops.count < 8, let last = hops.last {
      let count = readlink(last, &buffer, buffer.count)
      guard count > 0 else { break }
      let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      hops.append(target.hasPrefix("/") ? target : String(last[...(last.lastIndex(of: "/") ?? last.startIndex)]) + target)
    }
    return hops
  }

  private func zoneMayHaveChanged() {
    log.notice("the zone may have changed")
    scheduler?.look()
    // It may lead elsewhere now. Not from within the watch's own call.
    Task { @DaemonActor [weak self] in self?.watchZone() }
  }
}
