import CivilTime
import KindVerbAPI

/// Instants of the wire for people.
enum Instants {
  /// An instant as the daemon writes it, in milliseconds since 1970; nil for anything else.
  static func milliseconds(_ text: String) -> Int64? {
    let parts = text.dropLast().split(separator: "T", omittingEmptySubsequences: false)
    guard text.hasSuffix("Z"), parts.count == 2, let date = CivilDate(iso: String(parts[0])) else { return nil }
    let fields = parts[1].split { $0 == ":" || $0 == "." }.compactMap { Int64($0) }
    guard fields.count == 3 || fields.count == 4 else { return nil }
    let seconds = Int64(date.day) * 86_400 + fields[0] * 3_600 + fields[1] * 60 + fields[2]
    return seconds * 1_000 + (fields.count == 4 ? fields[3] : 0)
  }

  /// What the wall shows at an instant.
  static func wall(_ milliseconds: Int64, offsetMinutes: Int64) -> (date: String, time: String) {
    let wall = Instant.text(milliseconds + offsetMinutes * 60_000)
    return (String(wall.prefix(10)), String(wall.dropFirst(11).prefix(5)))
  }
}
