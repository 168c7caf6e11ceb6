// Dates and times with 년월일시분, 年月日時分, 点: digits or Han numerals.

func scanEastAsianDates(_ reading: Reading) -> [Span] {
  var spans: [Span] = []
  var position = 0
  while position < reading.count {
    let code = reading.codes[position]
    let before = reading.code(position - 1)
    let begins = isDigit(code) && !isDigit(before) || isHanNumeral(code) && !isHanNumeral(before) || isEra(code)
    guard begins, let span = date(reading, position) ?? time(reading, position) else {
      position += 1
      continue
    }
    spans.append(span)
    position = span.end
  }
  return spans + koreanSpelledTimes(reading)
}

private func isEra(_ code: UInt32) -> Bool { code == 0x4EE4 || code == 0x5E73 || code == 0x662D || code == 0x5927 }

private let eras = ["令和", "平成", "昭和", "大正"].map(units)

// MARK: - Numbers

/// A number with where it ends.
private struct Numeral {
  let value: Int
  let end: Int
  let isSpelled: Bool
}

func isHanNumeral(_ code: UInt32) -> Bool {
  hanDigits.contains { $0 == code } || code == 0x5341 || code == 0x5EFF || code == 0x4E24
}

private let hanDigits = Array("〇一二三四五六七八九".unicodeScalars.map(\.value))

private func numeral(_ reading: Reading, _ position: Int) -> Numeral? {
  var end = position
  if isDigit(reading.code(position)) {
    while isDigit(reading.code(end)) { end += 1 }
    guard end - position <= 4 else { return nil }
    return Numeral(value: reading.codes[position..<end].reduce(0) { $0 * 10 + Int($1 - 0x30) }, end: end, isSpelled: false)
  }
  while isHanNumeral(reading.code(end)) { end += 1 }
  guard end > position, end - position <= 4 else { return nil }
  return hanValue(reading.codes[position..<end]).map { Numeral(value: $0, end: end, isSpelled: true) }
}

/// 十二, 二十四, 二〇二六
private func hanValue(_ codes: ArraySlice<UInt32>) -> Int? {
  func digit(_ code: UInt32) -> Int? { code == 0x4E24 ? 2 : hanDigits.firstIndex(of: code) }
  if let ten = codes.firstIndex(where: { $0 == 0x5341 || $0 == 0x5EFF }) {
    let tens = codes[ten] == 0x5EFF ? 2 : ten == codes.startIndex ? 1 : digit(codes[codes.startIndex])
    let ones = ten + 1 == codes.endIndex ? 0 : digit(codes[ten + 1])
    guard let tens, let ones, ten - codes.startIndex <= 1, codes.endIndex - ten <= 2 else { return nil }
    return tens * 10 + ones
  }
  return codes.reduce(Int?.some(0)) { sum, code in sum.flatMap { sum in digit(code).map { sum * 10 + $0 } } }
}

private func skippingSpace(_ reading: Reading, _ position: Int) -> Int {
  reading.code(position) == 0x20 ? position + 1 : position
}

// MARK: - Dates

private enum DateUnit { case year, month, day }

private func dateUnit(_ code: UInt32) -> DateUnit? {
  switch code {
  case 0xB144, 0x5E74: .year
  case 0xC6D4, 0x6708: .month
  case 0xC77C, 0x65E5, 0x53F7, 0x865F: .day
  default: nil
  }
}

/// What of a date has been read.
private struct DateParts {
  var year: Int?
  var month: Int?
  var day: Int?
  var dayIsSpelled = false
  var end: Int
}

private func date(_ reading: Reading, _ start: Int) -> Span? {
  var parts = DateParts(end: start)
  let era = reading.codes.longest(of: eras, at: start)
  var position = start + era
  if era > 0, reading.code(position) == 0x5143, reading.code(position + 1) == 0x5E74 {
    parts.year = 1
    position += 2
    parts.end = position
  }
  while let number = numeral(reading, position) {
    let unitAt = skippingSpace(reading, number.end)
    if let unit = dateUnit(reading.code(unitAt)), fits(unit, number, in: &parts) {
      position = unitAt + 1
      parts.end = position
      if unit == .day { break }
      position = skippingSpace(reading, position)
    } else if parts.month != nil, let end = dayRange(reading, number) {
      parts.day = number.value
      parts.end = end
      break
    } else {
      break
    }
  }
  guard parts.end > start, isDate(parts, reading, start, hasEra: era > 0) else { return nil }
  return Span(
    start: start, end: parts.end, kind: .date, thing: .written(reading.codes[start..<parts.end].filter { $0 != 0x20 }))
}

private func fits(_ unit: DateUnit, _ number: Numeral, in parts: inout DateParts) -> Bool {
  switch unit {
  case .year:
    guard parts.year == nil, parts.month == nil else { return false }
    parts.year = number.value
  case .month:
    guard parts.month == nil, (1...12).contains(number.value) else { return false }
    parts.month = number.value
  case .day:
    guard (1...31).contains(number.value) else { return false }
    parts.day = number.value
    parts.dayIsSpelled = number.isSpelled
  }
  return true
}

/// The end of 3~5일 after a month.
private func dayRange(_ reading: Reading, _ first: Numeral) -> Int? {
  let joint = skippingSpace(reading, first.end)
  guard [0x7E, 0x2D, 0x2C, 0xB7, 0x3001, 0x30FB, 0xFF5E].contains(reading.code(joint)) else { return nil }
  guard let second = numeral(reading, skippingSpace(reading, joint + 1)), (1...31).contains(first.value) else { return nil }
  let unitAt = skippingSpace(reading, second.end)
  return dateUnit(reading.code(unitAt)) == .day ? unitAt + 1 : nil
}

private func isDate(_ parts: DateParts, _ reading: Reading, _ start: Int, hasEra: Bool) -> Bool {
  let next = reading.code(parts.end)
  if parts.month != nil, parts.day != nil || parts.year != nil { return true }
  if parts.year != nil, parts.month == nil {
    return hasEra || parts.day == nil && (next == 0xC0DD || next == 0x751F)  // born in
  }
  guard parts.month == nil, parts.day != nil, !parts.dayIsSpelled else { return false }
  return isLoneDay(reading, parts.end) && !lastDays.contains { reading.codes.has($0, at: start - $0.count) }
}

private let lastDays = unitLists("최근_ 지난_ 앞으로_ 약_ 단_ 총_ 直近 過去 最近 この 约 丸 第 満")

/// Whether 3일, 3日 or 3号 is a day and not three of them, or the third of a row.
private func isLoneDay(_ reading: Reading, _ end: Int) -> Bool {
  let unit = reading.code(end - 1)
  let at = skippingSpace(reading, end)
  let next = reading.code(at)
  switch unit {
  case 0xC77C: return koreanAfterDay.contains(next)
  case 0x65E5: return !japaneseDurations.contains(next)
  default: return !chineseNumbers.contains(next) && !isASCIILetter(next)
  }
}

/// What makes a day of it: 에 날 부터 까지 밤 저녁 아침 오전 오후 새벽 낮, a weekday, a bracket.
private let koreanAfterDay = Characters("에날부까밤저아오새낮월화수목금토일(")
private let japaneseDurations = Characters("間目前後ぶ中連以も本分続坊程ほくずだ")
private let chineseNumbers = Characters("楼线门院店机桌房车路馆厅厂床人口码室铺库仓公")

// MARK: - Times

private func time(_ reading: Reading, _ start: Int) -> Span? {
  guard let hour = numeral(reading, start), (0...30).contains(hour.value) else { return nil }
  let unitAt = skippingSpace(reading, hour.end)
  let unit = reading.code(unitAt)
  guard unit == 0xC2DC || unit == 0x6642 || unit == 0x65F6 || unit == 0x70B9 || unit == 0x9EDE else { return nil }
  var end = unitAt + 1
  let hasMinutes = minutes(reading, &end, isChinese: unit == 0x70B9 || unit == 0x9EDE)
  let marker = marker(reading, before: start)
  guard hasMinutes || isHour(reading, hour, unit, end, hasMarker: marker != nil) else { return nil }
  let from = marker?.isPart == true ? marker?.start ?? start : start
  return Span(start: from, end: end, kind: .time, thing: .written(reading.codes[from..<end].filter { $0 != 0x20 }))
}

/// Reads 반, 30분, 半, 二十分, 整, 钟, 一刻.
private func minutes(_ reading: Reading, _ end: inout Int, isChinese: Bool) -> Bool {
  var at = skippingSpace(reading, end)
  let code = reading.code(at)
  if code == 0x534A || code == 0x6574 || code == 0x949F || code == 0xBC18 && !isHangul(reading.code(at + 1))
    || code == 0xBC18 && [0xC5D0, 0xBD80, 0xAE4C, 0xCBE4, 0xC774].contains(reading.code(at + 1))
  {
    end = at + 1
    return true
  }
  if reading.codes.has("多钟", at: at) { return true }
  guard let number = numeral(reading, at), (0...59).contains(number.value) else { return false }
  at = skippingSpace(reading, number.end)
  if [0xBD84, 0x5206, 0x523B].contains(reading.code(at)) {
    end = at + 1
    return true
  }
  guard isChinese, at == number.end, number.end - end == 2 else { return false }
  end = number.end
  return true
}

private func isHour(_ reading: Reading, _ hour: Numeral, _ unit: UInt32, _ end: Int, hasMarker: Bool) -> Bool {
  let next = reading.code(end)
  switch unit {
  case 0xC2DC: return isAfterKoreanHour(reading, end)
  case 0x6642: return !isOne(next, of: "間代期点折計給限")
  case 0x65F6: return hasMarker && next != 0x95F4 && next != 0x5019
  default:
    // 五点到 is when he came; 两点 are two things.
    let isEvent = hour.value >= 2 && isOne(next, of: "到来走前后见起出回开")
    return hasMarker || !chineseCounted.contains(next) && (!hour.isSpelled || hour.value >= 10 || isEvent)
  }
}

private let chineseCounted = Characters("建要意希心头赞评击儿事钱原理五零一二三四六七八九半体数不没都也好")

/// Whether what follows 시 lets it be an hour: nothing, or a particle; not 시간.
private func isAfterKoreanHour(_ reading: Reading, _ end: Int) -> Bool {
  let next = reading.code(end)
  return !isHangul(next) || koreanAfterHour.contains(next)
}

private let koreanAfterHour = Characters("에까부쯤경가는를이도로정전밖의만엔면라인였넘되반즈")

/// A word for the half of the day, which belongs to the time, or for its part, which only makes it one.
private func marker(_ reading: Reading, before start: Int) -> (start: Int, isPart: Bool)? {
  let end = reading.code(start - 1) == 0x20 ? start - 1 : start
  guard end >= 1 else { return nil }
  for marker in noonMarkers where reading.lower.has(marker, at: end - marker.count) { return (end - marker.count, true) }
  for part in partsOfDay where reading.codes.has(part, at: end - part.count) { return (end - part.count, false) }
  return nil
}

private let partsOfDay = unitLists("새벽 아침 저녁 밤 낮 朝 夜 夕方 深夜 早上 中午 傍晚 晚上 夜里 半夜 凌晨 今晚 昨晚 每晚 明早 今早 明晚 下班 清晨 早晨")

/// 세 시, 열두시 반.
private func koreanSpelledTimes(_ reading: Reading) -> [Span] {
  var spans: [Span] = []
  for position in reading.codes.indices where reading.codes[position] == 0xC2DC {
    let before = reading.code(position - 1) == 0x20 ? position - 1 : position
    var length = 0
    for hour in koreanHours where hour.count > length && reading.codes.has(hour, at: before - hour.count) { length = hour.count }
    let start = before - length
    guard length > 0, !isHangul(reading.code(start - 1)) || marker(reading, before: start)?.isPart == true else { continue }
    var end = position + 1
    let hasMinutes = minutes(reading, &end, isChinese: false)
    guard hasMinutes || isAfterKoreanHour(reading, end), !isDigit(reading.code(start - 1)) else { continue }
    let marker = marker(reading, before: start)
    let from = marker?.isPart == true ? marker?.start ?? start : start
    spans.append(Span(start: from, end: end, kind: .time, thing: .written(reading.codes[from..<end].filter { $0 != 0x20 })))
  }
  return spans
}

private let koreanHours = unitLists("한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두")
