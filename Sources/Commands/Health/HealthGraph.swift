import KindVerbAPI

/// Some days as a graph of characters: blood pressure above, weight below, each with its axis, over the same days.
///
/// A day has the same width whether something was recorded or not, and morning and evening have their places in it. Only readings of
/// the same slot on neighbouring dates are joined; nothing is drawn across a day without one.
struct HealthGraph {
  /// No line is wider.
  static let widest = 80
  private static let label = 6
  /// What the label of the last day may need beyond its column.
  private static let overhang = 4
  private static let morning: Character = "o"
  private static let evening: Character = "x"
  private static let weight: Character = "+"
  private static let both: Character = "*"

  private let series: HealthSeries
  private let language: Language
  private let isPlain: Bool
  private let width: Int
  /// Columns of a day.
  private let day: Int

  init(_ series: HealthSeries, _ language: Language, width: Int, isPlain: Bool) {
    self.series = series
    self.language = language
    self.isPlain = isPlain
    self.width = width
    day = max(1, (width - Self.label - 1 - Self.overhang) / max(1, series.days.count))
  }

  /// Whether a terminal has a column for each day.
  private var hasRoom: Bool { width >= max(Table.narrowest, Self.label + 1 + series.days.count) }

  private func text(_ key: MessageKey, _ arguments: String...) -> String { key.text(in: language, filling: arguments) }

  /// The picture, without the means.
  var lines: [String] {
    let lines: [String]
    if series.means.all == nil, series.means.weight == nil {
      lines = [text(.cliHealthNoReadings, series.from, series.until)].flatMap(broken)
    } else {
      lines = hasRoom ? pressure + [""] + weights : list
    }
    return width < Table.narrowest ? lines : lines.map { Table.cut($0, to: width, isPlain: isPlain) }
  }

  private func broken(_ line: String) -> [String] {
    width < Table.narrowest ? [line] : Wrapping.lines(line, width: width)
  }

  /// The readings in words, for a terminal that has no room for a picture.
  private var list: [String] {
    let span = "\(series.from) - \(series.until)"
    return ([span] + series.days.compactMap(entry)).flatMap(broken)
  }

  private func entry(_ day: HealthSeriesDay) -> String? {
    func pressure(_ name: MessageKey, _ systolic: Int?, _ diastolic: Int?) -> String? {
      guard let systolic, let diastolic else { return nil }
      return "\(text(name)) \(systolic)/\(diastolic)"
    }
    let parts = [
      pressure(.cliHealthMorning, day.morningSystolic, day.morningDiastolic),
      pressure(.cliHealthEvening, day.eveningSystolic, day.eveningDiastolic),
      day.weightKg.map { text(.cliHealthWeight) + " " + HealthText.tenths($0) },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : day.dateIso.dropFirst(5) + "  " + parts.joined(separator: "  ")
  }

  /// Parts beside each other, in as many lines as they need.
  static func flow(_ parts: [String], _ separator: String, indent: String = "", width: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, cellWidth(last + separator + part) <= width {
        lines[lines.count - 1] = last + separator + part
      } else {
        lines.append((cellWidth(indent + part) <= width ? indent : "") + part)
      }
    }
    return lines
  }

  // MARK: Blood pressure

  private var pressure: [String] {
    guard series.means.all != nil else { return broken(text(.cliHealthPressure) + ": " + text(.cliHealthNone)) }
    let line = series.referenceLine
    let curves: [(Character, Int, (HealthSeriesDay) -> Int?)] = [
      (Self.morning, morningColumn, \.morningSystolic), (Self.morning, morningColumn, \.morningDiastolic),
      (Self.evening, eveningColumn, \.eveningSystolic), (Self.evening, eveningColumn, \.eveningDiastolic),
    ]
    let values = curves.flatMap { curve in series.days.compactMap(curve.2) }
    let axis = GraphAxis.pressure(values, lines: [line.systolic, line.diastolic])
    var canvas = GraphCanvas(width: day * series.days.count, height: axis.rows, isPlain: isPlain)
    for value in [line.systolic, line.diastolic] { canvas.rule(rule, row: axis.row(of: value)) }
    for (mark, column, value) in curves { draw(series.days.map(value), mark, column, axis, on: &canvas) }
    let labels = (0..<axis.rows).map { row in
      let value = axis.value(ofRow: row)
      let isLabelled = value % 20 == 0 || value == line.systolic || value == line.diastolic
      return isLabelled || axis.step == 10 ? String(value) : ""
    }
    let reference = String(repeating: rule, count: 2) + " " + text(.cliHealthReference, "\(line.systolic)/\(line.diastolic)")
    let legend = [
      "\(Self.morning) " + text(.cliHealthMorning), "\(Self.evening) " + text(.cliHealthEvening),
      "\(Self.both) " + text(.cliHealthBoth),
      reference,
    ]
    let indent = String(repeating: " ", count: Self.label + 1)
    return Self.flow([text(.cliHealthPressure), "\(series.from) - \(series.until)"], "   ", width: width).flatMap(broken)
      + plot(canvas, labels) + Self.flow(legend, "  ", indent: indent, width: width).flatMap(broken)
  }

  private var rule: Character { isPlain ? "-" : "╌" }
  /// Eight o'clock and nine in the evening.
  private var morningColumn: Int { day / 3 }
  private var eveningColumn: Int { day * 7 / 8 }

  // MARK: Weight

  private var weights: [String] {
    let tenths = series.days.map { $0.weightKg.map { Int(($0 * 10).rounded()) } }
    guard tenths.contains(where: { $0 != nil }) else { return broken(text(.cliHealthWeightTitle) + ": " + text(.cliHealthNone)) }
    let axis = GraphAxis.fitting(tenths.compactMap { $0 })
    var canvas = GraphCanvas(width: day * series.days.count, height: axis.rows, isPlain: isPlain)
    draw(tenths, Self.weight, morningColumn, axis, on: &canvas)
    let labels = (0..<axis.rows).map { HealthText.tenths(Double(axis.value(ofRow: $0)) / 10) }
    return [text(.cliHealthWeightTitle)] + plot(canvas, labels)
  }

  // MARK: Drawing

  /// The values of one slot, joined from date to date; nil is a gap.
  private func draw(_ values: [Int?], _ mark: Character, _ column: Int, _ axis: GraphAxis, on canvas: inout GraphCanvas) {
    var last: (column: Int, row: Int)?
    for (index, value) in values.enumerated() {
      guard let value else {
        last = nil
        continue
      }
      let place = (column: index * day + column, row: axis.row(of: value))
      if let last { canvas.join(last, place) }
      canvas.mark(mark, column: place.column, row: place.row, both: Self.both)
      last = place
    }
  }

  /// The canvas with its axes.
  private func plot(_ canvas: GraphCanvas, _ labels: [String]) -> [String] {
    let rows = labels.enumerated().map { row, label in
      String(repeating: " ", count: Self.label - label.utf8.count - 1) + label + " |" + canvas.text(row: row)
    }
    return rows + dates(canvas.width)
  }

  /// The axis of time: a tick and a date at every so many days, counted back from the last.
  private func dates(_ width: Int) -> [String] {
    let every = (7 + day - 1) / day
    var ticks = Array(repeating: Character("-"), count: width)
    var labels = Array(repeating: Character(" "), count: min(width + Self.overhang, self.width - Self.label - 1))
    var room = labels.count
    for (index, entry) in series.days.enumerated().reversed() where (series.days.count - 1 - index) % every == 0 {
      let column = index * day + morningColumn
      ticks[column] = "+"
      // The last date stands under its tick, or as near to it as the terminal allows; none touches the next.
      let name = entry.dateIso.dropFirst(5)
      let start = min(column, room - name.count)
      guard start >= 0, index == series.days.count - 1 || start == column else { continue }
      for (offset, character) in name.enumerated() { labels[start + offset] = character }
      room = start - 1
    }
    let indent = String(repeating: " ", count: Self.label)
    while labels.last == " " { labels.removeLast() }
    return [indent + "+" + String(ticks), indent + " " + String(labels)]
  }
}
