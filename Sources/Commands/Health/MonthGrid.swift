import CivilTime
import KindVerbAPI

/// A month as people know it from the wall: weeks under each other, the days of the week above.
///
/// Each day has a place for each mark, so that what is missing is a hole and not a shift. Today stands in brackets, which a pipe
/// shows as well. Where a terminal is too narrow for three marks, there is one for a day; where even that has no room, the days of
/// which something is recorded stand under each other.
struct MonthGrid {
  private let calendar: HealthCalendar
  private let language: Language
  private let strong: (String) -> String
  private let marks: [String]
  private let isNarrow: Bool
  private let isList: Bool
  private let width: Int?

  init(_ calendar: HealthCalendar, _ language: Language, width: Int?, strong: @escaping (String) -> String = { $0 }) {
    self.calendar = calendar
    self.language = language
    self.strong = strong
    self.width = width
    let marks = Self.words(.cliCalendarMarks, language)
    self.marks = marks
    let width = width ?? .max
    isList = width < Self.width(markedBy: 1)
    isNarrow = !isList && width < Self.width(markedBy: cellWidth(marks.joined()))
  }

  /// The day that a week begins with: Monday in Chinese, Sunday in the others; 0 is Sunday.
  static func firstWeekday(_ language: Language) -> Int { language == .zhHans ? 1 : 0 }

  /// The cells of a week whose days have so many for their marks.
  private static func width(markedBy cells: Int) -> Int { 7 * (4 + cells + 1) - 1 }

  private static func words(_ key: MessageKey, _ language: Language) -> [String] {
    key.text(in: language).split(separator: " ").map(String.init)
  }

  /// One mark for a day, where there is no room for three.
  private static let narrowMarks: [DayStatus: String] = [.complete: "*", .partial: "+"]

  private var markWidth: Int { isNarrow ? 1 : cellWidth(marks.joined()) }

  /// The title, the days of the week, the weeks, and what the marks mean.
  var lines: [String] {
    guard let month = CivilMonth(iso: calendar.month) else { return [] }
    let first = Self.firstWeekday(language)
    let names = Self.words(.cliCalendarWeekdays, language)
    let months = Self.words(.cliCalendarMonths, language)
    let title = MessageKey.cliCalendarTitle.text(in: language, String(month.year), months[month.month - 1])
    if isList { return [strong(title)] + list + [""] + legend }
    var lines = [strong(title)]
    lines.append(
      Self.row((0..<7).map { place in Self.padded(" " + names[(first + place) % 7], 4 + markWidth) }))
    let lead = (month.first.weekday - first + 7) % 7
    var week = [String](repeating: String(repeating: " ", count: 4 + markWidth), count: lead)
    for (offset, day) in calendar.days.enumerated() {
      week.append(cell(day, offset + 1))
      if week.count == 7 {
        lines.append(Self.row(week))
        week = []
      }
    }
    if !week.isEmpty { lines.append(Self.row(week)) }
    return lines + [""] + legend
  }

  private func cell(_ day: HealthCalendarDay, _ number: Int) -> String {
    let digits = number < 10 ? " \(number)" : "\(number)"
    let date = day.isToday ? strong("[\(digits)]") : " \(digits) "
    if isNarrow { return date + (Self.narrowMarks[day.status] ?? " ") }
    let there = [day.morning, day.evening, day.weight]
    return date + zip(marks, there).map { $1 ? $0 : String(repeating: " ", count: cellWidth($0)) }.joined()
  }

  private var list: [String] {
    calendar.days.enumerated().compactMap { offset, day in
      day.status == .none && !day.isToday ? nil : Self.row([cell(day, offset + 1)])
    }
  }

  private var legend: [String] {
    let names: [MessageKey] = [.cliHealthMorning, .cliHealthEvening, .cliHealthWeight]
    let complete = calendar.days.count { $0.status == .complete }
    let partial = calendar.days.count { $0.status == .partial }
    var parts =
      isNarrow
      ? ["* " + MessageKey.cliHealthComplete.text(in: language), "+ " + MessageKey.cliHealthPartial.text(in: language)]
      : zip(marks, names).map { $0 + " " + $1.text(in: language) }
    if calendar.days.contains(where: \.isToday) { parts.append("[ ] " + MessageKey.cliHealthToday.text(in: language)) }
    let counts = MessageKey.cliHealthCounts.text(in: language, String(complete), String(partial))
    guard let width, width >= Table.narrowest else { return [parts.joined(separator: "   "), counts] }
    return HealthGraph.flow(parts, "   ", width: width) + Wrapping.lines(counts, width: width)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - cellWidth(text)))
  }

  /// Cells beside each other, without blanks at the end.
  private static func row(_ cells: [String]) -> String {
    var line = cells.joined(separator: " ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
