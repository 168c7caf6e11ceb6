import CivilTime
import KindVerbAPI

/// What a person chose for one slot, and how far it has been carried out.
public struct SlotSchedule: Equatable, Sendable {
  /// Which slot.
  public let slot: Slot
  /// Whether it reminds at all.
  public var isEnabled: Bool
  /// The time on the wall.
  public var time: TimeOfDay
  /// When it was set, in milliseconds since 1970: only what is due later counts. 0 for never.
  public var editedAt: Int64
  /// Of every date up to here it is known what became of it.
  public var decided: CivilDate

  /// A schedule of these parts.
  public init(slot: Slot, isEnabled: Bool, time: TimeOfDay, editedAt: Int64, decided: CivilDate) {
    self.slot = slot
    self.isEnabled = isEnabled
    self.time = time
    self.editedAt = editedAt
    self.decided = decided
  }

  /// The schedule after an edit, made at an instant in a zone. Only the new time counts: one that has passed today begins tomorrow.
  /// What changes nothing leaves everything as it is.
  public func edited(isEnabled: Bool?, time: TimeOfDay?, now: Int64, zone: Zone) -> SlotSchedule {
    var edited = self
    edited.isEnabled = isEnabled ?? self.isEnabled
    edited.time = time ?? self.time
    guard edited.isEnabled != self.isEnabled || edited.time != self.time else { return self }
    edited.editedAt = now
    // The evening of the day before may still be to come.
    edited.decided = zone.date(at: now).adding(days: -2)
    return edited
  }

  /// When a date's reminder is due, in milliseconds since 1970; nil for a date that the zone leaves out. An evening before
  /// ``Slot/eveningEnds`` is the night after the date.
  func due(on date: CivilDate, in zone: Zone) -> Int64? {
    let isNight = slot == .evening && Slot.isNight(second: time.minute * 60)
    return zone.instant(of: isNight ? date.adding(days: 1) : date, time)
  }
}

/// One date's reminder of a slot.
public struct Occurrence: Hashable, Sendable {
  /// The civil date.
  public let date: CivilDate
  /// The slot.
  public let slot: Slot
  /// When it is due, in milliseconds since 1970.
  public let dueAt: Int64
  /// When it is too late to remind: at the next slot's time, or ``ReminderRule/longestDelay`` after it was due.
  public let endsAt: Int64

  /// Its name.
  public var name: Name { Name(date: date, slot: slot) }

  /// What no zone and no clock changes: a date and a slot. Under one name at most one reminder is ever shown.
  public struct Name: Hashable, Sendable {
    /// The civil date.
    public let date: CivilDate
    /// The slot.
    public let slot: Slot

    /// The name of a date's slot.
    public init(date: CivilDate, slot: Slot) {
      self.date = date
      self.slot = slot
    }

    /// Reads an id; nil for anything else.
    public init?(id: String) {
      let parts = id.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, let date = CivilDate(iso: String(parts[0])), let slot = Slot(rawValue: String(parts[1])) else {
        return nil
      }
      self.init(date: date, slot: slot)
    }

    /// Its id on the wire: `2026-05-01/morning`.
    public var id: String { "\(date.iso)/\(slot.rawValue)" }
  }
}

/// What has become of a date's reminder, as it is kept.
public struct Kept: Equatable, Sendable {
  /// What became of it.
  public var outcome: ReminderOutcome
  /// When it was due by the schedule and the zone of then.
  public var dueAt: Int64

  /// An outcome of what was due then.
  public init(outcome: ReminderOutcome, dueAt: Int64) {
    self.outcome = outcome
    self.dueAt = dueAt
  }
}
