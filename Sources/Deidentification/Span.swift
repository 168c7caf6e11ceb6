/// What a span stands for: the same thing gets the same number.
enum Thing: Hashable {
  /// A person or place of the list, or one learned.
  case known(Int)
  /// Whatever is written like this.
  case written([UInt32])
}

/// A stretch of units that is to be masked.
struct Span {
  var start: Int
  var end: Int
  let kind: TokenKind
  var thing: Thing
  /// What the person listed comes before what was guessed, where both are as long.
  var isListed = false

  var length: Int { end - start }
}

/// The spans that are masked: the longest first, none over another. One that sticks out of a longer one is cut to what sticks out, so
/// that no fragment of it stays.
func selected(_ candidates: [Span], in reading: Reading) -> [Span] {
  var taken = [Bool](repeating: false, count: reading.count)
  var result: [Span] = []
  let ordered = candidates.sorted { one, other in
    if one.length != other.length { return one.length > other.length }
    if one.isListed != other.isListed { return one.isListed }
    if one.start != other.start { return one.start < other.start }
    return one.kind.rank < other.kind.rank
  }
  for candidate in ordered {
    guard let span = withoutTaken(candidate, taken, in: reading) else { continue }
    for position in span.start..<span.end { taken[position] = true }
    result.append(span)
  }
  return result.sorted { $0.start < $1.start }
}

private func withoutTaken(_ candidate: Span, _ taken: [Bool], in reading: Reading) -> Span? {
  guard taken[candidate.start] || taken[candidate.end - 1] else { return candidate }
  guard !(taken[candidate.start] && taken[candidate.end - 1]) else { return nil }
  var span = candidate
  while span.start < span.end, taken[span.start] || !isWordPart(reading.codes[span.start]) { span.start += 1 }
  while span.end > span.start, taken[span.end - 1] || !isWordPart(reading.codes[span.end - 1]) { span.end -= 1 }
  guard span.length > 0 else { return nil }
  // The unit that is left of a day or an hour tells nothing.
  if span.kind == .date || span.kind == .time, !reading.codes[span.start..<span.end].contains(where: isDigit) { return nil }
  span.thing = .written(Array(reading.lower[span.start..<span.end]))
  return span
}
