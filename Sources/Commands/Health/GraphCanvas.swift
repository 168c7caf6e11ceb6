/// A field of characters to draw on: marks of readings, lines that join them, and lines behind all.
///
/// In UTF-8 lines are drawn in the eight dots of braille cells, which are narrow in every terminal; elsewhere in full stops.
struct GraphCanvas {
  let width: Int
  let height: Int
  private let isPlain: Bool
  private var marks: [[Character?]]
  private var dots: [[UInt32]]
  private var behind: [[Character?]]

  init(width: Int, height: Int, isPlain: Bool) {
    self.width = width
    self.height = height
    self.isPlain = isPlain
    marks = Array(repeating: Array(repeating: nil, count: width), count: height)
    behind = marks
    dots = Array(repeating: Array(repeating: 0, count: width), count: height)
  }

  /// Puts a mark; where another one stands, both become the one that means both.
  mutating func mark(_ character: Character, column: Int, row: Int, both: Character) {
    guard marks.indices.contains(row), marks[row].indices.contains(column) else { return }
    marks[row][column] = marks[row][column].map { $0 == character ? character : both } ?? character
  }

  /// A line across a row, behind everything.
  mutating func rule(_ character: Character, row: Int) {
    guard behind.indices.contains(row) else { return }
    behind[row] = Array(repeating: character, count: width)
  }

  /// Joins the middles of two cells.
  mutating func join(_ from: (column: Int, row: Int), _ to: (column: Int, row: Int)) {
    // A cell is two dots wide and four high.
    let start = (x: from.column * 2, y: from.row * 4 + 1)
    let end = (x: to.column * 2, y: to.row * 4 + 1)
    let steps = max(abs(end.x - start.x), abs(end.y - start.y), 1)
    for step in 0...steps {
      let x = start.x + (end.x - start.x) * step / steps
      let y = start.y + (end.y - start.y) * step / steps
      guard dots.indices.contains(y / 4), dots[y / 4].indices.contains(x / 2) else { continue }
      dots[y / 4][x / 2] |= Self.dot(x % 2, y % 4)
    }
  }

  /// The bit of a dot in a braille cell.
  private static func dot(_ x: Int, _ y: Int) -> UInt32 {
    let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
    return bits[y][x]
  }

  /// A row as text, without blanks at its end.
  func text(row: Int) -> String {
    var line = ""
    for column in 0..<width {
      if let mark = marks[row][column] {
        line.append(mark)
      } else if dots[row][column] != 0 {
        line.append(isPlain ? "." : Unicode.Scalar(0x2800 + dots[row][column]).map(Character.init) ?? ".")
      } else {
        line.append(behind[row][column] ?? " ")
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// The rows of an axis: values at equal distances, the highest above.
struct GraphAxis: Equatable {
  let low: Int
  let high: Int
  let step: Int

  var rows: Int { (high - low) / step + 1 }

  /// The row that a value is nearest to.
  func row(of value: Int) -> Int { (2 * (high - value) + step) / (2 * step) }

  /// What stands for a row.
  func value(ofRow row: Int) -> Int { high - row * step }

  /// The axis of blood pressure: always with the reference line, which falls on a row of its own.
  static func pressure(_ values: [Int], lines: [Int]) -> GraphAxis {
    let all = values + lines
    let (least, most) = (all.min() ?? 0, all.max() ?? 0)
    let step = most - least <= 85 ? 5 : 10
    // A row more than the values need. Both lines end in 5: so do the rows, where not every 5 has one.
    let last = step == 5 ? 0 : 5
    let low = (least - 1 - last) / step * step + last
    let high = low + (most - low + step) / step * step
    return GraphAxis(low: low, high: high, step: step)
  }

  /// The axis of other values, with at most six rows and the finest step that allows.
  static func fitting(_ values: [Int]) -> GraphAxis {
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    for step in [1, 2, 5, 10, 20, 50, 100, 200, 500] {
      let low = least / step * step
      let high = (most + step - 1) / step * step
      if (high - low) / step <= 5 {
        return GraphAxis(low: low - (low == high ? step : 0), high: max(high, low + step), step: step)
      }
    }
    return GraphAxis(low: least, high: most + 1_000, step: 1_000)
  }
}
