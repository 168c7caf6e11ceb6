/// The rule for all years in the words of POSIX (`TZ`, and the last line of a zone's file): `KST-9`,
/// `CET-1CEST,M3.5.0,M10.5.0/3`. RFC 8536, 3.3.1, allows times from −167 to 167 hours.
struct PosixRule: Sendable {
  /// Seconds east of UTC.
  let standard: Int32
  /// The same while daylight saving time is kept, with when it begins and ends; nil if it never is.
  let daylight: (offset: Int32, begin: Day, end: Day)?

  /// A day of every year and a time of it, in seconds since its midnight.
  struct Day: Sendable {
    enum Kind: Sendable {
      /// `Jn`: 1…365, and the leap day is never counted.
      case julian(Int)
      /// `n`: 0…365, and it is.
      case zeroBased(Int)
      /// `Mm.w.d`: the `w`-th (5: the last) weekday `d` of the month `m`.
      case weekday(month: Int, week: Int, day: Int)
    }
    let kind: Kind
    let second: Int

    /// Seconds since 1970 at the day's time in a year, on a wall that shows UTC.
    func second(in year: Int) -> Int64 {
      let first = CivilDate(year: year, month: 1, dayOfMonth: 1) ?? CivilDate(day: 0)
      let day: Int
      switch kind {
      case .zeroBased(let number): day = first.day + number
      case .julian(let number):
        day = first.day + number - 1 + (CivilDate.days(inMonth: 2, ofYear: year) == 29 && number >= 60 ? 1 : 0)
      case .weekday(let month, let week, let weekday):
        let beginning = CivilDate(year: year, month: month, dayOfMonth: 1) ?? first
        var found = 1 + (weekday - beginning.weekday + 7) % 7 + (week - 1) * 7
        if found > CivilDate.days(inMonth: month, ofYear: year) { found -= 7 }
        day = beginning.day + found - 1
      }
      return Int64(day) * 86_400 + Int64(second)
    }
  }

  /// Reads a rule; nil for what is none.
  init?(_ text: String) {
    var reader = Reader(rest: Array(text.utf8)[...])
    guard reader.name(), let offset = reader.offset() else { return nil }
    standard = Int32(-offset)
    if reader.rest.isEmpty {
      daylight = nil
      return
    }
    guard reader.name() else { return nil }
    var daylightOffset = standard + 3_600
    if reader.rest.first != UInt8(ascii: ",") {
      // Without days POSIX leaves it to the system which they are; glibc takes those of the United States.
      if reader.rest.isEmpty {
        reader.rest = Array(",M3.2.0,M11.1.0".utf8)[...]
      } else {
        guard let given = reader.offset() else { return nil }
        daylightOffset = Int32(-given)
        if reader.rest.isEmpty { reader.rest = Array(",M3.2.0,M11.1.0".utf8)[...] }
      }
    }
    guard let begin = reader.day(), let end = reader.day(), reader.rest.isEmpty else { return nil }
    daylight = (daylightOffset, begin, end)
  }

  /// The stretch of one offset that an instant lies in.
  func stretch(holding second: Int64) -> Zone.Stretch {
    guard let daylight else { return Zone.Stretch(start: .min / 2, end: nil, offset: standard) }
    let year = CivilDate(day: CivilDate.floor(Int(second), 86_400)).parts.year
    var changes: [(at: Int64, offset: Int32)] = []
    for year in year - 1...year + 1 {
      changes.append((daylight.begin.second(in: year) - Int64(standard), daylight.offset))
      changes.append((daylight.end.second(in: year) - Int64(daylight.offset), standard))
    }
    changes.sort { $0.at < $1.at }
    var found = Zone.Stretch(start: .min / 2, end: nil, offset: standard)
    for change in changes {
      if change.at > second {
        // A rule that never leaves daylight saving time ends one year's where the next one's begins.
        if change.offset == found.offset { continue }
        found.end = change.at
        break
      }
      if change.offset != found.offset { found = Zone.Stretch(start: change.at, end: nil, offset: change.offset) }
    }
    return found
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    private mutating func take(_ byte: Character) -> Bool {
      guard rest.first == byte.asciiValue else { return false }
      rest.removeFirst()
      return true
    }

    /// A name of three letters or more, or anything within `<…>`.
    mutating func name() -> Bool {
      if take("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end > rest.startIndex else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let letters = rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
      rest = rest.dropFirst(letters.count)
      return letters.count >= 3
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...3).contains(digits.count), let value = Digits.value(digits), range.contains(value) else { return nil }
      rest = rest.dropFirst(digits.count)
      return value
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    private mutating func time(hours: ClosedRange<Int>) -> Int? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard var seconds = number(hours).map({ $0 * 3_600 }) else { return nil }
      if take(":") {
        guard let minutes = number(0...59) else { return nil }
        seconds += minutes * 60
        if take(":") {
          guard let more = number(0...59) else { return nil }
          seconds += more
        }
      }
      return isNegative ? -seconds : seconds
    }

    mutating func offset() -> Int? { time(hours: 0...24) }

    mutating func day() -> Day? {
      guard take(","), let kind = kind() else { return nil }
      if !take("/") { return Day(kind: kind, second: 7_200) }
      return time(hours: 0...167).map { Day(kind: kind, second: $0) }
    }

    private mutating func kind() -> Day.Kind? {
      if take("J") { return number(1...365).map(Day.Kind.julian) }
      if !take("M") { return number(0...365).map(Day.Kind.zeroBased) }
      guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6) else {
        return nil
      }
      return .weekday(month: month, week: week, day: day)
    }
  }
}
