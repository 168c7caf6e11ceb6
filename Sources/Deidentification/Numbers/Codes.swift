// Addresses of machines and numbers of flights: 192.168.0.12, 2001:db8::1, KE 017.

func scanCodes(_ reading: Reading) -> [Span] {
  var spans: [Span] = []
  let flights = flightWords.marks(in: reading)
  var position = 0
  while position < reading.count {
    let before = reading.code(position - 1)
    let begins = !isDigit(before) && !isASCIILetter(before)
    let end = begins ? machineAddressEnd(reading, position) ?? flightEnd(reading, position, flights) : nil
    if let end {
      let written = reading.lower[position..<end].filter { $0 != 0x20 && $0 != 0x2D }
      spans.append(Span(start: position, end: end, kind: .id, thing: .written(written)))
    }
    position = end ?? position + 1
  }
  return spans
}

private func isHex(_ code: UInt32) -> Bool {
  isDigit(code) || code >= 0x41 && code <= 0x46 || code >= 0x61 && code <= 0x66
}

private func machineAddressEnd(_ reading: Reading, _ start: Int) -> Int? {
  isDigit(reading.codes[start]) ? fourNumbers(reading, start) ?? hexGroups(reading, start) : hexGroups(reading, start)
}

/// 192.168.0.12: four numbers of a byte each, and neither more nor fewer.
private func fourNumbers(_ reading: Reading, _ start: Int) -> Int? {
  guard reading.code(start - 1) != 0x2E || !isDigit(reading.code(start - 2)) else { return nil }
  var position = start
  for index in 0..<4 {
    var value: UInt32 = 0
    let first = position
    while isDigit(reading.code(position)), position - first < 3 {
      value = value * 10 + reading.codes[position] - 0x30
      position += 1
    }
    guard position > first, value <= 255 else { return nil }
    if index < 3 {
      guard reading.code(position) == 0x2E else { return nil }
      position += 1
    }
  }
  guard !isDigit(reading.code(position)), reading.code(position) != 0x2E || !isDigit(reading.code(position + 1)) else {
    return nil
  }
  return position
}

/// 2001:db8::1, fe80::1, and the address of a network card: groups of hexadecimal digits between colons, six to eight of them, or with a
/// gap.
private func hexGroups(_ reading: Reading, _ start: Int) -> Int? {
  guard isHex(reading.codes[start]) || reading.codes[start] == 0x3A, reading.code(start - 1) != 0x3A else { return nil }
  var position = start
  var colons = 0
  var gaps = 0
  var digits = 0
  var inGroup = 0
  while position - start < 45 {
    let code = reading.code(position)
    if isHex(code) {
      inGroup += 1
      guard inGroup <= 4 else { return nil }
      if isDigit(code) { digits += 1 }
    } else if code == 0x3A {
      if reading.code(position + 1) == 0x3A { gaps += 1 }
      colons += 1
      inGroup = 0
    } else {
      break
    }
    position += 1
  }
  // A colon at the end is the sentence's.
  if position > start, reading.codes[position - 1] == 0x3A, reading.code(position - 2) != 0x3A {
    position -= 1
    colons -= 1
  }
  let next = reading.code(position)
  guard !isASCIILetter(next), !isDigit(next), digits > 0 else { return nil }
  return gaps == 1 && (2...7).contains(colons) || gaps == 0 && (5...7).contains(colons) ? position : nil
}

/// KE 017, OZ202, and with a word for flying beside it any line: 7C 1101편.
private func flightEnd(_ reading: Reading, _ start: Int, _ flights: LabelMarks) -> Int? {
  let line = [reading.codes[start], reading.code(start + 1)]
  guard line.contains(where: isUpper), line.allSatisfy({ isUpper($0) && $0 < 0x80 || isDigit($0) }) else { return nil }
  let first = [0x20, 0x2D].contains(reading.code(start + 2)) ? start + 3 : start + 2
  var end = first
  while isDigit(reading.code(end)) { end += 1 }
  guard (2...4).contains(end - first), !isASCIILetter(reading.code(end)),
    ![0x2D, 0x3A, 0x2C, 0x2E].contains(reading.code(end)) || !isDigit(reading.code(end + 1))
  else { return nil }
  let after = reading.code(end) == 0x20 ? end + 1 : end
  let number = reading.codes[first..<end].reduce(0) { $0 * 10 + Int($1 - 0x30) }
  if [0xD3B8, 0x4FBF].contains(reading.code(after)) || flightWords.length(in: reading, at: after) > 0 { return end }
  guard first == start + 2 || !isYear(number) else { return nil }
  return flights.isNear(start, in: reading) || airlines.contains(line) && end - first >= 3 ? end : nil
}

private let flightWords = Labels("항공 비행 フライト 飛行機 航班 飞机 航空 flight flights flew airline")
/// Lines whose letters are no word or unit.
private let airlines = ShortWords(
  "KE OZ LJ TW BX RS YP NH JL BC CZ MU HU MF ZH HO UA DL WN LH AF KL LX EK QR EY SQ TG MH VN VJ CX CI BR HX UO QF NZ JQ GK 7C 9C 3U 5J 6E 7G B6 F9 D7"
)
