import CivilTime
import KindVerbAPI

/// When something was measured, and how far the wall was from UTC then.
public struct MeasuredTime: Equatable, Sendable {
  /// Milliseconds since 1970.
  public var atEpochMs: Int64
  /// Minutes east of UTC.
  public var offsetMinutes: Int

  /// An instant with the offset of a zone then.
  public init(_ atEpochMs: Int64, in zone: Zone) {
    self.init(atEpochMs: atEpochMs, offsetMinutes: zone.offset(at: atEpochMs) / 60)
  }

  init(atEpochMs: Int64, offsetMinutes: Int) {
    self.atEpochMs = atEpochMs
    self.offsetMinutes = offsetMinutes
  }
}

/// What one part of a day holds: upper and lower pressure in mmHg, or weight in tenths of a kilogram. It describes itself without a
/// number.
public struct Measurement: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The upper pressure, or the weight in tenths of a kilogram.
  public var first: Int
  /// The lower pressure; nil for weight.
  public var second: Int?
  /// When it was measured; nil if that is not known.
  public var measured: MeasuredTime?

  /// Blood pressure.
  public static func pressure(_ systolic: Int, _ diastolic: Int, measured: MeasuredTime? = nil) -> Measurement {
    Measurement(first: systolic, second: diastolic, measured: measured)
  }

  /// Weight in tenths of a kilogram.
  public static func weight(tenths: Int, measured: MeasuredTime? = nil) -> Measurement {
    Measurement(first: tenths, second: nil, measured: measured)
  }

  /// Whether both say the same, whenever it was measured.
  func hasSameValue(as other: Measurement) -> Bool { first == other.first && second == other.second }

  /// Says only that something was measured.
  public var description: String { "‹withheld›" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What is recorded of a date. It describes itself by the date alone.
public struct DayRecord: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The date, which no zone moves.
  public let date: CivilDate
  /// The morning's blood pressure.
  public var morning: Measurement?
  /// The evening's blood pressure.
  public var evening: Measurement?
  /// Weight.
  public var weight: Measurement?
  /// Milliseconds since 1970.
  public var createdAt: Int64
  /// Milliseconds since 1970.
  public var updatedAt: Int64

  /// A date of which nothing is recorded yet.
  public init(_ date: CivilDate, createdAt: Int64) {
    self.date = date
    self.createdAt = createdAt
    updatedAt = createdAt
  }

  /// What a part holds.
  public subscript(part: HealthPart) -> Measurement? {
    get {
      switch part {
      case .morning: morning
      case .evening: evening
      case .weight: weight
      }
    }
    set {
      switch part {
      case .morning: morning = newValue
      case .evening: evening = newValue
      case .weight: weight = newValue
      }
    }
  }

  /// Whether nothing is recorded.
  public var isEmpty: Bool { morning == nil && evening == nil && weight == nil }

  /// How much is recorded.
  public var status: DayStatus { HealthRules.status(morning: morning != nil, evening: evening != nil, weight: weight != nil) }

  /// The date.
  public var description: String { "record of \(date.iso)" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Slot {
  /// The part of a day's record that the slot is.
  public var part: HealthPart { self == .morning ? .morning : .evening }
}
