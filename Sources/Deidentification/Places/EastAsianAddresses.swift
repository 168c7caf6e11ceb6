// Addresses of Korea, Japan and China: from their number back over what is written before it.

func scanEastAsianAddresses(_ reading: Reading) -> [Span] {
  var spans: [Span] = []
  var position = 0
  while position < reading.count {
    let code = reading.codes[position]
    var found: Span?
    switch code {
    case 0x3012: found = japanesePostalCode(reading, position)
    case 0xC6B0: found = koreanPostalCode(reading, position)
    case 0x30...0x39 where !isDigit(reading.code(position - 1)):
      found = koreanAddress(reading, position) ?? koreanFlat(reading, position) ?? hanAddress(reading, position)
    case _ where isHanNumeral(code) && isHan(reading.code(position - 1)) && !isHanNumeral(reading.code(position - 1)):
      found = hanAddress(reading, position)
    default: break
    }
    if let found {
      spans.append(found)
      position = max(found.end, position + 1)
    } else {
      position += 1
    }
  }
  return spans
}

private func span(_ reading: Reading, _ start: Int, _ end: Int) -> Span {
  Span(
    start: start, end: end, kind: .address, thing: .written(reading.lower[start..<end].filter { isWordPart($0) || $0 == 0x2D }))
}

private func digitsEnd(_ reading: Reading, _ start: Int) -> Int {
  var end = start
  while isDigit(reading.code(end)) { end += 1 }
  return end
}

/// The end of 12-3-4, of which the first number stands at `start`.
private func numbersEnd(_ reading: Reading, _ start: Int) -> Int {
  var end = digitsEnd(reading, start)
  while reading.code(end) == 0x2D, isDigit(reading.code(end + 1)) { end = digitsEnd(reading, end + 1) }
  return end
}

// MARK: - Korea

/// 서울시 강남구 테헤란로 12, 역삼동 123-4, with 3동 201호 after it.
private func koreanAddress(_ reading: Reading, _ number: Int) -> Span? {
  var start = number
  var words: [UInt32] = []  // the last syllables of the words before, from the right
  var at = number
  while words.count < 7 {
    let end = reading.code(at - 1) == 0x20 ? at - 1 : reading.code(at - 1) == 0x2C && !words.isEmpty ? at - 1 : at
    var from = end
    while from > 0, end - from < 16, isHangul(reading.codes[from - 1]) || isDigit(reading.codes[from - 1]) && from < end {
      from -= 1
    }
    guard end > from, isHangul(reading.code(end - 1)), isPartOfAddress(reading, from, end, isFirst: words.isEmpty) else { break }
    words.append(reading.codes[end - 1])
    start = from
    at = from
  }
  guard let last = words.first, isKoreanAddress(words, last, reading, number) else { return nil }
  return span(reading, start, koreanAddressEnd(reading, number))
}

private func isPartOfAddress(_ reading: Reading, _ start: Int, _ end: Int, isFirst: Bool) -> Bool {
  let word = reading.codes[start..<end]
  if isFirst {
    return end - start >= 2 && (roadEnds.contains(word.last ?? 0) || villageEnds.contains(word.last ?? 0))
      && !adverbs.contains(word)
  }
  return koreanRegions.contains(word) || end - start >= 2 && regionEnds.contains(word.last ?? 0) && !adverbs.contains(word)
}

private func isKoreanAddress(_ words: [UInt32], _ last: UInt32, _ reading: Reading, _ number: Int) -> Bool {
  if words.count > 1 { return true }
  // A road alone, with what only a road's number has: 강남대로 123길 4, 세종로 1-1번지.
  guard reading.code(number - 1) == 0x20 || isHangul(reading.code(number - 1)) else { return false }
  let end = numbersEnd(reading, number)
  if reading.codes.has("번지", at: end) || reading.codes.has("번길", at: end) { return true }
  let isLong =
    isHangul(reading.code(number - 4))
    && (reading.code(number - 1) != 0x20 || isHangul(reading.code(number - 5)) || last == 0xB3D9)
  let isLot = end - digitsEnd(reading, number) > 1
  return isLong && (reading.code(end) == 0xAE38 || isLot)
}

private func koreanAddressEnd(_ reading: Reading, _ number: Int) -> Int {
  var end = numbersEnd(reading, number)
  while true {
    var at = end
    let unit = koreanUnits.length(in: reading, at: at)
    if unit > 0, !isHangul(reading.code(at + unit)) || isParticleStart(reading.code(at + unit)) {
      end = at + unit
      continue
    }
    while [0x20, 0x2C].contains(reading.code(at)), at - end < 2 { at += 1 }
    let numbers = numbersEnd(reading, at)
    guard at > end, numbers > at, koreanUnits.length(in: reading, at: numbers) > 0, reading.code(numbers) != 0xBC88 else {
      return end
    }
    end = numbers
  }
}

private func isParticleStart(_ code: UInt32) -> Bool { isOne(code, of: "에으로의은는이가을를와과도까부인입라") }

private let koreanUnits = Labels("번지 번길 길 동 호 층 호실 통 반")
private let roadEnds = Characters("로길")
private let villageEnds = Characters("동리가")
private let regionEnds = Characters("시도구군읍면동리로길")
private let koreanRegions = Words(
  """
  서울 부산 대구 인천 광주 대전 울산 세종 경기 강원 충북 충남 전북 전남 경북 경남 제주 서울시 서울특별시 부산광역시 세종특별자치시 제주도 제주특별자치도 경기도 강원도 강원특별자치도 전북특별자치도 충청북도
  충청남도 전라북도 전라남도 경상북도 경상남도
  """)
private let adverbs = Words(
  """
  바로 서로 새로 따로 그대로 이대로 제대로 마음대로 멋대로 반대로 차례대로 약속대로 실제로 진짜로 억지로 함부로 스스로 홀로 별로 절대로 대체로 때로 도로 평소대로 뜻대로 주로 으로 회의로 그날로 그거로 앞으로
  뒤로 위로 아래로 밖으로 안으로 옆으로 집으로 처음으로 마지막으로 정말로 그래도 아마도 너무도 아직도 지금도 나도 너도 오늘도 어제도 정도 시도 다시 역시 혹시 잠시 하지만 구두로 전화로 문자로 카톡으로 하면
  보면 그러면 아니면 되면 이면 가면 오면 동시 즉시 필시 감동 행동 활동 운동 이동 노동 공동 충동 소동 변동 자동 진동 작동 협동 출동 우리 빨리 멀리 소리 정리 거리 머리 다리 자리 둘이 그리 이리 저리
  일부러리 관리 처리 수리 요리 유리 무리 진리 심리 권리 승리 분리 누가 내가 네가 제가 우리가 친구가 엄마가 아빠가
  """)

/// 3동 201호
private func koreanFlat(_ reading: Reading, _ number: Int) -> Span? {
  var at = digitsEnd(reading, number)
  guard at - number <= 4, reading.code(at) == 0xB3D9 else { return nil }
  at += 1
  if reading.code(at) == 0x20 { at += 1 }
  let end = digitsEnd(reading, at)
  guard end > at, end - at <= 4, reading.code(end) == 0xD638 else { return nil }
  return span(reading, number, end + 1)
}

private func koreanPostalCode(_ reading: Reading, _ start: Int) -> Span? {
  guard reading.codes.has("우편번호", at: start) else { return nil }
  var at = start + 4
  while [0x20, 0x3A, 0xB294].contains(reading.code(at)), at - start < 8 { at += 1 }
  let end = digitsEnd(reading, at)
  return (5...6).contains(end - at) ? span(reading, at, end) : nil
}

// MARK: - Japan and China

private func japanesePostalCode(_ reading: Reading, _ mark: Int) -> Span? {
  let start = reading.code(mark + 1) == 0x20 ? mark + 2 : mark + 1
  let end = numbersEnd(reading, start)
  return end - start >= 7 ? span(reading, mark, end) : nil
}

/// 東京都渋谷区神南1-2-3, 北京市朝阳区建国路12号, 3号楼2单元501室.
private func hanAddress(_ reading: Reading, _ number: Int) -> Span? {
  let end = hanAddressEnd(reading, number)
  guard let end else { return nil }
  var start = number
  while start > 0, number - start < 40, isAddressCharacter(reading, start - 1) { start -= 1 }
  let before = reading.codes[start..<number]
  if before.isEmpty { return isFlat(reading, number, end) ? span(reading, number, end) : nil }
  guard before.contains(where: placeMarks.contains) || isFlat(reading, number, end) else { return nil }
  return span(reading, start, end)
}

private func isAddressCharacter(_ reading: Reading, _ position: Int) -> Bool {
  let code = reading.codes[position]
  if code == 0x306E || code == 0x30F6 || code == 0x30B1 || code == 0x30CE {
    return isHan(reading.code(position - 1)) && (isHan(reading.code(position + 1)) || isDigit(reading.code(position + 1)))
  }
  if isDigit(code) || code == 0x2D { return true }
  if code == 0x20 { return isHan(reading.code(position - 1)) && placeMarks.contains(reading.code(position - 1)) }
  return (isHan(code) || isKatakana(code)) && !beforeAddress.contains(code)
}

private let placeMarks = Characters("都道府県市区町村丁省县縣镇鎮路街巷弄")
private let beforeAddress = Characters("在住到去于是的我你您他她它们了来從从往回和跟不也就把给对说想要会很被")

/// The end of what follows the place: 1-2-3, 1丁目2番3号, 12号3楼501室; nil where the number is none of an address.
private func hanAddressEnd(_ reading: Reading, _ number: Int) -> Int? {
  var position = number
  var count = 0
  var end: Int?
  while count < 12 {
    var next = position
    while isDigit(reading.code(next)) || isHanNumeral(reading.code(next)) { next += 1 }
    if next == position, isASCIILetter(reading.code(next)), end != nil { next += 1 }
    guard next > position else { break }
    let unit = hanUnits.length(in: reading, at: next)
    if unit > 0 {
      position = next + unit
      end = position
    } else if end != nil || reading.code(next) == 0x2D && isDigit(reading.code(next + 1)) {
      if reading.code(next) == 0x2D { position = next + 1 } else { return next }
      if !isDigit(reading.code(position)) { return next }
      end = next
    } else {
      break
    }
    if reading.code(position) == 0x2D || reading.code(position) == 0x20 && isDigit(reading.code(position + 1)) { position += 1 }
    count += 1
  }
  return end
}

private let hanUnits = Labels("丁目 番地 番 号室 号楼 号院 号 號 楼 栋 幢 单元 室 弄 巷 階 层")

/// 3号楼2单元501室, 2栋301: a flat without its street.
private func isFlat(_ reading: Reading, _ start: Int, _ end: Int) -> Bool {
  let text = reading.codes[start..<end]
  let marks = text.count { isOne($0, of: "楼栋幢元室院") }
  return marks >= 2 || marks == 1 && text.contains { $0 == 0x53F7 } && text.contains { $0 == 0x5BA4 }
}
