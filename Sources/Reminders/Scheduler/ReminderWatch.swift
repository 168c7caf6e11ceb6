import CivilTime
import EventLoop
import KindVerbAPI
import Storage

/// The morning and evening reminders at work. What is due goes to whoever can show it; the moment before it is handed over it is
/// stored as shown, so that whatever happens in between, it never comes twice. What nobody could show is stored as that, and shown when
/// somebody can.
@DaemonActor
public final class ReminderWatch: Scheduled {
  /// What became of showing a reminder.
  public enum Showing: Sendable {
    /// It stands on the screen.
    case shown
    /// Nobody was there to show it.
    case notShown
    /// Somebody was, and has refused it.
    case refused
    /// Somebody has got it and gave no answer: it may have been shown, or still be.
    case unanswered
    /// It was not to be shown any more, or could not be stored.
    case withheld
  }

  /// What it takes from the outside.
  public struct World {
    /// Runs something in a transaction of its own, commits it, and tells whoever subscribed. Throws when it could not be stored.
    public var write: @DaemonActor ((Store) throws -> Void) throws -> Void
    /// Whether a slot of a date is recorded.
    public var isRecorded: @DaemonActor (Store, CivilDate, Slot) throws -> Bool
    /// Shows a reminder, and says what became of it; after ``Showing/notShown`` it may still say that it is shown. Just before it is
    /// handed over it asks whether it still is to be.
    public var show:
      @DaemonActor (
        Occurrence.Name, @escaping @DaemonActor (_ service: String) -> Bool, @escaping @DaemonActor (Showing) -> Void
      ) -> Void
    /// Takes those reminders from the screen that still stand there.
    public var takeAway: @DaemonActor ((Occurrence.Name) -> Bool) -> Void
    /// Wants another look: at once, or, after a failure, in a while.
    public var lookAgain: @DaemonActor (_ afterFailure: Bool) -> Void
    /// The time, in milliseconds since 1970, and the zone.
    public var present: @DaemonActor () -> (now: Int64, zone: Zone)

    /// A world of these parts.
    public init(
      write: @escaping @DaemonActor ((Store) throws -> Void) throws -> Void,
      isRecorded: @escaping @DaemonActor (Store, CivilDate, Slot) throws -> Bool,
      show:
        @escaping @DaemonActor (
          Occurrence.Name, @escaping @DaemonActor (_ service: String) -> Bool, @escaping @DaemonActor (Showing) -> Void
        ) -> Void, takeAway: @escaping @DaemonActor ((Occurrence.Name) -> Bool) -> Void,
      lookAgain: @escaping @DaemonActor (_ afterFailure: Bool) -> Void,
      present: @escaping @DaemonActor () -> (now: Int64, zone: Zone)
    ) {
      self.write = write
      self.isRecorded = isRecorded
      self.show = show
      self.takeAway = takeAway
      self.lookAgain = lookAgain
      self.present = present
    }
  }

  /// How often one reminder is handed over at most: once more where the service that had it is gone.
  private static let mostHandovers = 2

  /// How old what was missed may be for subscribers to be told of it: a week.
  private static let toldMilliseconds: Int64 = 7 * 86_400_000

  private let world: World
  /// What was tried in vain, and is not tried again before a service appears.
  private var tried: Set<Occurrence.Name> = []
  /// What was refused, with when it may be tried again, in milliseconds since 1970.
  private var refused: [Occurrence.Name: Int64] = [:]
  private static let refusalMilliseconds: Int64 = 60_000
  /// What is on its way to the screen.
  private var underWay: Set<Occurrence.Name> = []

  /// Reminders in a world.
  public init(_ world: World) { self.world = world }

  /// A service has appeared that has not been tried, or may take what it refused: what waits is shown at the next look.
  public func serviceAppeared() { tried = [] }

  /// Stores what is decided, takes away what is done, and shows what is due.
  public func look(at now: Int64, in zone: Zone) throws -> Int64? {
    var rings: [Occurrence] = []
    var next: Int64?
    var isOn: Set<Slot> = []
    try world.write { [world] store in
      let reminders = ReminderStore(store)
      try reminders.forgetUndue(at: now)
      let schedules = try reminders.schedules()
      let verdict = try Self.verdict(schedules, now, zone, store, world)
      rings = verdict.ring
      next = verdict.next
      isOn = Set(schedules.filter(\.isEnabled).map(\.slot))
      // In the order in which they were due, as the history is told.
      let decided = verdict.miss.map { ($0, ReminderOutcome.missed) } + verdict.suppress.map { ($0, .suppressed) }
      for (occurrence, outcome) in decided.sorted(by: { $0.0.dueAt < $1.0.dueAt }) {
        // After a long time off only the last week of it is told one by one.
        let isTold = occurrence.dueAt > now - Self.toldMilliseconds
        try reminders.keep(outcome, occurrence.name, dueAt: occurrence.dueAt, isTold: isTold)
      }
      for schedule in schedules where schedule.isEnabled {
        guard let decided = verdict.decided[schedule.slot], decided != schedule.decided else { continue }
        try reminders.decide(schedule.slot, decided)
      }
    }
    tried.formIntersection(rings.map(\.name))
    // A clock that was set back makes nobody wait longer.
    for (name, at) in refused where at <= now || at > now + Self.refusalMilliseconds {
      tried.remove(name)
      refused[name] = nil
    }
    refused = refused.filter { tried.contains($0.key) }
    if let retry = refused.values.min() { next = min(next ?? retry, retry) }
    world.takeAway { !isOn.contains($0.slot) }
    for ring in rings where !tried.contains(ring.name) && !underWay.contains(ring.name) { show(ring) }
    return next
  }

  private static func verdict(
    _ schedules: [SlotSchedule], _ now: Int64, _ zone: Zone, _ store: Store, _ world: World
  ) throws -> ReminderRule.Verdict {
    try ReminderRule(schedules, zone: zone).verdict(at: now, kept: ReminderStore(store).kept) { date, slot in
      try world.isRecorded(store, date, slot)
    }
  }

  private func show(_ occurrence: Occurrence) {
    let name = occurrence.name
    underWay.insert(name)
    var claim: Claim?
    var isGivenUp = false
    world.show(name) { [weak self] service in
      claim = self?.claim(name, for: service)
      return claim == .granted
    } _: { [weak self] showing in
      guard let self else { return }
      underWay.remove(name)
      switch showing {
      case .shown: if isGivenUp { noteShownLate(name) }
      case .withheld where claim != .exhausted: world.lookAgain(claim == .failed)
      case .withheld, .notShown, .refused, .unanswered:
        isGivenUp = true
        tried.insert(name)
        // Some refuse for a moment alone.
        if showing == .refused { refused[name] = world.present().now + Self.refusalMilliseconds }
        noteNotShown(occurrence, isClaimed: claim == .granted, isRefused: showing == .refused)
      }
    }
  }

  /// Whether a reminder may be handed over.
  private enum Claim {
    /// It is stored as shown.
    case granted
    /// By the clock, the zone, the settings and the readings of this moment it is not to be shown any more.
    case undue
    /// It has been handed over as often as it may be.
    case exhausted
    /// It could not be stored.
    case failed
  }

  /// Stores it as shown, if it still is to be. `service` is who will get it; nil for one that has it already.
  private func claim(_ name: Occurrence.Name, for service: String?) -> Claim {
    var claim = Claim.undue
    var open: Set<Occurrence.Name> = []
    do {
      try world.write { [world] store in
        let reminders = ReminderStore(store)
        let (now, zone) = world.present()
        let schedules = try reminders.schedules()
        open = ReminderRule(schedules, zone: zone).open(at: now)
        let verdict = try Self.verdict(schedules, now, zone, store, world)
        guard let occurrence = verdict.ring.first(where: { $0.name == name }) else { return }
        if let service {
          // One that had it may show it still, or have shown it before it fell silent. Only where that one is gone it is tried again.
          let handed = try reminders.handed(name)
          claim = .exhausted
          if handed.to == service || handed.times >= Self.mostHandovers { return }
        }
        try reminders.keep(.shown, name, dueAt: occurrence.dueAt)
        if let service { try reminders.noteHandover(name, to: service) }
        claim = .granted
      }
    } catch {
      return .failed
    }
    // What is too late gives way to the new one. Both can be due at the same time.
    if claim == .granted { world.takeAway { !open.contains($0) } }
    return claim
  }

  /// It counts as shown, unless it is not to stand there any more.
  private func noteShownLate(_ name: Occurrence.Name) {
    tried.remove(name)
    if claim(name, for: nil) != .granted { world.takeAway { $0 == name } }
  }

  private func noteNotShown(_ occurrence: Occurrence, isClaimed: Bool, isRefused: Bool) {
    // If this cannot be stored, what was claimed counts as shown: silent is better than twice.
    try? world.write { store in
      let reminders = ReminderStore(store)
      if isRefused { try reminders.noteRefusal(occurrence.name) }
      let before = try reminders.kept(occurrence.date, occurrence.slot)
      // Tried in vain once more is no news.
      if before?.outcome == .notShown, before?.dueAt == occurrence.dueAt { return }
      if before?.outcome == .shown, !isClaimed { return }
      try reminders.keep(.notShown, occurrence.name, dueAt: occurrence.dueAt)
    }
    world.lookAgain(false)
  }
}
