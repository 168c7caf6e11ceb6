import CivilTime
import KindVerbAPI

/// The rules of readings: no clock, no zone of their own, no store.
public enum HealthRules {
  /// The earliest date there is.
  public static let earliest = CivilDate(year: 1900, month: 1, dayOfMonth: 1)
  /// How far ahead a date or an instant may lie.
  static let daysAhead = 1
  static let dayMilliseconds: Int64 = 86_400_000

  /// The reference line of measurements at home.
  public static let referenceLine = ReferenceLine(systolic: 135, diastolic: 85)

  /// Refuses pressures of which the upper is not above the lower. Nothing is swapped.
  public static func requireAbove(systolic: Int, diastolic: Int) throws(APIError) {
    if systolic <= diastolic { throw APIError(.healthSystolicNotAboveDiastolic, field: "systolic") }
  }

  /// A weight in tenths of a kilogram; one that is more precise is refused, not rounded.
  public static func tenths(ofWeight weight: Double) throws(APIError) -> Int {
    let tenths = (weight * 10).rounded()
    // Two decimal numbers of one place after the point are the same number only if they are written the same.
    guard tenths / 10 == weight else { throw APIError(.healthWeightTooPrecise, field: "weightKg") }
    return Int(tenths)
  }

  /// How much of a day is recorded. Weight is not asked for.
  public static func status(morning: Bool, evening: Bool, weight: Bool) -> DayStatus {
    if morning, evening { return .complete }
    return morning || evening || weight ? .partial : .none
  }

  /// The date that a text means.
  public static func date(_ text: String, field: String) throws(APIError) -> CivilDate {
    guard let date = CivilDate(iso: text), let earliest, date >= earliest else { throw invalid(field, "YYYY-MM-DD") }
    return date
  }

  /// The month that a text means.
  public static func month(_ text: String) throws(APIError) -> CivilMonth {
    guard let month = CivilMonth(iso: text), let earliest, month.first >= earliest else { throw invalid("month", "YYYY-MM") }
    return month
  }

  private static func invalid(_ field: String, _ expected: String) -> APIError {
    var failure = APIError(.healthDateInvalid, field: field)
    failure.expected = expected
    return failure
  }

  /// The date that something measured at an instant belongs to where nobody names one: the date on the wall; for an evening between
  /// midnight and 04:00, the one that the wall showed before it.
  public static func date(of part: HealthPart, measuredAt instant: Int64, in zone: Zone) -> (date: CivilDate, isYesterday: Bool) {
    let wall = zone.civil(at: instant)
    guard part == .evening, Slot.isNight(second: wall.second) else { return (wall.date, false) }
    // Not simply a day less: a zone that moved over the date line has left one out.
    let midnight = TimeOfDay(minute: 0).flatMap { zone.instant(of: wall.date, $0) }
    return (midnight.map { zone.date(at: $0 - 1) } ?? wall.date.adding(days: -1), true)
  }

  /// Where a measurement belongs.
  public struct Place: Equatable, Sendable {
    /// The date.
    public let date: CivilDate
    /// When it was measured; nil if that is not known.
    public let measured: MeasuredTime?
    /// Whether it counts for the day before by the rule of the evening.
    public let countsForYesterday: Bool
  }

  /// Where a measurement belongs that a call gives with or without a date and an instant.
  public static func place(
    _ part: HealthPart, dateIso: String?, measuredAt given: Int?, now: Int64, in zone: Zone
  ) throws(APIError) -> Place {
    let instant = try given.map { (given) throws(APIError) in try require(instant: Int64(given), now: now) }
    guard let dateIso else {
      let (date, isYesterday) = date(of: part, measuredAt: instant ?? now, in: zone)
      try requireNotAhead(date, now: now, in: zone, field: "measuredAtEpochMs")
      return Place(date: date, measured: MeasuredTime(instant ?? now, in: zone), countsForYesterday: isYesterday)
    }
    let date = try date(dateIso, field: "dateIso")
    try requireNotAhead(date, now: now, in: zone, field: "dateIso")
    // Of another day it is not known when it was measured.
    let isPresent = date == self.date(of: part, measuredAt: now, in: zone).date
    let measured = instant ?? (isPresent ? now : nil)
    return Place(date: date, measured: measured.map { MeasuredTime($0, in: zone) }, countsForYesterday: false)
  }

  private static func require(instant: Int64, now: Int64) throws(APIError) -> Int64 {
    let least = Int64(earliest?.day ?? 0) * dayMilliseconds
    let most = now + Int64(daysAhead) * dayMilliseconds
    guard instant >= least, instant <= most else {
      var failure = APIError(.healthOutOfRange, field: "measuredAtEpochMs")
      failure.limit = Int(instant < least ? least : most)
      failure.unit = instant < least ? "minimum" : "maximum"
      throw failure
    }
    return instant
  }

  private static func requireNotAhead(_ date: CivilDate, now: Int64, in zone: Zone, field: String) throws(APIError) {
    if date > zone.date(at: now).adding(days: daysAhead) { throw APIError(.healthDateAhead, field: field) }
  }
}
