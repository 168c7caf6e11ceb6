/// A time zone as a value: what the clock on the wall shows at an instant, and when it shows something first.
///
/// glibc knows one zone for a whole process and keeps it; this is any number of them, each read afresh and thrown away after use.
public struct Zone: Sendable {
  /// Instants in seconds since 1970 from which an offset holds, in ascending order.
  let starts: [Int64]
  /// The offsets from UTC in seconds from these instants on.
  let offsets: [Int32]
  /// The offset before the first of them.
  let initialOffset: Int32
  /// What holds after the last of them; nil if that offset goes on.
  let rule: PosixRule?

  /// UTC.
  public static let utc = Zone(starts: [], offsets: [], initialOffset: 0, rule: nil)

  /// An offset that never changes, in seconds east of UTC.
  public static func fixed(_ seconds: Int) -> Zone {
    Zone(starts: [], offsets: [], initialOffset: Int32(clamping: seconds), rule: nil)
  }

  init(starts: [Int64], offsets: [Int32], initialOffset: Int32, rule: PosixRule?) {
    self.starts = starts
    self.offsets = offsets
    self.initialOffset = initialOffset
    self.rule = rule
  }

  /// A zone that changes at these instants, in seconds since 1970, to these offsets.
  public init(changes: [(at: Int64, offset: Int)], before: Int) {
    self.init(
      starts: changes.map(\.at), offsets: changes.map { Int32(clamping: $0.offset) }, initialOffset: Int32(clamping: before),
      rule: nil)
  }

  /// The offset from UTC in seconds at an instant in milliseconds since 1970.
  public func offset(at milliseconds: Int64) -> Int { Int(stretch(holding: Self.seconds(milliseconds)).offset) }

  /// What the wall shows at an instant in milliseconds since 1970: the date, and seconds since its midnight.
  public func civil(at milliseconds: Int64) -> (date: CivilDate, second: Int) {
    let local = Int(Self.seconds(milliseconds)) + offset(at: milliseconds)
    let day = CivilDate.floor(local, Self.day)
    return (CivilDate(day: day), local - day * Self.day)
  }

  /// The date on the wall at an instant in milliseconds since 1970.
  public func date(at milliseconds: Int64) -> CivilDate { civil(at: milliseconds).date }

  /// When the wall first shows a time of a date, or, if it never does because the clock is put forward over it, the first instant
  /// after: in milliseconds since 1970. A doubled hour counts the first time. Nil for a date that is left out altogether.
  public func instant(of date: CivilDate, _ time: TimeOfDay) -> Int64? {
    let midnight = Int64(date.day) * Int64(Self.day)
    let found = firstInstant(showing: midnight + Int64(time.minute) * 60) * 1_000
    if self.date(at: found) == date { return found }
    // The clock was put forward over midnight. A date that the wall never shows begins with the next one.
    if firstInstant(showing: midnight) == firstInstant(showing: midnight + Int64(Self.day)) { return nil }
    return found
  }

  private static let day = 86_400
  /// More than any offset there has been.
  private static let widest: Int64 = 26 * 3_600

  /// The first instant at which the wall shows `local` or later, both in seconds.
  private func firstInstant(showing local: Int64) -> Int64 {
    var stretch = stretch(holding: local - Self.widest)
    while true {
      let candidate = max(stretch.start, local - Int64(stretch.offset))
      guard let end = stretch.end, candidate >= end else { return candidate }
      stretch = self.stretch(holding: end)
    }
  }

  private static func seconds(_ milliseconds: Int64) -> Int64 {
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    return rest < 0 ? whole - 1 : whole
  }

  /// A stretch of time in which the offset is the same.
  struct Stretch {
    var start: Int64
    var end: Int64?
    var offset: Int32
  }

  private func stretch(holding second: Int64) -> Stretch {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= second { low = middle + 1 } else { high = middle }
    }
    if low < starts.count {
      return low == 0
        ? Stretch(start: .min / 2, end: starts[0], offset: initialOffset)
        : Stretch(start: starts[low - 1], end: starts[low], offset: offsets[low - 1])
    }
    let last = Stretch(start: starts.last ?? .min / 2, end: nil, offset: offsets.last ?? initialOffset)
    guard let rule else { return last }
    var found = rule.stretch(holding: second)
    // The rule holds from the last listed change on, and not before.
    found.start = max(found.start, last.start)
    return found
  }
}
