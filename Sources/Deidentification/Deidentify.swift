/// Masks the texts of one letter together, so that one thing is one token in all of them. Takes a time that grows with the texts alone:
/// well under a millisecond for a letter.
public func deidentify(_ texts: [String], listed: Listed = Listed()) -> Deidentified {
  let readings = texts.map(Reading.init)
  var names = KnownNames(listed)
  var spans = readings.map(scanned)
  let isJapanese = readings.contains { $0.codes.contains(where: isKana) }
  let found = readings.map { reading in
    let listed = names.spans(in: reading)
    return namesByPattern(in: reading, isJapanese: isJapanese).filter { name in !holdsTwo(of: listed, name) }
  }
  // The longest first: 健太 alone is 佐藤健太 then.
  let learned = zip(readings, found).flatMap { reading, found in found.map { (reading, $0) } }
  for (reading, name) in learned.sorted(by: { $0.1.end - $0.1.start > $1.1.end - $1.1.start }) { names.learn(name, in: reading) }
  for (index, reading) in readings.enumerated() {
    spans[index] += found[index].map { name in
      let written = reading.lower[name.start..<name.end].filter(isWordPart)
      return Span(
        start: name.start, end: name.end, kind: .person, thing: names.thing(written).map(Thing.known) ?? .written(written))
    }
  }
  for (index, reading) in readings.enumerated() {
    spans[index] = selected(spans[index] + names.spans(in: reading), in: reading)
  }
  return Masking(readings: readings, spans: spans).deidentified()
}

/// Whether what was taken for one name are two of the list.
private func holdsTwo(of listed: [Span], _ name: FoundName) -> Bool {
  var low = 0
  var high = listed.count
  while low < high {
    let middle = (low + high) / 2
    if listed[middle].start < name.start { low = middle + 1 } else { high = middle }
  }
  return low + 1 < listed.count && listed[low].end < listed[low + 1].start + 1 && listed[low + 1].end <= name.end
}

/// Everything that is no name.
private func scanned(_ reading: Reading) -> [Span] {
  let words = latinWords(reading)
  // A number inside of one of these is no number of its own.
  let whole = scanWeb(reading) + scanIBANs(reading) + scanCodes(reading)
  return whole + NumberScanner.spans(in: reading, outside: whole) + scanEastAsianDates(reading)
    + scanEnglishDates(reading, words) + scanEastAsianAddresses(reading) + scanEnglishAddresses(reading, words)
}

private func namesByPattern(in reading: Reading, isJapanese: Bool) -> [FoundName] {
  var found = KoreanNames.found(in: reading) + EnglishNames.found(in: reading, latinWords(reading))
  guard reading.codes.contains(where: isHan) || isJapanese else { return found }
  if isJapanese { found += JapaneseNames.found(in: reading) }
  if !reading.codes.contains(where: isKana) { found += ChineseNames.found(in: reading) }
  return found
}

/// Gives the things their numbers and cuts the texts.
private struct Masking {
  let readings: [Reading]
  let spans: [[Span]]
  private var numbers: [NumberedThing: Int] = [:]
  private var nextNumber: [TokenKind: Int] = [:]
  private var variants: [TokenKind: [Int: [String]]] = [:]
  private var counts: [TokenName: Int] = [:]
  private var order: [TokenName] = []
  private var originals: [TokenName: String] = [:]
  private var taken: Set<Int> = []

  private struct NumberedThing: Hashable {
    let kind: TokenKind
    let thing: Thing
  }

  init(readings: [Reading], spans: [[Span]]) {
    self.readings = readings
    self.spans = spans
  }

  consuming func deidentified() -> Deidentified {
    let own = lookAlikesOfTheirOwn()
    taken = Set(own.map(\.number))
    var parts: [String] = []
    var sent = SentContext()
    for (reading, spans) in zip(readings, spans) {
      var part = TextBuilder(capacity: reading.scalars.count * 3 + spans.count * 12)
      var position = 0
      for span in spans {
        let range = reading.range(span.start, span.end)
        let name = self.name(of: span, written: text(reading.scalars[range]))
        part.append(reading.scalars[position..<range.lowerBound])
        part.append(Token(name, occurrences: 0).text)
        sent.note(name, before: reading.scalars[..<range.lowerBound].last, after: reading.scalars[range.upperBound...])
        position = range.upperBound
      }
      part.append(reading.scalars[position...])
      parts.append(part.text)
    }
    sent.own = Set(own.map { text($0.written) })
    return Deidentified(
      parts: parts, tokens: order.map { Token($0, occurrences: counts[$0] ?? 0) }, originals: originals, sent: sent)
  }

  /// What looks like a token already, in a whole text or between two tokens: none of its numbers is given out.
  private func lookAlikesOfTheirOwn() -> [LookAlike] {
    var found: [LookAlike] = []
    for (reading, spans) in zip(readings, spans) {
      found += lookAlikes(in: reading.scalars[...])
      var position = 0
      for span in spans {
        let range = reading.range(span.start, span.end)
        found += lookAlikes(in: reading.scalars[position..<range.lowerBound])
        position = range.upperBound
      }
      if position > 0 { found += lookAlikes(in: reading.scalars[position...]) }
    }
    return found
  }

  private mutating func name(of span: Span, written: String) -> TokenName {
    let thing = NumberedThing(kind: span.kind, thing: span.thing)
    let number = numbers[thing] ?? unusedNumber(span.kind)
    numbers[thing] = number
    var known = variants[span.kind]?[number] ?? []
    let variant = known.firstIndex { $0.unicodeScalars.elementsEqual(written.unicodeScalars) } ?? known.count
    if variant == known.count {
      known.append(written)
      variants[span.kind, default: [:]][number] = known
    }
    let name = TokenName(kind: span.kind, number: number, variant: variant)
    if counts[name] == nil { order.append(name) }
    counts[name, default: 0] += 1
    originals[name] = written
    return name
  }

  private mutating func unusedNumber(_ kind: TokenKind) -> Int {
    var number = (nextNumber[kind] ?? 0) + 1
    while taken.contains(number) { number += 1 }
    nextNumber[kind] = number
    return number
  }
}

extension Token {
  init(_ name: TokenName, occurrences: Int) {
    self.init(kind: name.kind, number: name.number, variant: name.variant, occurrences: occurrences)
  }
}
