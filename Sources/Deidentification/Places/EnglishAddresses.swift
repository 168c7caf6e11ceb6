// 123 Main Street, Apt 4B, Springfield, IL 62704; SW1A 1AA.

func scanEnglishAddresses(_ reading: Reading, _ words: [LatinWord]) -> [Span] {
  var spans: [Span] = []
  for (index, word) in words.enumerated() {
    let text = reading.lower[word.start..<word.end]
    if streets.contains(text), let span = street(reading, words, index) { spans.append(span) }
    if flats.contains(text), let span = flat(reading, word) { spans.append(span) }
    if word.count == 2, states.contains(text), let span = stateAndCode(reading, words, index) { spans.append(span) }
  }
  return spans + britishCodes(reading)
}

private let streets = Words(
  """
  st street ave avenue rd road blvd boulevard lane ln dr drive court ct way place pl terrace square sq close crescent
  highway hwy parkway pkwy circle cir grove gardens row
  """)
private let streetsInFull = Words("street avenue road boulevard lane drive")
private let flats = Words("apt apartment unit suite flat")
private let states = Words(
  """
  al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri
  sc sd tn tx ut vt va wa wv wi wy dc
  """)

private func span(_ reading: Reading, _ start: Int, _ end: Int) -> Span {
  Span(start: start, end: end, kind: .address, thing: .written(reading.lower[start..<end].filter(isWordPart)))
}

private func street(_ reading: Reading, _ words: [LatinWord], _ index: Int) -> Span? {
  var first = index
  var between = 0
  let isFull = streetsInFull.contains(reading.lower[words[index].start..<words[index].end])
  guard words[index].isCapital || isFull else { return nil }
  while first > 0, between < 4 {
    let previous = words[first - 1]
    guard isGap(reading, previous.end, words[first].start) else { break }
    let isOrdinal = isDigit(reading.code(previous.start - 1)) && previous.count == 2
    guard previous.isCapital || isOrdinal || isFull && !words[index].isCapital && between < 2 else { break }
    first -= 1
    between += 1
    if isOrdinal || houseNumber(reading, before: previous.start) != nil { break }
  }
  var start = words[first].start
  if isDigit(reading.code(start - 1)) {  // 221 5th
    while isDigit(reading.code(start - 1)) { start -= 1 }
    between += 1
  }
  guard between > 0, let number = houseNumber(reading, before: start) else { return nil }
  return span(reading, number, addressEnd(reading, words, index))
}

private func isGap(_ reading: Reading, _ end: Int, _ start: Int) -> Bool {
  (start - end == 1 && [0x20, 0x27, 0x2D].contains(reading.code(end))) || (start - end == 2 && reading.code(end) == 0x2E)
    || reading.codes[end..<start].allSatisfy { isDigit($0) || $0 == 0x20 } && start - end <= 5
}

/// The start of the number that stands right before, with a letter: 12, 221B, 12-14.
private func houseNumber(_ reading: Reading, before start: Int) -> Int? {
  var position = start - 1
  guard [0x20, 0x2C].contains(reading.code(position)) else { return nil }
  while [0x20, 0x2C].contains(reading.code(position)), start - position < 3 { position -= 1 }
  if isASCIILetter(reading.code(position)), isDigit(reading.code(position - 1)) { position -= 1 }
  let end = position
  while isDigit(reading.code(position)) || reading.code(position) == 0x2D && isDigit(reading.code(position - 1)),
    end - position < 8
  {
    position -= 1
  }
  guard position < end, !isWordPart(reading.code(position)), reading.code(position) != 0x3A else { return nil }
  return position + 1
}

/// Goes on over the flat, the town, the state and the code.
private func addressEnd(_ reading: Reading, _ words: [LatinWord], _ index: Int) -> Int {
  var end = words[index].end
  if reading.code(end) == 0x2E, reading.code(end + 1) == 0x2C || isDigit(reading.code(end + 2)) { end += 1 }
  var next = index + 1
  var reached = end
  while next < words.count, next - index <= 5, words[next].start - reached <= 3 {
    let word = words[next]
    let text = reading.lower[word.start..<word.end]
    if flats.contains(text), let flat = flat(reading, word) {
      end = flat.end
    } else if word.count == 2, states.contains(text), let code = stateAndCode(reading, words, next) {
      return code.end
    } else if !word.isCapital {
      break
    }
    reached = max(word.end, end)
    next += 1
  }
  return end
}

/// Apt 4B, Unit #12
private func flat(_ reading: Reading, _ word: LatinWord) -> Span? {
  var position = word.end
  while [0x20, 0x23, 0x2E].contains(reading.code(position)), position - word.end < 3 { position += 1 }
  var end = position
  while isDigit(reading.code(end)) || isASCIILetter(reading.code(end)), end - position < 6 { end += 1 }
  guard end > position, reading.codes[position..<end].contains(where: isDigit), !isWordPart(reading.code(end)) else { return nil }
  return span(reading, word.start, end)
}

/// Springfield, IL 62704
private func stateAndCode(_ reading: Reading, _ words: [LatinWord], _ index: Int) -> Span? {
  let word = words[index]
  guard isUpper(reading.code(word.start)), isUpper(reading.code(word.start + 1)), reading.code(word.end) == 0x20 else {
    return nil
  }
  var end = word.end + 1
  while isDigit(reading.code(end)) { end += 1 }
  guard end - word.end == 6 else { return nil }
  if reading.code(end) == 0x2D, isDigit(reading.code(end + 1)) {
    end += 1
    while isDigit(reading.code(end)) { end += 1 }
  }
  var first = index
  while first > 0, index - first < 2, words[first - 1].isCapital, words[first].start - words[first - 1].end <= 2 { first -= 1 }
  return span(reading, words[first].start, end)
}

/// SW1A 1AA
private func britishCodes(_ reading: Reading) -> [Span] {
  var spans: [Span] = []
  for position in reading.codes.indices where reading.codes[position] == 0x20 && isDigit(reading.code(position + 1)) {
    guard isUpper(reading.code(position + 2)), isUpper(reading.code(position + 3)), !isWordPart(reading.code(position + 4)) else {
      continue
    }
    var start = position
    while position - start < 5, isUpper(reading.code(start - 1)) || isDigit(reading.code(start - 1)) { start -= 1 }
    let outward = reading.codes[start..<position]
    guard (2...4).contains(outward.count), let first = outward.first, isUpper(first), outward.contains(where: isDigit),
      !isWordPart(reading.code(start - 1))
    else { continue }
    spans.append(span(reading, start, position + 4))
  }
  return spans
}
