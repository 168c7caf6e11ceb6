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
  static func calendar(_ marks: [HealthStore.Marks], of month: CivilMonth, today: CivilDate) -> HealthCalendar {
    var next = 0
    let first = month.first
    return HealthCalendar(
      month: month.iso, today: today.iso,
      days: (0..<month.days).map { offset in
        let date = first.adding(days: offset)
        guard next < marks.count, marks[next].date == date else {
          return HealthCalendarDay(
            dateIso: date.iso, morning: false, evening: false, weight: false, status: .none, isToday: date == today)
        }
        let day = marks[next]
        next += 1
        return HealthCalendarDay(
          dateIso: date.iso, morning: day.morning, evening: day.evening, weight: day.weight,
          status: HealthRules.status(morning: day.morning, evening: day.evening, weight: day.weight), isToday: date == today)
      })
  }
}
