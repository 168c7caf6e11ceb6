/// A run of digits and what joins it to the next.
struct DigitGroup {
  let start: Int
  let end: Int
  var count: Int { end - start }
}

/// What stands between two runs of digits, as far as numbers are written so.
enum Joint: Equatable {
  case hyphen, dot, slash, space
  /// Anything with a parenthesis.
  case bracket
  case none
}

/// The runs of digits of a text.
struct DigitGroups {
  let reading: Reading
  let groups: [DigitGroup]
  /// What follows each group.
  let joints: [Joint]

  /// The groups outside of `whole`, over which none is joined to another.
  init(_ reading: Reading, outside whole: [Span]) {
    var groups: [DigitGroup] = []
    var position = 0
    let codes = reading.codes
    var isTaken = [Bool](repeating: false, count: whole.isEmpty ? 0 : codes.count)
    for span in whole { for position in span.start..<span.end { isTaken[position] = true } }
    while position < codes.count {
      guard isDigit(codes[position]), whole.isEmpty || !isTaken[position] else {
        position += 1
        continue
      }
      var end = position + 1
      while end < codes.count, isDigit(codes[end]), whole.isEmpty || !isTaken[end] { end += 1 }
      groups.append(DigitGroup(start: position, end: end))
      position = end
    }
    self.reading = reading
    self.groups = groups
    joints = groups.indices.map { index in
      index + 1 < groups.count ? joint(codes[groups[index].end..<groups[index + 1].start]) : .none
    }
  }

  /// How many digits the groups `first...last` have.
  func digits(_ first: Int, _ last: Int) -> Int { groups[first...last].reduce(0) { $0 + $1.count } }

  /// The value of a group of at most eight digits; -1 for a longer one.
  func value(_ index: Int) -> Int {
    let group = groups[index]
    return group.count > 8 ? -1 : number(group.start, group.end)
  }

  /// The value of the digits between, at most 18 of them.
  func number(_ start: Int, _ end: Int) -> Int {
    reading.codes[start..<end].reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Whether the groups have these counts, one after the other, joined by `joints`.
  func hasShape(_ counts: [ClosedRange<Int>], at first: Int, joinedBy allowed: [Joint]) -> Bool {
    guard first + counts.count <= groups.count else { return false }
    for (offset, count) in counts.enumerated() {
      guard count.contains(groups[first + offset].count) else { return false }
      if offset + 1 < counts.count, !allowed.contains(joints[first + offset]) { return false }
    }
    return true
  }

  func firstDigit(_ index: Int) -> UInt32 { reading.codes[groups[index].start] }

  /// Whether money, or an amount of something, is counted by the group.
  func isAmount(_ index: Int) -> Bool {
    var position = groups[index].end
    if reading.code(position) == 0x20 { position += 1 }
    if reading.code(position) == 0x2C, isDigit(reading.code(position + 1)) { return true }
    return amountUnits.contains(reading.code(position)) || amountWords.length(in: reading, at: position) > 0
      || moneySigns.contains(reading.code(groups[index].start - 1))
  }
}

private let amountUnits = Characters("원円元块圆%￦₩명개번배만천억조万億亿个個名人回件")
private let amountWords = Labels("won yen yuan dollars euros people km kcal mah kg")
private let moneySigns = Characters("$€£¥₩￦")

private func joint(_ between: ArraySlice<UInt32>) -> Joint {
  guard between.count <= 3 else { return .none }
  var result = Joint.none
  for code in between {
    switch code {
    case 0x28, 0x29: result = .bracket
    case 0x20: if result == .none { result = .space }
    case 0x2D: if result != .bracket { result = .hyphen }
    case 0x2E: if result != .bracket { result = .dot }
    case 0x2F: if result != .bracket { result = .slash }
    default: return .none
    }
  }
  return result
}

func isValidDay(_ month: Int, _ day: Int) -> Bool {
  guard (1...12).contains(month), day >= 1 else { return false }
  return day <= (month == 2 ? 29 : [4, 6, 9, 11].contains(month) ? 30 : 31)
}

func isYear(_ year: Int) -> Bool { (1900...2100).contains(year) }
