/// What of the sent texts decides how an answer is read.
struct SentContext: Sendable {
  /// What stands right after each token in Hangul, as far as it goes.
  private var continuations: [TokenName: Set<[UInt32]>] = [:]
  /// Whether a backtick stands beside a token, so that one in the answer may be the person's.
  private(set) var hasBackticks = false
  /// What of the person's own looks like a token.
  var own: Set<String> = []

  mutating func note(_ name: TokenName, before: Unicode.Scalar?, after rest: ArraySlice<Unicode.Scalar>) {
    if before == "`" || rest.first == "`" { hasBackticks = true }
    continuations[name, default: []].insert(continuation(rest))
  }

  func isOwn(_ continuation: [UInt32], after name: TokenName) -> Bool { continuations[name]?.contains(continuation) ?? false }
}

/// The Hangul at the beginning of `rest`, eight syllables at most; jamo count.
func continuation(_ rest: ArraySlice<Unicode.Scalar>) -> [UInt32] {
  var result: [UInt32] = []
  for scalar in rest {
    guard
      isHangul(scalar.value) || (0x1100...0x11FF).contains(scalar.value) || result.isEmpty && scalar == "(" || scalar == "("
        || scalar == ")",
      result.count < 12
    else { break }
    result.append(scalar.value)
  }
  return result
}

extension Deidentified {
  /// Puts back what the tokens stand for. Tokens that came back changed are put back where what is meant is certain; the particles that
  /// Korean sets after a name are set right where the person had not written them so. What is put in is not looked at again.
  public func restore(_ answer: String) -> Restoration {
    var restorer = Restorer(of: self, scalars: Array(answer.unicodeScalars))
    return restorer.restored()
  }
}

/// One answer on its way back.
private struct Restorer {
  let sent: Deidentified
  let scalars: [Unicode.Scalar]
  private var result: TextBuilder
  private var seen: Set<Thing> = []
  private var repaired: [TokenName] = []
  private var unknown: [String] = []

  private struct Thing: Hashable {
    let kind: TokenKind
    let number: Int
  }

  /// A stretch of the answer that a token takes.
  private struct Place {
    var range: Range<Int>
    let name: TokenName
  }

  init(of sent: Deidentified, scalars: [Unicode.Scalar]) {
    self.sent = sent
    self.scalars = scalars
    result = TextBuilder(capacity: scalars.count * 3)
  }

  mutating func restored() -> Restoration {
    var position = 0
    var places: [Place] = []
    for exact in exactTokens() {
      places += repairs(in: position..<exact.range.lowerBound)
      places.append(exact)
      position = exact.range.upperBound
    }
    places += repairs(in: position..<scalars.count)
    position = 0
    for place in places {
      let range = withoutBackticks(place.range, notBefore: position)
      result.append(scalars[position..<range.lowerBound])
      seen.insert(Thing(kind: place.name.kind, number: place.name.number))
      position = put(place.name, endingAt: range.upperBound)
    }
    result.append(scalars[position...])
    var missing: [Token] = []
    for token in sent.tokens where seen.insert(Thing(kind: token.kind, number: token.number)).inserted { missing.append(token) }
    let changed = Set(repaired)
    return Restoration(
      text: result.text, missing: missing,
      repaired: sent.tokens.filter { changed.contains(TokenName(kind: $0.kind, number: $0.number, variant: $0.variant)) },
      unknown: unknown)
  }

  // MARK: - Finding

  /// Tokens exactly as they were sent.
  private func exactTokens() -> [Place] {
    var places: [Place] = []
    var position = 0
    while position < scalars.count {
      guard scalars[position] == "<" else {
        position += 1
        continue
      }
      guard let (name, end) = exactToken(at: position) else {
        position += 1
        continue
      }
      places.append(Place(range: position..<end, name: name))
      position = end
    }
    return places
  }

  private func exactToken(at start: Int) -> (name: TokenName, end: Int)? {
    var position = start + 1
    func run(_ isPart: (UInt32) -> Bool) -> ArraySlice<Unicode.Scalar> {
      let first = position
      while position < scalars.count, position - first < 9, isPart(scalars[position].value) { position += 1 }
      return scalars[first..<position]
    }
    guard let kind = TokenKind(rawValue: String(String.UnicodeScalarView(run { $0 >= 0x41 && $0 <= 0x5A }))) else { return nil }
    guard position < scalars.count, scalars[position] == "_" else { return nil }
    position += 1
    let digits = run(isDigit)
    let letters = run { $0 >= 0x61 && $0 <= 0x7A }
    guard let first = digits.first, first != "0", letters.first != "a", position < scalars.count, scalars[position] == ">" else {
      return nil
    }
    let number = digits.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
    guard let variant = variant(ofLetters: letters.map(\.value)) else { return nil }
    let name = TokenName(kind: kind, number: number, variant: variant)
    return sent.originals[name] == nil ? nil : (name, position + 1)
  }

  private mutating func repairs(in range: Range<Int>) -> [Place] {
    guard !range.isEmpty else { return [] }
    var places: [Place] = []
    for look in lookAlikes(in: scalars[range]) {
      if let name = certain(look) {
        places.append(Place(range: look.range, name: name))
        repaired.append(name)
      } else {
        let written = Deidentification.text(look.written)
        if !sent.sent.own.contains(written) { unknown.append(written) }
      }
    }
    return places
  }

  private func certain(_ look: LookAlike) -> TokenName? {
    guard let kind = look.kind else { return nil }
    for variant in [look.variant, 0] {
      let name = TokenName(kind: kind, number: look.number, variant: variant)
      if sent.originals[name] != nil { return name }
    }
    return nil
  }

  // MARK: - Putting back

  /// A token that a model set in backticks loses them, if the person has none beside a token.
  private func withoutBackticks(_ range: Range<Int>, notBefore start: Int) -> Range<Int> {
    guard !sent.sent.hasBackticks, range.lowerBound > start, range.upperBound < scalars.count,
      scalars[range.lowerBound - 1] == "`",
      scalars[range.upperBound] == "`"
    else { return range }
    return (range.lowerBound - 1)..<(range.upperBound + 1)
  }

  /// Appends what the token stands for and the particle after it; tells where the answer goes on.
  private mutating func put(_ name: TokenName, endingAt end: Int) -> Int {
    guard let original = sent.originals[name] else { return end }
    result.append(original)
    let following = continuation(scalars[end...])
    guard !following.isEmpty, !sent.sent.isOwn(following, after: name) else { return end }
    let after = end + following.count < scalars.count ? scalars[end + following.count] : nil
    guard let fixed = fittingParticle(following, after: original, before: after) else { return end }
    result.append(fixed)
    return end + following.count
  }
}
