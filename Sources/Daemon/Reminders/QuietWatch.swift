import CivilTime
import EventLoop
import KindVerb
import KindVerbAPI
import Reminders
import Storage

/// Quiet notifications at work. The moment before one is handed over it is stored as shown, so that whatever happens in between, it
/// never comes twice. One that nobody is there to show is dropped: it does not count, and is not made up for.
@DaemonActor
final class QuietWatch: Scheduled {
  /// What the subjects of quiet notifications begin with; the type follows.
  static let prefix = "quiet/"

  /// What it takes from the outside.
  struct World {
    /// Runs something in a transaction of its own, commits it, and tells whoever subscribed. Throws when it could not be stored.
    var write: @DaemonActor ((Store) throws -> Void) throws -> Void
    /// Shows one, and says what became of it. Just before it is handed over it asks whether it still is to be.
    var show:
      @DaemonActor (QuietType, @escaping @DaemonActor () -> Bool, @escaping @DaemonActor (ReminderWatch.Showing) -> Void) -> Void
    /// Takes those from the screen that still stand there.
    var takeAway: @DaemonActor ((QuietType) -> Bool) -> Void
    /// Wants another look: at once, or, after a failure, in a while.
    var lookAgain: @DaemonActor (_ afterFailure: Bool) -> Void
    /// The time, in milliseconds since 1970, and the zone.
    var present: @DaemonActor () -> (now: Int64, zone: Zone)
    /// What the person may use now.
    var entitlement: @DaemonActor (Store) throws -> Entitlement
  }

  /// What has become of a quiet notification that is handed over.
  private enum Claim {
    case none
    case stored(row: Int64)
    case failed
  }

  private let world: World
  /// What nobody could show; forgotten when it is too late for it anyway.
  private var dropped: Set<QuietOccurrence> = []
  private var isUnderWay = false
  /// Whether a new letter may be what comes next. Its word is a day away at least: what comes sooner is waited for anyway, and all is
  /// looked at anew then.
  private(set) var waitsForLetters = false

  /// Quiet notifications in a world.
  init(_ world: World) { self.world = world }

  /// The type that a subject names; nil for what is no quiet notification.
  static func type(of subject: String) -> QuietType? {
    subject.hasPrefix(prefix) ? QuietType(rawValue: String(subject.dropFirst(prefix.count))) : nil
  }

  /// Takes away what is switched off, and shows what is due.
  func look(at now: Int64, in zone: Zone) throws -> Int64? {
    var found: QuietRule?
    try world.write { [world] store in found = try QuietStore(store).rule(at: now, in: zone, world.entitlement(store)) }
    let rule = found
    let next = rule?.next
    let isNextAhead = next.map { $0.type == .draftFollowUp || $0.at <= now + QuietRule.letterRest } ?? false
    waitsForLetters = rule?.isOn(.draftFollowUp) == true && !isNextAhead
    world.takeAway { type in rule?.isOn(type) != true }
    let due = rule?.due ?? []
    dropped.formIntersection(due)
    if !isUnderWay, let first = due.first(where: { !dropped.contains($0) }) { show(first) }
    return next?.at
  }

  private func show(_ occurrence: QuietOccurrence) {
    isUnderWay = true
    var claim = Claim.none
    var isGivenUp = false
    world.show(occurrence.type) { [weak self] in
      claim = self?.claim(occurrence) ?? .none
      if case .stored = claim { return true }
      return false
    } _: { [weak self] showing in
      guard let self else { return }
      if isGivenUp { return noteShownLate(occurrence) }
      isUnderWay = false
      switch (showing, claim) {
      case (.shown, _): world.lookAgain(false)
      case (.withheld, .failed): world.lookAgain(true)
      case (.withheld, _): world.lookAgain(false)
      case (.unanswered, .stored): world.lookAgain(false)  // It may have been shown: it counts.
      case (.notShown, _), (.refused, _), (.unanswered, _):
        isGivenUp = true
        dropped.insert(occurrence)
        // If this cannot be stored it counts as shown: silent is better than twice.
        if case .stored(let row) = claim { try? world.write { try QuietStore($0).forget(row, occurrence.type) } }
        world.lookAgain(false)
      }
    }
  }

  /// A service has shown it after it was given up: it counts, unless it is not to stand there any more.
  private func noteShownLate(_ occurrence: QuietOccurrence) {
    if case .stored = claim(occurrence) { return }
    world.takeAway { $0 == occurrence.type }
  }

  /// Stores it as shown, if by the clock, the zone, the settings and the letters of this moment it still is to be.
  private func claim(_ occurrence: QuietOccurrence) -> Claim {
    var claim = Claim.none
    do {
      try world.write { [world] store in
        let quiet = QuietStore(store)
        let (now, zone) = world.present()
        guard let rule = try quiet.rule(at: now, in: zone, world.entitlement(store)), rule.due.contains(occurrence) else {
          return
        }
        claim = .stored(row: try quiet.keep(occurrence, at: now, on: zone.date(at: now)))
      }
    } catch { return .failed }
    return claim
  }
}
