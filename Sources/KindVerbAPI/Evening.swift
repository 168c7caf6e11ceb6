extension Slot {
  /// Until when, in minutes after midnight, it is still the evening of the date before: what is measured until then without a date is
  /// that evening's, and so is a reminder that is set to such a time.
  public static let eveningEnds = 4 * 60

  /// Whether an evening's reading or reminder at that second after midnight belongs to the date before.
  public static func isNight(second: Int) -> Bool { second < eveningEnds * 60 }
}
