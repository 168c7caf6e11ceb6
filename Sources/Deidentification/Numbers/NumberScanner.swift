/// Finds numbers that lead to a person: telephones, cards, accounts, numbers given by a state; and dates and times in digits.
struct NumberScanner {
  let digits: DigitGroups
  var reading: Reading { digits.reading }
  private(set) var spans: [Span] = []

  static func spans(in reading: Reading, outside whole: [Span]) -> [Span] {
    let digits = DigitGroups(reading, outside: whole)
    guard !digits.groups.isEmpty else { return [] }
    var scanner = NumberScanner(digits: digits)
    scanner.scan()
    return scanner.spans
  }

  let bankMarks: LabelMarks
  let stateMarks: LabelMarks

  private init(digits: DigitGroups) {
    self.digits = digits
    bankMarks = bankWords.marks(in: digits.reading)
    stateMarks = stateWords.marks(in: digits.reading)
  }

  private mutating func scan() {
    var index = 0
    while index < digits.groups.count {
      let before = spans.count
      if let last = date(at: index) { add(.date, index, last) }
      if spans.count == before, let last = phone(at: index) { add(.phone, index, last) }
      if let last = card(at: index) { add(.card, index, last) }
      if let (last, end) = stateNumber(at: index) { add(.id, index, last, end: end) }
      if let last = account(at: index) { add(.account, index, last) }
      addTime(at: index)
      // What begins inside of a number that was read is no number of its own.
      let reached = spans[before...].map(\.end).max() ?? 0
      index += 1
      while index < digits.groups.count, digits.groups[index].end <= reached { index += 1 }
    }
  }

  private mutating func add(_ kind: TokenKind, _ first: Int, _ last: Int, end: Int? = nil) {
    var start = digits.groups[first].start
    var end = end ?? digits.groups[last].end
    if kind == .date, last == first + 2, digits.joints[first] == .dot, reading.code(end) == 0x2E, isHangul(reading.code(end + 1))
    {
      end += 1
    }
    if kind == .phone {
      if reading.code(start - 1) == 0x28, reading.codes[start..<end].contains(0x29) { start -= 1 }
      if reading.code(start - 1) == 0x2B { start -= 1 }
    }
    if kind == .id, isASCIILetter(reading.code(start - 1)), !isDigit(reading.code(end)) {
      while isASCIILetter(reading.code(start - 1)) { start -= 1 }
    }
    let written = reading.lower[start..<end].filter { isDigit($0) || isAlphabetLetter($0) || kind == .date && $0 != 0x20 }
    spans.append(Span(start: start, end: end, kind: kind, thing: .written(written)))
  }

  // MARK: - Dates and times

  /// 2026-05-03, 2026. 5. 3., 3/5/2026, 26.05.03, 5/3, 20260503.
  private func date(at first: Int) -> Int? {
    let groups = digits.groups
    let joints = digits.joints
    if groups[first].count == 8, isSolidDate(groups[first].start, 4), !digits.isAmount(first) { return first }
    if groups[first].count == 6, isSolidDate(groups[first].start, 2), !digits.isAmount(first), joints[first] != .hyphen {
      return first
    }
    guard first + 1 < groups.count, [.hyphen, .dot, .slash].contains(joints[first]) else { return nil }
    let one = digits.value(first)
    let two = digits.value(first + 1)
    if first + 2 < groups.count, joints[first + 1] == joints[first], !continues(first + 2) {
      let three = digits.value(first + 2)
      let counts = (groups[first].count, groups[first + 1].count, groups[first + 2].count)
      if counts.1 <= 2, counts.2 <= 2, isValidDay(two, three) {
        if counts.0 == 4, isYear(one) { return first + 2 }
        if counts.0 == 2, counts.1 == 2 || joints[first] != .hyphen || counts.2 == 2 { return first + 2 }
      }
      if counts.0 <= 2, counts.1 <= 2, counts.2 == 4 && isYear(three) || counts.2 == 2 && joints[first] == .slash {
        if isValidDay(one, two) || isValidDay(two, one) { return first + 2 }
      }
    }
    guard !continues(first + 1) else { return nil }
    if groups[first].count == 4, groups[first + 1].count == 2, isYear(one), (1...12).contains(two) { return first + 1 }
    return isMonthAndDay(at: first, one, two) ? first + 1 : nil
  }

  private func isMonthAndDay(at first: Int, _ one: Int, _ two: Int) -> Bool {
    let groups = digits.groups
    guard digits.joints[first] == .slash, groups[first + 1].start == groups[first].end + 1 else { return false }
    guard groups[first].count <= 2, groups[first + 1].count <= 2, (one, two) != (24, 7),
      isValidDay(one, two) || isValidDay(two, one)
    else {
      return false
    }
    guard !(first > 0 && digits.joints[first - 1] == .slash && groups[first - 1].end + 1 == groups[first].start) else {
      return false
    }
    // Halves and thirds are dates only where something says so.
    guard one < two, two <= 4, groups[first].count == 1, groups[first + 1].count == 1 else { return true }
    let after = reading.code(groups[first + 1].end)
    return after == 0xC5D0 || after == 0x7E || after == 0x28 || after == 0xB0A0 || after == 0x306B
      || reading.code(groups[first].start - 1) == 0x7E || reading.lower.has([0x6F, 0x6E, 0x20], at: groups[first].start - 3)
  }

  /// Whether a digit follows after the same kind of joint without a space, so that the number is longer than the date.
  private func continues(_ last: Int) -> Bool {
    guard last + 1 < digits.groups.count, digits.groups[last + 1].start == digits.groups[last].end + 1 else { return false }
    return digits.joints[last] == .hyphen || digits.joints[last] == .slash
  }

  private func isSolidDate(_ start: Int, _ yearDigits: Int) -> Bool {
    let year = digits.number(start, start + yearDigits)
    let month = digits.number(start + yearDigits, start + yearDigits + 2)
    let day = digits.number(start + yearDigits + 2, start + yearDigits + 4)
    return (yearDigits == 2 || isYear(year)) && isValidDay(month, day)
  }

  /// 14:30, 14:30:05, with am or pm on either side, and 3 pm.
  private mutating func addTime(at first: Int) {
    let group = digits.groups[first]
    guard group.count <= 2, digits.value(first) <= 24 else { return }
    var end = group.end
    var found = false
    var index = first
    while index < first + 2, index + 1 < digits.groups.count, reading.code(end) == 0x3A,
      digits.groups[index + 1].start == end + 1,
      digits.groups[index + 1].count == 2, digits.value(index + 1) < 60
    {
      index += 1
      end = digits.groups[index].end
      found = true
    }
    if let half = halfOfDay(after: end) {
      end = half
      found = true
    }
    guard found else { return }
    var start = group.start
    for marker in noonMarkers {
      let at = start - marker.count
      if reading.lower.has(marker, at: at) { start = at; break }
      if reading.code(start - 1) == 0x20, reading.lower.has(marker, at: at - 1) { start = at - 1; break }
    }
    spans.append(Span(start: start, end: end, kind: .time, thing: .written(reading.lower[start..<end].filter { $0 != 0x20 })))
  }

  private func halfOfDay(after end: Int) -> Int? {
    var position = end
    if reading.code(position) == 0x20 { position += 1 }
    let length = reading.lower.longest(of: halvesOfDay, at: position)
    guard length > 0, !isAlphabetLetter(reading.code(position + length)) else { return nil }
    return position + length
  }
}

private let halvesOfDay = ["am", "pm", "a.m.", "p.m.", "a.m", "p.m", "o'clock", "oclock"].map(units)
let noonMarkers = ["오전", "오후", "午前", "午後", "上午", "下午", "am", "pm"].map(units)
