import CivilTime

/// What a server says of when to come again.
public enum RetryAfter {
  /// How long to wait, in milliseconds from 0 to `cap`; nil if there is no value that can be read, and the caller's own wait stands.
  ///
  /// A value is a number of seconds (`120`; a fraction is rounded up) or a date in any of HTTP's three forms. A time past is 0: the least
  /// wait is the caller's to know. Of several values the longest counts.
  ///
  /// - Parameters:
  ///   - values: the values of `Retry-After`.
  ///   - date: the answer's `Date`, against which a date is judged if it can be read: the server's clock made both.
  ///   - now: this machine's clock, in milliseconds since 1970, for an answer without.
  ///   - cap: the longest wait, in milliseconds.
  public static func milliseconds(_ values: [String], date: String?, now: Int64, cap: Int) -> Int? {
    let now = date.flatMap { HTTPDate.seconds($0[...]) }.map { $0 * 1_000 } ?? now
    let cap = max(0, cap)
    let waits = values.compactMap { value -> Int? in
      if let at = HTTPDate.seconds(value[...]) { return Int(clamping: (at * 1_000).subtractingClamped(now)) }
      // Several of one header may have become one on the way.
      return value.split(separator: ",", omittingEmptySubsequences: false).map(delay).reduce(nil) { longest, next in
        [longest, next].compactMap { $0 }.max()
      }
    }
    return waits.max().map { min(max(0, $0), cap) }
  }

  /// Seconds as digits, with a fraction or without, in milliseconds.
  private static func delay(_ text: Substring) -> Int? {
    let parts = text.filter { $0 != " " && $0 != "\t" }.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(HTTPDate.isDigit) }), let whole = parts.first
    else { return nil }
    // More digits than this are longer than anybody waits.
    guard whole.utf8.count <= 12, let seconds = Int(whole) else { return Int.max }
    guard parts.count == 2 else { return seconds * 1_000 }
    let digits = parts[1].utf8.prefix(3).map { Int($0 - UInt8(ascii: "0")) }
    let fraction = (digits + [0, 0]).prefix(3).reduce(0) { $0 * 10 + $1 }
    return seconds * 1_000 + fraction + (parts[1].utf8.dropFirst(3).contains { $0 != UInt8(ascii: "0") } ? 1 : 0)
  }
}

/// HTTP's dates: `Sun, 06 Nov 1994 08:49:37 GMT`, and the two older forms `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Seconds since 1970, or nil for what is no date.
  static func seconds(_ text: Substring) -> Int64? {
    guard text.utf8.count <= 64 else { return nil }
    var words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" || $0 == "\t" }
    guard let weekday = words.first, weekday.count >= 3, weekday.utf8.allSatisfy({ !isDigit($0) }) else { return nil }
    words.removeFirst()
    if words.count == 5, ["gmt", "utc", "z"].contains(words[4]) {
      return instant(day: words[0], month: words[1], year: words[2], time: words[3])
    }
    return words.count == 4 ? instant(day: words[1], month: words[0], year: words[3], time: words[2]) : nil
  }

  private static func instant(day: Substring, month: Substring, year: Substring, time: Substring) -> Int64? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, 2...2) }
    guard let day = number(day, 1...2), let month = months.firstIndex(of: String(month)), var year = number(year, 2...4),
      clock.count == 3,
      let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24, minute < 60, second <= 60
    else { return nil }
    if year < 100 { year += year < 70 ? 2_000 : 1_900 }
    guard let date = CivilDate(year: year, month: month + 1, dayOfMonth: day) else { return nil }
    return Int64(date.day) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
  }

  private static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int? {
    digits.contains(text.utf8.count) && text.utf8.allSatisfy(isDigit) ? Int(text) : nil
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension Int64 {
  fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < other ? .min : .max) : difference
  }
}
