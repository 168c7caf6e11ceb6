import CivilTime
import KindVerbAPI

/// What a person chose for one type of quiet notification.
public struct QuietChoice: Equatable, Sendable {
  /// Whether there is any of it.
  public var isEnabled: Bool
  /// The time on the wall; without meaning for a follow-up, whose letter decides.
  public var time: TimeOfDay
  /// When it was chosen, in milliseconds since 1970; only what is due later counts. 0 for a choice that nobody made.
  public var since: Int64

  /// A choice of these parts.
  public init(isEnabled: Bool, time: TimeOfDay, since: Int64 = 0) {
    self.isEnabled = isEnabled
    self.time = time
    self.since = since
  }

  /// The choice after an edit, made at an instant. What changes nothing leaves everything as it is.
  public func edited(isEnabled: Bool?, time: TimeOfDay?, now: Int64) -> QuietChoice {
    let edited = QuietChoice(isEnabled: isEnabled ?? self.isEnabled, time: time ?? self.time, since: now)
    return edited.isEnabled == self.isEnabled && edited.time == self.time ? self : edited
  }
}

/// What a person chose for all types.
public struct QuietSettings: Equatable, Sendable {
  /// An invitation to reflect, each day.
  public var dailyReflection = QuietChoice(isEnabled: true, time: .at(20, 30))
  /// A word about a letter that was left as it was drafted.
  public var draftFollowUp = QuietChoice(isEnabled: true, time: .at(9, 0))
  /// An invitation to be grateful, on Sundays.
  public var gratitude = QuietChoice(isEnabled: false, time: .at(19, 0))

  /// As it comes.
  public init() {}

  /// The choice of a type.
  public subscript(type: QuietType) -> QuietChoice {
    get {
      switch type {
      case .dailyReflection: dailyReflection
      case .draftFollowUp: draftFollowUp
      case .gratitude: gratitude
      }
    }
    set {
      switch type {
      case .dailyReflection: dailyReflection = newValue
      case .draftFollowUp: draftFollowUp = newValue
      case .gratitude: gratitude = newValue
      }
    }
  }
}

/// A quiet notification that was shown.
public struct ShownQuiet: Equatable, Sendable {
  /// Which.
  public let type: QuietType
  /// The date on the wall when it was shown.
  public let date: CivilDate
  /// When, in milliseconds since 1970.
  public let at: Int64

  /// One of these parts.
  public init(type: QuietType, date: CivilDate, at: Int64) {
    self.type = type
    self.date = date
    self.at = at
  }
}

/// A letter that was left as it was drafted and that nothing was said of yet.
public struct LeftLetter: Equatable, Sendable {
  /// Its row.
  public let row: Int64
  /// When it was made, in milliseconds since 1970; nothing has changed it since.
  public let changedAt: Int64

  /// One of these parts.
  public init(row: Int64, changedAt: Int64) {
    self.row = row
    self.changedAt = changedAt
  }
}

/// A quiet notification and when it is due.
public struct QuietOccurrence: Hashable, Sendable {
  /// Which.
  public let type: QuietType
  /// When it is due, in milliseconds since 1970.
  public let at: Int64
  /// The letter that it is about; nil for the other types.
  public var letter: Int64?

  /// One of these parts.
  public init(type: QuietType, at: Int64, letter: Int64? = nil) {
    self.type = type
    self.at = at
    self.letter = letter
  }
}

extension TimeOfDay {
  /// A time that exists.
  static func at(_ hour: Int, _ minute: Int) -> TimeOfDay {
    guard let time = TimeOfDay(minute: hour * 60 + minute) else { preconditionFailure("\(hour):\(minute) is no time of day") }
    return time
  }
}
