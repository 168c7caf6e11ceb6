/// Figures as a person reads them.
enum Units {
  /// An amount of memory or disk, with at most one place after the point.
  static func bytes(_ count: some BinaryInteger) -> String {
    var value = Double(count)
    var names = ["B", "KiB", "MiB", "GiB", "TiB"][...]
    while value >= 1_024, names.count > 1 {
      value /= 1_024
      names.removeFirst()
    }
    let tenths = Int((value * 10).rounded())
    let number = value >= 100 || tenths % 10 == 0 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(names.first ?? "B")"
  }

  /// A time that has passed: its two largest parts.
  static func duration(seconds: Int, _ session: Session) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds % 86_400 / 3_600, seconds % 3_600 / 60)
    if days > 0 { return session.text(.cliDurationDays, String(days), String(hours)) }
    if hours > 0 { return session.text(.cliDurationHours, String(hours), String(minutes)) }
    if minutes > 0 { return session.text(.cliDurationMinutes, String(minutes), String(seconds % 60)) }
    return session.text(.cliDurationSeconds, String(seconds))
  }
}
