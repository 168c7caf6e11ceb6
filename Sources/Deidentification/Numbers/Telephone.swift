extension NumberScanner {
  /// The last group of a telephone number that begins with `first`.
  func phone(at first: Int) -> Int? {
    let start = digits.groups[first].start
    if reading.code(start - 1) == 0x2B { return abroad(first) }
    if reading.code(start - 1) == 0x28, reading.code(start - 2) == 0x2B { return abroad(first) }
    if digits.firstDigit(first) == 0x30 { return national(first) }
    return american(first) ?? chinese(first) ?? local(first)
  }

  /// +82-10-1234-5678
  private func abroad(_ first: Int) -> Int? {
    let limit = longestAbroad(first)
    var last = first
    var total = digits.groups[first].count
    while last + 1 < digits.groups.count, [.hyphen, .dot, .space, .bracket].contains(digits.joints[last]),
      total + digits.groups[last + 1].count <= limit
    {
      last += 1
      total += digits.groups[last].count
    }
    return (8...15).contains(total) ? last : nil
  }

  private func longestAbroad(_ first: Int) -> Int {
    let codes = reading.codes[digits.groups[first].start..<digits.groups[first].end]
    // With the zero that some write in brackets after the country.
    if codes.starts(with: [0x38, 0x36]) { return 14 }
    if codes.starts(with: [0x38, 0x32]) || codes.starts(with: [0x38, 0x31]) || codes.starts(with: [0x34, 0x34]) { return 13 }
    return codes.first == 0x31 ? 11 : 15
  }

  /// 010-1234-5678, 02) 123-4567, 03-1234-5678, 020 7946 0958, or without anything between.
  private func national(_ first: Int) -> Int? {
    var total = 0
    var last = first
    while last < digits.groups.count, last - first < 5 {
      total += digits.groups[last].count
      if total > 12 { return nil }
      if isWholeNational(first, last, total), !goesOn(last, total) { return isAllowedNational(first, last) ? last : nil }
      guard [.hyphen, .dot, .space, .bracket].contains(digits.joints[last]) else { return nil }
      last += 1
    }
    return nil
  }

  private func isWholeNational(_ first: Int, _ last: Int, _ total: Int) -> Bool {
    let start = digits.groups[first].start
    let second = reading.code(start + 1)
    if second == 0x31 { return total == 10 || total == 11 }
    if second == 0x32 { return (9...11).contains(total) }
    if reading.code(start + 1) == 0x35, reading.code(start + 2) == 0x30 { return (11...12).contains(total) }
    return (9...11).contains(total)
  }

  private func goesOn(_ last: Int, _ total: Int) -> Bool {
    guard last + 1 < digits.groups.count, total + digits.groups[last + 1].count <= 12 else { return false }
    return digits.joints[last] == .hyphen && digits.groups[last + 1].start == digits.groups[last].end + 1
  }

  private func isAllowedNational(_ first: Int, _ last: Int) -> Bool {
    // A lone run of digits that begins with 0, or groups of two and more.
    first == last || digits.groups[first...last].allSatisfy { $0.count >= 2 }
  }

  /// (555) 123-4567, 555-123-4567, 1-800-555-0199, 5551234567.
  private func american(_ first: Int) -> Int? {
    let joints: [Joint] = [.hyphen, .dot, .space, .bracket]
    var area = first
    if digits.groups[first].count == 1, digits.firstDigit(first) == 0x31, first + 1 < digits.groups.count,
      joints.contains(digits.joints[first])
    {
      area = first + 1
    }
    guard digits.firstDigit(area) >= 0x32 else { return nil }
    if digits.hasShape([3...3, 3...3, 4...4], at: area, joinedBy: joints) { return area + 2 }
    if digits.hasShape([3...3, 7...7], at: area, joinedBy: joints) { return area + 1 }
    return digits.groups[area].count == 10 && !digits.isAmount(area) && !hasBankWord(before: area) ? area : nil
  }

  /// 13812345678, 138 1234 5678, 138-1234-5678.
  private func chinese(_ first: Int) -> Int? {
    guard digits.firstDigit(first) == 0x31, (0x33...0x39).contains(reading.code(digits.groups[first].start + 1)) else {
      return nil
    }
    if digits.groups[first].count == 11 { return first }
    if digits.hasShape([3...3, 4...4, 4...4], at: first, joinedBy: [.hyphen, .space, .dot]) { return first + 2 }
    return nil
  }

  /// 555-0123, 1588-1234; but no years and no round amounts.
  private func local(_ first: Int) -> Int? {
    guard digits.hasShape([3...4, 4...4], at: first, joinedBy: [.hyphen]) else { return nil }
    let group = digits.groups[first + 1]
    guard group.start == digits.groups[first].end + 1, !digits.isAmount(first + 1) else { return nil }
    let one = digits.value(first)
    let two = digits.value(first + 1)
    if isYear(one) && isYear(two) || one % 100 == 0 && two % 100 == 0 { return nil }
    let next = first + 2
    return next < digits.groups.count && digits.joints[first + 1] == .hyphen ? nil : first + 1
  }
}
