import KindVerbAPI

/// Means of what is there. A gap counts as nothing.
enum HealthMath {
  /// The means of some days.
  static func means(_ days: [DayRecord]) -> HealthMeans {
    let mornings = days.compactMap(\.morning)
    let evenings = days.compactMap(\.evening)
    let weights = days.compactMap(\.weight)
    return HealthMeans(
      morning: pressure(mornings), evening: pressure(evenings), all: pressure(mornings + evenings),
      weight: weights.isEmpty
        ? nil : WeightMean(weightKg: Double(mean(weights.map(\.first), scale: 1)) / 10, count: weights.count))
  }

  private static func pressure(_ readings: [Measurement]) -> PressureMean? {
    if readings.isEmpty { return nil }
    return PressureMean(
      systolic: Double(mean(readings.map(\.first), scale: 10)) / 10,
      diastolic: Double(mean(readings.compactMap(\.second), scale: 10)) / 10, count: readings.count)
  }

  /// The mean of some numbers times a scale, rounded to a whole one, a half up.
  static func mean(_ values: [Int], scale: Int) -> Int {
    values.isEmpty ? 0 : (2 * scale * values.reduce(0, +) + values.count) / (2 * values.count)
  }
}
