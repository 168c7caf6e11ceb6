import CivilTime
import EventLoop
import KindVerbAPI
import Storage

/// The morning and evening reminders at work: what is due is first stored as shown and then handed over, so that whatever happens in
/// between, it never comes twice; what nobody could show is stored as that, and shown when somebody can.
@DaemonActor
public final class ReminderWatch: Scheduled {
  /// What it takes from the outside.
  public struct World {
    /// Runs something in a transaction of its own, commits it, and tells whoever subscribed. Throws when it could not be stored.
    public var write: @DaemonActor ((Store) throws -> Void) throws -> Void
    /// Whether a slot of a date is recorded.
    public var isRecorded: @DaemonActor (Store, CivilDate, Slot) throws -> Bool
    /// Shows a reminder, and says whether it was shown.
    public var show: @DaemonActor (Occurrence.Name, @escaping @DaemonActor (Bool) -> Void) -> Void
    /// Takes reminders from the screen, where they still stand.
    public var takeAway: @DaemonActor (@escaping (Occurrence.Name) -> Bool) -> Void

    /// A world of these parts.
    public init(
      write: @escaping @DaemonActor ((Store) throws -> Void) throws -> Void,
      isRecorded: @escaping @DaemonActor (Store, CivilDate, Slot) throws -> Bool,
      show: @escaping @DaemonActor (Occurrence.Name, @escaping @DaemonActor (Bool) -> Void) -> Void,
      takeAway: @escaping @DaemonActor (@escaping (Occurrence.Name) -> Bool) -> Void
    ) {
      self.write = write
      self.isRecorded = isRecorded
      self.show = show
      self.takeAway = takeAway
    }
  }

  private let world: World
  /// What was tried in vain, and is not tried again before a service appears.
  private var tried: Set<Occurrence> = []

  /// Reminders in a world.
  public init(_ world: World) { self.world = world }

  /// A service has appeared that has not been tried: what waits is shown at the next look.
  public func serviceAppeared() { tried = [] }

  /// Stores what is decided, then shows what is due.
  public func look(at now: Int64, in zone: Zone) throws -> Int64? {
    var rings: [Occurrence] = []
    var next: Int64?
    var silent: Set<Occurrence.Name> = []
    try world.write { [world, tried] store in
      let reminders = ReminderStore(store)
      let schedules = try reminders.schedules().schedules
      let verdict = try ReminderRule(schedules, zone: zone).verdict(at: now, kept: reminders.kept) { date, slot in
        try world.isRecorded(store, date, slot)
      }
      next = verdict.next
      let isOn = Dictionary(uniqueKeysWithValues: schedules.map { ($0.slot, $0.isEnabled) })
      for slot in Slot.allCases where isOn[slot] != true {
        for day in -1...0 { silent.insert(.init(date: zone.date(at: now).adding(days: day), slot: slot)) }
      }
      rings = verdict.ring.filter { !tried.contains($0) }
      try Self.store(verdict, rings, schedules, today: zone.date(at: now), reminders)
    }
    // One at a time stands on the screen: the newest.
    if !rings.isEmpty || !silent.isEmpty {
      let ringing = !rings.isEmpty
      world.takeAway { ringing || silent.contains($0) }
    }
    for ring in rings { show(ring) }
    return next
  }

  private static func store(
    _ verdict: ReminderRule.Verdict, _ rings: [Occurrence], _ schedules: [SlotSchedule], today: CivilDate,
    _ reminders: ReminderStore
  ) throws {
    for occurrence in verdict.miss { try reminders.keep(.missed, occurrence.name, dueAt: occurrence.dueAt) }
    for occurrence in verdict.suppress { try reminders.keep(.suppressed, occurrence.name, dueAt: occurrence.dueAt) }
    for occurrence in rings { try reminders.keep(.shown, occurrence.name, dueAt: occurrence.dueAt) }
    for schedule in schedules where schedule.isEnabled {
      guard let decided = verdict.decided[schedule.slot], decided != schedule.decided else { continue }
      try reminders.decide(schedule.slot, decided)
    }
    // Tomorrow may be today elsewhere; what lies further ahead was decided by a clock that ran ahead.
    try reminders.forgetMissed(after: today.adding(days: 1))
  }

  private func show(_ occurrence: Occurrence) {
    world.show(occurrence.name) { [weak self] isShown in
      guard let self, !isShown else { return }
      self.tried.insert(occurrence)
      // If this cannot be stored, it counts as shown: silent is better than twice.
      try? self.world.write { store in try ReminderStore(store).keep(.notShown, occurrence.name, dueAt: nil) }
    }
  }
}
