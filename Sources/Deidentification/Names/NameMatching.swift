extension KnownNames {
  /// Every place where a known name stands, the longest at each position.
  func spans(in reading: Reading) -> [Span] {
    guard !patterns.isEmpty else { return [] }
    var spans: [Span] = []
    for position in 0..<reading.count {
      guard let candidates = patterns[reading.lower[position]] else { continue }
      var best: Span?
      for pattern in candidates {
        guard let end = end(of: pattern, in: reading, at: position), stands(pattern, reading, position, end) else { continue }
        let start = startWithSurname(pattern, reading, position)
        if end - start > best?.length ?? 0 {
          best = Span(start: start, end: end, kind: pattern.kind, thing: .known(pattern.thing), isListed: true)
        }
      }
      if let best { spans.append(best) }
    }
    return spans
  }

  private func end(of pattern: Pattern, in reading: Reading, at start: Int) -> Int? {
    var position = start
    for (index, code) in pattern.codes.enumerated() {
      if position >= reading.count || reading.lower[position] != code {
        guard pattern.gaps[index], position > start, isGap(reading.code(position)) else { return nil }
        position += 1
        if reading.code(position) == 0x20, reading.code(position - 1) == 0x2E { position += 1 }
        guard position < reading.count, reading.lower[position] == code else { return nil }
      }
      position += 1
    }
    return position
  }

  /// What may stand between the words of a name: also the signs of P!nk, Ke$ha, A&B, a+b and a/b, which would
  /// otherwise stay beside a part of it.
  private func isGap(_ code: UInt32) -> Bool {
    [0x20, 0x2D, 0x2E, 0x27, 0xB7, 0x30FB, 0x5F, 0x0A, 0x21, 0x24, 0x26, 0x2B, 0x2F].contains(code)
  }

  private func stands(_ pattern: Pattern, _ reading: Reading, _ start: Int, _ end: Int) -> Bool {
    let before = reading.code(start - 1)
    let after = reading.code(end)
    switch pattern.place {
    case .anywhere: return true
    case .hangul: return !isHangul(before) && isAfterKoreanName(reading, end) || hasSurname(reading, start)
    case .calledHangul: return (!isHangul(before) || hasSurname(reading, start)) && isCalled(reading, start, end)
    case .han:
      return !(isHan(before) && isHan(after)) || isBeforeTitle(reading, end)
        || japanesePrefixes.contains { reading.codes.has($0, at: start - $0.count) }
    case .titledHan:
      return !isHan(before) && (isBeforeTitle(reading, end) || !isHan(after) && !isHan(before) && pattern.codes.count > 1)
    case .kana: return standsAsKana(pattern, reading, start, end)
    case .word(let needsCapital): return standsAsWord(reading, start, end, needsCapital: needsCapital)
    }
  }

  // MARK: - Hangul

  /// 김민수 where only 민수 is listed.
  private func startWithSurname(_ pattern: Pattern, _ reading: Reading, _ start: Int) -> Int {
    guard pattern.kind == .person, pattern.codes.allSatisfy(isHangul), pattern.codes.count == 2 else { return start }
    return hasSurname(reading, start) ? start - 1 : start
  }

  private func hasSurname(_ reading: Reading, _ start: Int) -> Bool {
    koreanSurnames.contains(reading.code(start - 1)) && !isHangul(reading.code(start - 2))
  }

  private func hangulAfter(_ reading: Reading, _ position: Int) -> ArraySlice<UInt32> {
    var end = position
    while isHangul(reading.code(end)), end - position < 8 { end += 1 }
    return reading.codes[min(position, reading.count)..<min(end, reading.count)]
  }

  private func isAfterKoreanName(_ reading: Reading, _ end: Int) -> Bool {
    let rest = hangulAfter(reading, end)
    if rest.isEmpty || koreanAfterName.contains(rest) { return true }
    return (1...3).contains { length in
      rest.count > length && koreanAfterName.contains(rest.prefix(length)) && rest.first != 0xC774
        || rest.starts(with: [0xC774, 0xD55C, 0xD14C])
    }
  }

  /// 훈아, 훈이가, 훈 씨: a name of one syllable, or one that is a word, when only a name is so spoken of.
  private func isCalled(_ reading: Reading, _ start: Int, _ end: Int) -> Bool {
    let rest = hangulAfter(reading, end)
    let hasFinal = isHangul(reading.code(end - 1)) && (reading.code(end - 1) - 0xAC00) % 28 != 0
    if hasSurname(reading, start), end - start > 1 { return rest.isEmpty || koreanAfterName.contains(rest) }
    if rest.isEmpty { return reading.codes.has(" 씨", at: end) || end - start == reading.count }
    if rest.count == 1 { return rest.first == (hasFinal ? 0xC544 : 0xC57C) || rest.first == 0xC528 }
    if hasFinal, rest.first == 0xC774 { return koreanAfterName.contains(rest) }
    return ["한테", "에게", "씨", "께"].contains { rest.starts(with: units($0)) }
      || rest.count <= 3 && koreanTitles.stands(in: reading, at: end)
  }

  // MARK: - Han and kana

  private func isBeforeTitle(_ reading: Reading, _ end: Int) -> Bool {
    let at = reading.code(end) == 0x20 ? end + 1 : end
    return japaneseHonorifics.length(in: reading, at: at) > 0 || japaneseTitles.length(in: reading, at: at) > 0
      || chineseTitles.length(in: reading, at: at) > 0
  }

  private func standsAsKana(_ pattern: Pattern, _ reading: Reading, _ start: Int, _ end: Int) -> Bool {
    let before = reading.code(start - 1)
    let after = reading.code(end)
    if isKatakana(pattern.codes[0]) { return !isKatakana(before) && !isKatakana(after) }
    if isBeforeTitle(reading, end) { return !isHiragana(before) || isOne(before, of: "はがをにとものへやかでねよ") }
    return (!isHiragana(before) || isOne(before, of: "はがをもへ"))
      && (!isHiragana(after) || isOne(after, of: "はがをにともへよ") || reading.codes.has("の", at: end))
  }

  // MARK: - Words

  private func standsAsWord(_ reading: Reading, _ start: Int, _ end: Int, needsCapital: Bool) -> Bool {
    let before = reading.code(start - 1)
    let after = reading.code(end)
    let isCamel = !isUpper(before) && isUpper(reading.codes[start])
    guard !isAlphabetLetter(before) || isCamel && isAlphabetLetter(before) else { return false }
    guard !isAlphabetLetter(after) || isUpper(after) && !isUpper(reading.codes[end - 1]) else { return false }
    // grace_kim, grace92: no words of a sentence.
    guard needsCapital, ![before, after].contains(where: { $0 == 0x5F || isDigit($0) }) else { return true }
    guard isUpper(reading.codes[start]) else { return false }
    return !isWordInstead(reading, start, end)
  }

  /// "Will you", "May I", "Mark the": at a sentence's beginning, with what follows the word and not the name.
  private func isWordInstead(_ reading: Reading, _ start: Int, _ end: Int) -> Bool {
    guard wordsThatMayBeListed.contains(reading.lower[start..<end]), reading.code(end) == 0x20 else { return false }
    var position = start - 1
    while [0x20, 0x22, 0x27, 0x201C].contains(reading.code(position)) { position -= 1 }
    guard position < 0 || [0x2E, 0x21, 0x3F, 0x0A, 0x3A, 0x2026].contains(reading.code(position)) else {
      // May 3 is a day.
      return reading.lower[start..<end].elementsEqual(units("may")) && isDigit(reading.code(end + 1))
    }
    var last = end + 1
    while isASCIILetter(reading.code(last)) { last += 1 }
    return afterWords.contains(reading.lower[(end + 1)..<max(last, end + 1)]) || isDigit(reading.code(end + 1))
  }
}

private let afterWords = Words(
  "you i we they he she it the a an this that these those my your our his her their there be not all never to of")

// MARK: - The addressee

/// The name in the line that addresses the other, or nil where it only says what the other is: mom, 여보, お母さん.
func nameInAddress(_ text: String) -> String? {
  let reading = Reading(text)
  let words = reading.lower.split { !isWordPart($0) }.map(Array.init)
  let names = words.compactMap(nameInAddress)
  return names.isEmpty
    ? nil : names.map { String(String.UnicodeScalarView($0.compactMap(Unicode.Scalar.init))) }.joined(separator: " ")
}

private func nameInAddress(_ word: [UInt32]) -> [UInt32]? {
  if word.allSatisfy(isHangul) {
    var core = word
    for ending in ["에게", "께", "한테", "님께"].map(units)
    where core.count > ending.count && core.suffix(ending.count).elementsEqual(ending) {
      core.removeLast(ending.count)
      break
    }
    if core.count >= 3, let last = core.last,
      last == 0xC544 && (core[core.count - 2] - 0xAC00) % 28 != 0 || last == 0xC57C && (core[core.count - 2] - 0xAC00) % 28 == 0
    {
      core.removeLast()
    }
    let plain = core.last == 0xB2D8 ? Array(core.dropLast()) : core
    let isKin = koreanKin.contains(core) || koreanKin.contains(plain) || koreanAddressWords.contains(core)
    return isKin || koreanTitles.contains(plain) ? nil : core
  }
  if word.allSatisfy({ isHan($0) || isKana($0) }) {
    var core = word
    if core.last == 0x3078, core.count > 1 { core.removeLast() }
    guard !hanKin.contains(core), !hanAddressWords.contains(core) else { return nil }
    core.removeLast(japaneseHonorifics.endingLength(of: core))
    let bare = core.first == 0x304A ? Array(core.dropFirst()) : core
    return hanKin.contains(core) || hanKin.contains(bare) || japaneseNoNames.contains(core) || japaneseNoKanaNames.contains(core)
      ? nil : core
  }
  if word.allSatisfy(isAlphabetLetter), englishKin.contains(word[...]) || englishTitles.contains(word[...]) { return nil }
  return word.contains(where: { isAlphabetLetter($0) || isHangul($0) || isHan($0) || isKana($0) }) ? word : nil
}

private let koreanAddressWords = ShortWords(
  "사랑하는 나의 내 우리 소중한 친애하는 존경하는 보고싶은 고마운 미안한 그리운 사랑 자기 내편 베프 절친 짝꿍 동기 팀 여러분 우리집 막내 첫째 둘째 큰딸 작은딸 큰아들 작은아들 의")
private let hanAddressWords = ShortWords("大切な 親愛なる 大好きな 愛する 私の 僕の 我的 致 给 尊敬的 敬爱的 最爱的 あなた みんな")
