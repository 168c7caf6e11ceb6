// May 3rd, 3 May 2026, the 3rd of May, May 2026; three o'clock.

func scanEnglishDates(_ reading: Reading, _ words: [LatinWord]) -> [Span] {
  var spans: [Span] = []
  for (index, word) in words.enumerated() {
    if let length = monthLength(reading, word), length > 0 {
      if let span = dateWithMonth(reading, words, index) { spans.append(span) }
    } else if let span = loneDay(reading, words, index) ?? spelledTime(reading, words, index) {
      spans.append(span)
    }
  }
  return spans
}

let months = Words(
  """
  january february march april may june july august september october november december jan feb mar apr jun jul aug sep
  sept oct nov dec
  """)
private let monthsThatAreWords = Words("may march mar jan dec sept august")
private let ordinals = Words(
  """
  first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
  sixteenth seventeenth eighteenth nineteenth twentieth thirtieth
  """)
private let numberWords = Words("one two three four five six seven eight nine ten eleven twelve")

private func monthLength(_ reading: Reading, _ word: LatinWord) -> Int? {
  months.contains(reading.lower[word.start..<word.end]) ? word.count : nil
}

private func span(_ reading: Reading, _ start: Int, _ end: Int, _ kind: TokenKind = .date) -> Span {
  Span(start: start, end: end, kind: kind, thing: .written(reading.lower[start..<end].filter { isWordPart($0) }))
}

private func dateWithMonth(_ reading: Reading, _ words: [LatinWord], _ index: Int) -> Span? {
  let word = words[index]
  let isSure = word.isCapital || !monthsThatAreWords.contains(reading.lower[word.start..<word.end])
  let before = dayBefore(reading, word.start)
  var end = word.end
  if reading.code(end) == 0x2E, word.count <= 4 { end += 1 }
  let isList = before != nil && reading.code(word.start - 2) == 0x2C && dayAfter(reading, end) != nil
  if let before, !isList, isSure || before.isOrdinal {
    return span(reading, before.start, year(reading, after: end) ?? word.end)
  }
  if let day = dayAfter(reading, end) {
    guard isSure || day.isOrdinal else { return nil }
    return span(reading, word.start, year(reading, after: day.end) ?? day.end)
  }
  if isSure, let next = words.dropFirst(index + 1).first, reading.code(word.end) == 0x20, next.start == word.end + 1,
    ordinals.contains(reading.lower[next.start..<next.end])
  {
    return span(reading, word.start, next.end)
  }
  if index > 1, isSure, isWord("of", reading, words[index - 1]),
    ordinals.contains(reading.lower[words[index - 2].start..<words[index - 2].end])
  {
    return span(reading, words[index - 2].start, year(reading, after: end) ?? word.end)
  }
  guard isSure, let end = year(reading, after: end) else { return nil }
  return span(reading, word.start, end)
}

private func isWord(_ text: String, _ reading: Reading, _ word: LatinWord) -> Bool {
  reading.lower[word.start..<word.end].elementsEqual(text.unicodeScalars.map(\.value))
}

/// 3, 3rd or 3rd of, right before the month.
private func dayBefore(_ reading: Reading, _ start: Int) -> (start: Int, isOrdinal: Bool)? {
  var position = start
  if reading.lower.has(" of ", at: position - 4) { position -= 3 }
  while [0x20, 0x2D, 0x2C].contains(reading.code(position - 1)), start - position < 5 { position -= 1 }
  var isOrdinal = false
  if ordinalEnds.contains(where: { reading.lower.has($0, at: position - 2) }) {
    position -= 2
    isOrdinal = true
  }
  var first = position
  while isDigit(reading.code(first - 1)), position - first < 3 { first -= 1 }
  if reading.code(first - 1) == 0x2D, isDigit(reading.code(first - 2)) {  // 3-5 May, but not the end of 1-2-3
    var other = first - 1
    while isDigit(reading.code(other - 1)), first - other < 4 { other -= 1 }
    guard first - 1 - other <= 2, !isWordPart(reading.code(other - 1)), reading.code(other - 1) != 0x2D else { return nil }
    return (other, isOrdinal)
  }
  guard (1...2).contains(position - first), position > 0, (1...31).contains(value(reading, first, position)) else { return nil }
  guard !isWordPart(reading.code(first - 1)), ![0x3A, 0x2F, 0x2E].contains(reading.code(first - 1)) else { return nil }
  return (first, isOrdinal)
}

private let ordinalEnds = ["st", "nd", "rd", "th"].map(units)

private func value(_ reading: Reading, _ start: Int, _ end: Int) -> Int {
  reading.codes[start..<end].reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// 3, 3rd, 3-5, right after the month.
private func dayAfter(_ reading: Reading, _ end: Int) -> (end: Int, isOrdinal: Bool)? {
  var position = end
  while [0x20, 0x2D].contains(reading.code(position)), position - end < 2 { position += 1 }
  if reading.lower.has("the ", at: position) { position += 4 }
  guard var last = dayEnd(reading, position) else { return nil }
  var isOrdinal = false
  if ordinalEnds.contains(where: { reading.lower.has($0, at: last) }), !isAlphabetLetter(reading.code(last + 2)) {
    last += 2
    isOrdinal = true
  }
  guard !isAlphabetLetter(reading.code(last)), !(reading.code(last) == 0x3A && isDigit(reading.code(last + 1))) else {
    return nil
  }
  let joint = reading.code(last) == 0x20 ? last + 1 : last
  if [0x2D, 0x7E].contains(reading.code(joint)) {
    let next = reading.code(joint + 1) == 0x20 ? joint + 2 : joint + 1
    if let other = dayEnd(reading, next), !isAlphabetLetter(reading.code(other)) { last = other }
  }
  return (last, isOrdinal)
}

private func dayEnd(_ reading: Reading, _ start: Int) -> Int? {
  var end = start
  while isDigit(reading.code(end)), end - start < 3 { end += 1 }
  return (1...2).contains(end - start) && (1...31).contains(value(reading, start, end)) ? end : nil
}

/// The end of ", 2026" or " 2026".
private func year(_ reading: Reading, after end: Int) -> Int? {
  var position = end
  while [0x20, 0x2C, 0x2D].contains(reading.code(position)), position - end < 2 { position += 1 }
  guard position > end, position + 4 <= reading.count, reading.codes[position..<position + 4].allSatisfy(isDigit) else {
    return nil
  }
  guard !isDigit(reading.code(position + 4)), !isASCIILetter(reading.code(position + 4)),
    isYear(value(reading, position, position + 4))
  else { return nil }
  return position + 4
}

/// "on the 3rd", where no noun follows.
private func loneDay(_ reading: Reading, _ words: [LatinWord], _ index: Int) -> Span? {
  guard isWord("the", reading, words[index]), index > 0,
    dayPrepositions.contains(reading.lower[words[index - 1].start..<words[index - 1].end])
  else { return nil }
  let start = words[index].end + 1
  guard reading.code(start - 1) == 0x20, let end = dayEnd(reading, start),
    ordinalEnds.contains(where: { reading.lower.has($0, at: end) }),
    !isAlphabetLetter(reading.code(end + 2))
  else { return nil }
  if reading.code(end + 2) == 0x20, isAlphabetLetter(reading.code(end + 3)) {
    guard let next = words[index...].first(where: { $0.start == end + 3 }),
      afterDay.contains(reading.lower[next.start..<next.end])
    else {
      return nil
    }
  }
  return span(reading, start, end + 2)
}

private let dayPrepositions = Words("on by until till since before after from for and to")
private let afterDay = Words("and but at i we he she you they it when because so in after before with for that was is or my to")

private func spelledTime(_ reading: Reading, _ words: [LatinWord], _ index: Int) -> Span? {
  let word = words[index]
  guard numberWords.contains(reading.lower[word.start..<word.end]), reading.code(word.end) == 0x20 else { return nil }
  for end in ["o'clock", "pm", "p.m.", "a.m."].map(units) where reading.lower.has(end, at: word.end + 1) {
    let last = word.end + 1 + end.count
    if !isAlphabetLetter(reading.code(last)) { return span(reading, word.start, last, .time) }
  }
  return nil
}
