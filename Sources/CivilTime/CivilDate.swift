/// A date of the calendar (proleptic Gregorian), which never moves: no clock and no zone is part of it.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  public let day: Int

  /// The date so many days after 1970-01-01.
  public init(day: Int) { self.day = day }

  /// The date, or nil if there is no such day.
  public init?(year: Int, month: Int, dayOfMonth: Int) {
    guard (1...12).contains(month), dayOfMonth >= 1, dayOfMonth <= Self.days(inMonth: month, ofYear: year) else { return nil }
    // Days from a civil date, by Howard Hinnant: years begin in March, so that the leap day is the last of one.
    let shifted = month <= 2 ? year - 1 : year
    let era = Self.floor(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + dayOfMonth - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    day = era * 146_097 + dayOfEra - 719_468
  }

  /// `YYYY-MM-DD` and nothing else; nil for a date that does not exist.
  public init?(iso: String) {
    let bytes = Array(iso.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Digits.value(bytes[0..<4]), let month = Digits.value(bytes[5..<7]), let day = Digits.value(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, dayOfMonth: day)
  }

  /// Year, month (1–12) and day of the month (1–31).
  public var parts: (year: Int, month: Int, dayOfMonth: Int) {
    let shifted = day + 719_468
    let era = Self.floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let index = (5 * dayOfYear + 2) / 153
    let month = index < 10 ? index + 3 : index - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1)
  }

  /// `YYYY-MM-DD`.
  public var iso: String {
    let (year, month, dayOfMonth) = parts
    guard (0...9_999).contains(year) else {
      return "\(Digits.text(year, 4))-\(Digits.text(month, 2))-\(Digits.text(dayOfMonth, 2))"
    }
    // A month on a calendar is thirty of these.
    return String(unsafeUninitializedCapacity: 10) { buffer in
      buffer[0] = Digits.byte(year / 1_000)
      buffer[1] = Digits.byte(year / 100)
      buffer[2] = Digits.byte(year / 10)
      buffer[3] = Digits.byte(year)
      buffer[4] = UInt8(ascii: "-")
      buffer[5] = Digits.byte(month / 10)
      buffer[6] = Digits.byte(month)
      buffer[7] = UInt8(ascii: "-")
      buffer[8] = Digits.byte(dayOfMonth / 10)
      buffer[9] = Digits.byte(dayOfMonth)
      return 10
    }
  }

  /// The day of the week: 0 is Sunday.
  public var weekday: Int { (day + 4) - Self.floor(day + 4, 7) * 7 }

  /// The date so many days later.
  public func adding(days: Int) -> CivilDate { CivilDate(day: day + days) }

  /// Whether the earlier date comes first.
  public static func < (left: CivilDate, right: CivilDate) -> Bool { left.day < right.day }

  /// How many days a month has.
  public static func days(inMonth month: Int, ofYear year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func floor(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }
}

/// A month of the calendar.
public struct CivilMonth: Hashable, Sendable {
  /// The year.
  public let year: Int
  /// The month, 1–12.
  public let month: Int

  /// The month that a date lies in.
  public init(of date: CivilDate) {
    year = date.parts.year
    month = date.parts.month
  }

  /// `YYYY-MM` and nothing else.
  public init?(iso: String) {
    let bytes = Array(iso.utf8)
    guard bytes.count == 7, bytes[4] == UInt8(ascii: "-"), let year = Digits.value(bytes[0..<4]),
      let month = Digits.value(bytes[5..<7]), (1...12).contains(month)
    else { return nil }
    self.year = year
    self.month = month
  }

  /// `YYYY-MM`.
  public var iso: String { "\(Digits.text(year, 4))-\(Digits.text(month, 2))" }

  /// Its first day.
  public var first: CivilDate { CivilDate(year: year, month: month, dayOfMonth: 1) ?? CivilDate(day: 0) }

  /// How many days it has.
  public var days: Int { CivilDate.days(inMonth: month, ofYear: year) }
}

/// A time of day on the wall, to the minute.
public struct TimeOfDay: Hashable, Comparable, Sendable {
  /// Minutes since midnight, 0…1439.
  public let minute: Int

  /// The time so many minutes after midnight; nil outside 0…1439.
  public init?(minute: Int) {
    guard (0..<1_440).contains(minute) else { return nil }
    self.minute = minute
  }

  /// `HH:MM` from `00:00` to `23:59`, and nothing else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hours = Digits.value(bytes[0..<2]),
      let minutes = Digits.value(bytes[3..<5]), hours < 24, minutes < 60
    else { return nil }
    minute = hours * 60 + minutes
  }

  /// `HH:MM`.
  public var text: String { "\(Digits.text(minute / 60, 2)):\(Digits.text(minute % 60, 2))" }

  /// Whether the earlier time comes first.
  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.minute < right.minute }
}

/// Decimal digits of fixed length.
enum Digits {
  /// The number that some ASCII digits mean; nil if anything else is among them.
  static func value(_ bytes: ArraySlice<UInt8>) -> Int? {
    var result = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte) else { return nil }
      result = result * 10 + Int(byte - 0x30)
    }
    return result
  }

  /// The last digit of a number.
  static func byte(_ value: Int) -> UInt8 { UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10) }

  /// A number with at least so many digits.
  static func text(_ value: Int, _ count: Int) -> String {
    let digits = String(abs(value))
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
