// Korean names that no list has. A name is believed where its syllables are those of names and what follows is what follows names.

struct KoreanNames {
  let reading: Reading
  private(set) var found: [FoundName] = []

  static func found(in reading: Reading) -> [FoundName] {
    var scanner = KoreanNames(reading: reading)
    var position = 0
    while position < reading.count {
      guard isHangul(reading.codes[position]), !isHangul(reading.code(position - 1)) else {
        position += 1
        continue
      }
      var end = position + 1
      while end < reading.count, isHangul(reading.codes[end]) { end += 1 }
      scanner.look(position, end)
      position = end
    }
    return scanner.found
  }

  /// A run of syllables between two spaces or marks.
  private mutating func look(_ start: Int, _ end: Int) {
    if let name = softened(start, end) ?? fullName(start, end) ?? givenName(start, end) ?? surnameWithTitle(start, end)
      ?? apart(start, end)
    {
      found.append(name)
    }
  }

  private func slice(_ start: Int, _ end: Int) -> ArraySlice<UInt32> { reading.codes[start..<end] }

  // MARK: - Full names

  private func fullName(_ start: Int, _ end: Int) -> FoundName? {
    for (surname, given) in [(2, 2), (1, 2), (2, 1)] where start + surname + given <= end {
      guard surname == 1 ? koreanSurnames.contains(reading.codes[start]) : longKoreanSurnames.contains(slice(start, start + 2))
      else { continue }
      let last = start + surname + given
      if isFullName(start, surname, last, end) {
        return FoundName(start: start, end: last, learned: .korean(surname: surname))
      }
    }
    guard end - start >= 2, commonKoreanSurnames.contains(reading.codes[start]),
      koreanNameSyllables.contains(reading.codes[start + 1])
    else { return nil }
    // 김훈 씨: so short that only this tells.
    guard follows(mister, start + 2, end), !koreanNoNames.contains(slice(start, start + 2)) else { return nil }
    return FoundName(start: start, end: start + 2, learned: nil)
  }

  private func isFullName(_ start: Int, _ surname: Int, _ last: Int, _ end: Int) -> Bool {
    if koreanNoNames.contains(slice(start, end)) || koreanNoNames.contains(slice(start, last)) { return false }
    let given = slice(start + surname, last)
    let isNamed = given.count == 2 && (koreanGivenNames.contains(given) || koreanWordNames.contains(given))
    let isLikely = given.allSatisfy(koreanNameSyllables.contains)
    guard isNamed || isLikely else { return false }
    let hasTitle = hasTitle(last, end)
    let isWordFirst = surname == 1 && koreanNoNames.contains(slice(start, start + 2))
    if isNamed, !isWordFirst || hasTitle, last == end || koreanAfterName.contains(slice(last, end)) || isLongSuffix(last, end) {
      return true
    }
    guard surname == 2 || commonKoreanSurnames.contains(reading.codes[start]), !isWordFirst else { return false }
    return hasTitle || hasNameSuffix(last, end) || isCommonForm(start, surname, last, end)
  }

  /// 박도율은: no name of the list, but a surname that most bear, syllables that begin and end most given names, and a particle.
  private func isCommonForm(_ start: Int, _ surname: Int, _ last: Int, _ end: Int) -> Bool {
    guard surname == 2 || plainSurnames.contains(reading.codes[start]), last - start - surname == 2, last < end else {
      return false
    }
    guard koreanFirstSyllables.contains(reading.codes[last - 2]), koreanLastSyllables.contains(reading.codes[last - 1]) else {
      return false
    }
    let given = slice(last - 2, last)
    guard !koreanNoNames.contains(given), !koreanWordNames.contains(slice(start, start + 2)) else { return false }
    return afterCommonForm.contains(slice(last, end))
  }

  // MARK: - Given names

  /// 서연이 is 서연, and not one 서 연이.
  private func softened(_ start: Int, _ end: Int) -> FoundName? {
    guard end - start >= 3, reading.codes[start + 2] == 0xC774, koreanGivenNames.contains(slice(start, start + 2)) else {
      return nil
    }
    guard !koreanWordNames.contains(slice(start, start + 2)), !koreanGivenNames.contains(slice(start + 1, start + 3)) else {
      return nil
    }
    return givenName(start, end)
  }

  private func givenName(_ start: Int, _ end: Int) -> FoundName? {
    guard end - start >= 2 else { return nil }
    let last = start + 2
    let given = slice(start, last)
    let isName = koreanGivenNames.contains(given)
    let isWord = koreanWordNames.contains(given)
    let name = FoundName(start: start, end: last, learned: .korean(surname: 0))
    if isName && !isWord, last == end || koreanAfterName.contains(slice(last, end)) || isLongSuffix(last, end) { return name }
    if isName || isWord, hasTitle(last, end) || hasNameSuffix(last, end) { return name }
    guard given.allSatisfy(koreanNameSyllables.contains), !koreanNoNames.contains(given), !koreanKin.contains(given) else {
      return nil
    }
    if follows(mister, last, end), last < end || reading.code(end) == 0x20 { return name }
    guard follows(relationBefore: start) else { return nil }
    let isCommon = !isWord && koreanFirstSyllables.contains(given[start]) && koreanLastSyllables.contains(given[start + 1])
    guard hasNameSuffix(last, end) || isCommon && last < end && afterCommonForm.contains(slice(last, end)) else { return nil }
    return name
  }

  private func follows(relationBefore start: Int) -> Bool {
    guard reading.code(start - 1) == 0x20 else { return false }
    return koreanRelations.contains {
      reading.codes.has($0, at: start - 1 - $0.count) && !isHangul(reading.code(start - 2 - $0.count))
    }
  }

  // MARK: - What follows

  /// Whether one of the words follows, with or without a space, and is not the beginning of a longer one.
  private func follows(_ words: Labels, _ last: Int, _ end: Int) -> Bool {
    words.stands(in: reading, at: last == end && reading.code(end) == 0x20 ? end + 1 : last, where: isEnd)
  }

  /// Whether a word may end here: no syllable follows, or a particle does.
  private func isEnd(_ position: Int) -> Bool {
    guard isHangul(reading.code(position)) else { return true }
    var end = position
    while end < reading.count, isHangul(reading.codes[end]), end - position < 8 { end += 1 }
    let rest = slice(position, end)
    return koreanAfterName.contains(rest) || isLongSuffix(position, end)
      || rest.first == 0xB2D8 && (rest.count == 1 || koreanAfterName.contains(rest.dropFirst()))
      || rest.first == 0xB4E4
  }

  private func hasTitle(_ last: Int, _ end: Int) -> Bool {
    follows(koreanTitles, last, end) || follows(koreanNameTitles, last, end)
  }

  /// 한테…, 에게…, 이랑…, 이네…: what goes on after a particle.
  private func isLongSuffix(_ last: Int, _ end: Int) -> Bool {
    guard end - last >= 2, end - last <= 8 else { return false }
    return longSuffixes.stands(in: reading, at: last)
  }

  /// What only follows names: 씨, 한테, 이가 after a final, a vocative.
  private func hasNameSuffix(_ last: Int, _ end: Int) -> Bool {
    guard last < end else { return false }
    let rest = slice(last, end)
    let hasFinal = (reading.codes[last - 1] - 0xAC00) % 28 != 0
    if rest.count == 1 {
      let isCall = hasFinal ? rest.first == 0xC544 : rest.first == 0xC57C
      return isCall && isCallEnd(end)
    }
    if hasFinal, rest.first == 0xC774, nameTails.contains(rest.dropFirst()) { return true }
    return personParticles.contains(rest)
  }

  private func isCallEnd(_ end: Int) -> Bool { [0x2C, 0x21, 0x7E, 0x2026, 0x3F, 0].contains(reading.code(end)) }

  // MARK: - Surnames

  /// 김 부장님, 박대리, 이 씨.
  private func surnameWithTitle(_ start: Int, _ end: Int) -> FoundName? {
    let isLong = end - start >= 2 && longKoreanSurnames.contains(slice(start, start + 2))
    let last = start + (isLong ? 2 : 1)
    guard isLong || koreanSurnames.contains(reading.codes[start]) else { return nil }
    let isApart = last == end
    if !isLong, surnamesThatAreWords.contains(reading.codes[start]) {
      guard follows(clearKoreanTitles, last, end), isApart || reading.codes[start] != 0xBD80 else {
        return nil
      }
    } else if !isLong, !commonKoreanSurnames.contains(reading.codes[start]) {
      return nil
    }
    guard !koreanNoNames.contains(slice(start, end)) || isApart else { return nil }
    let titles = isApart ? koreanTitles : attachedTitles
    guard follows(titles, last, end) else { return nil }
    return FoundName(start: start, end: last, learned: nil)
  }

  /// 김 민수: surname and name apart.
  private func apart(_ start: Int, _ end: Int) -> FoundName? {
    guard end - start == 1, koreanSurnames.contains(reading.codes[start]), reading.code(end) == 0x20 else { return nil }
    let next = end + 1
    var nextEnd = next
    while nextEnd < reading.count, isHangul(reading.codes[nextEnd]), nextEnd - next < 8 { nextEnd += 1 }
    guard nextEnd - next >= 2, koreanGivenNames.contains(slice(next, next + 2)),
      commonKoreanSurnames.contains(reading.codes[start])
    else { return nil }
    guard nextEnd == next + 2 || koreanAfterName.contains(slice(next + 2, nextEnd)) || isLongSuffix(next + 2, nextEnd) else {
      return nil
    }
    guard !surnamesThatAreWords.contains(reading.codes[start]) else { return nil }
    return FoundName(start: start, end: next + 2, learned: .korean(surname: 1))
  }
}

private let plainSurnames = Characters("김이박최정강조윤장임한오서권황송류홍")
private let afterCommonForm = ShortWords("가 는 은 를 을 와 과 랑 이랑 도 의 이가 이는 이를 이도 한테 에게 하고 만 처럼 보다 때문")
private let longSuffixes = Labels("한테 에게 이한테 이랑 이네 하고 씨 님 이가 이는 네집 네랑 께서 이라 때문 이야")
private let mister = Labels("씨")
private let nameTails = ShortWords("가 는 를 도 한테 네 에게 만 의 와 하고 처럼 보다 한테도 한테는 네가 말고 가요 는요")
private let personParticles = ShortWords("한테 한테서 한테도 한테는 에게 에게서 에게도 에게는 께 께서 씨 씨가 씨는 씨를 씨랑 씨한테 씨도 씨의 쌤 쌤이 쌤은 군이 군은 양이 양은 이네 네집")
private let attachedTitles = Labels(
  "부장 과장 차장 대리 팀장 사장 대표 상무 전무 회장 원장 실장 주임 교수 선생 쌤 박사 변호사 간호사 여사 서방 씨 감독 코치 목사 선배 후배 이사")
