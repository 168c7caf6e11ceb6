import CivilTime
import Glibc

/// What a reminder's rule must come to in one zone, found out the slow way: by asking the C library what the wall shows, minute by
/// minute wherever the offset is about to change. It shares nothing with the rule but the calendar's day numbers.
struct Oracle {
  /// Seconds since 1970, on the minute, at which another offset begins.
  private var changes: [Int] = []
  /// What was found out about dates near a change.
  private var scanned: [Int: [Int]?] = [:]

  /// The oracle of a zone by name, for some days. The C library knows one zone at a time: this one until the next is made.
  init(_ zone: String, days: ClosedRange<Int>) {
    setenv("TZ", ":" + zone, 1)
    tzset()
    let hour = 3_600
    var second = (days.lowerBound - 3) * 86_400
    var offset = Self.wall(second).offset
    while second < (days.upperBound + 4) * 86_400 {
      let next = Self.wall(second + hour).offset
      if next != offset {
        // Which minute of the hour; two changes within one cancel each other out, and are none.
        for minute in stride(from: second + 60, through: second + hour, by: 60)
        where Self.wall(minute).offset != Self.wall(minute - 60).offset {
          changes.append(minute)
        }
      }
      offset = next
      second += hour
    }
  }

  /// What the wall shows: the day's number, the minute of the day, and the offset.
  static func wall(_ second: Int) -> (day: Int, minute: Int, offset: Int) {
    var time = time_t(second)
    var parts = tm()
    localtime_r(&time, &parts)
    let local = second + parts.tm_gmtoff
    return (Int((Double(local) / 86_400).rounded(.down)), Int(parts.tm_hour) * 60 + Int(parts.tm_min), parts.tm_gmtoff)
  }

  /// When a time of a day's date is shown first, or what comes first after it; nil for a date that is never shown.
  mutating func due(_ day: Int, _ minute: Int) -> Int? {
    let noon = day * 86_400 + 43_200
    let offset = Self.wall(noon).offset
    if !changes.contains(where: { abs($0 + offset - noon) < 2 * 86_400 }) { return day * 86_400 + minute * 60 - offset }
    if let known = scanned[day] { return known?[minute] }
    let found = Self.scan(day)
    scanned[day] = .some(found)
    return found?[minute]
  }

  /// For every minute of a date, when it is shown first, or else what comes first after it; nil for a date that is never shown.
  private static func scan(_ day: Int) -> [Int]? {
    var isShown = false
    var first = [Int](repeating: 0, count: 1_440)
    for second in stride(from: (day - 1) * 86_400, through: (day + 2) * 86_400, by: 60) {
      let wall = Self.wall(second)
      if wall.day < day { continue }
      if wall.day == day { isShown = true }
      // All that should have been shown by now.
      let end = wall.day == day ? wall.minute : 1_439
      var minute = end
      while minute >= 0, first[minute] == 0 {
        first[minute] = second
        minute -= 1
      }
      if end == 1_439, wall.day > day { break }
    }
    return isShown ? first : nil
  }
}
