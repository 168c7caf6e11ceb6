import CivilTime
import KindVerbAPI

/// Readings as the wire shows them.
enum HealthShape {
  static func record(_ day: DayRecord) -> DailyHealthRecord {
    DailyHealthRecord(
      dateIso: day.date.iso, morningSystolic: day.morning?.first, morningDiastolic: day.morning?.second,
      morningMeasuredAtEpochMs: at(day.morning), morningMeasuredOffsetMinutes: day.morning?.measured?.offsetMinutes,
      eveningSystolic: day.evening?.first, eveningDiastolic: day.evening?.second, eveningMeasuredAtEpochMs: at(day.evening),
      eveningMeasuredOffsetMinutes: day.evening?.measured?.offsetMinutes, weightKg: kilograms(day.weight),
      weightMeasuredAtEpochMs: at(day.weight), weightMeasuredOffsetMinutes: day.weight?.measured?.offsetMinutes,
      createdAt: Instant.text(day.createdAt), updatedAt: Instant.text(day.updatedAt))
  }

  private static func at(_ value: Measurement?) -> Int? { value?.measured.map { Int($0.atEpochMs) } }

  private static func kilograms(_ weight: Measurement?) -> Double? { weight.map { Double($0.first) / 10 } }

  /// One entry for each date from the first on; a date without a record is all gaps.
  static func series(_ days: [DayRecord], from first: CivilDate, count: Int) -> [HealthSeriesDay] {
    var next = days[...]
    return (0..<count).map { offset in
      let date = first.adding(days: offset)
      let day = next.first?.date == date ? next.removeFirst() : nil
      return HealthSeriesDay(
        dateIso: date.iso, morningSystolic: day?.morning?.first, morningDiastolic: day?.morning?.second,
        eveningSystolic: day?.evening?.first, eveningDiastolic: day?.evening?.second, weightKg: kilograms(day?.weight))
    }
  }

  /// Every day of a month.
  static func calendar(_ days: [DayRecord], of month: CivilMonth, today: CivilDate) -> HealthCalendar {
    var next = days[...]
    let first = month.first
    return HealthCalendar(
      month: month.iso, today: today.iso,
      days: (0..<month.days).map { offset in
        let date = first.adding(days: offset)
        let day = next.first?.date == date ? next.removeFirst() : nil
        return HealthCalendarDay(
          dateIso: date.iso, morning: day?.morning != nil, evening: day?.evening != nil, weight: day?.weight != nil,
          status: day?.status ?? .none, isToday: date == today)
      })
  }
}
