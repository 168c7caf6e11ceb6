extension NumberScanner {
  /// A card: groups of four, or 13 to 19 digits whose check digit is right.
  func card(at first: Int) -> Int? {
    let joints: [Joint] = [.hyphen, .space, .dot]
    if digits.hasShape([4...4, 4...4, 4...4, 4...4], at: first, joinedBy: joints) {
      let next = first + 4
      let hasFifth = next < digits.groups.count && joints.contains(digits.joints[first + 3]) && digits.groups[next].count <= 3
      return hasFifth && passesLuhn(first, next) ? next : first + 3
    }
    if digits.hasShape([4...4, 6...6, 4...5], at: first, joinedBy: joints) { return first + 2 }
    return (13...19).contains(digits.groups[first].count) && passesLuhn(first, first) ? first : nil
  }

  private func passesLuhn(_ first: Int, _ last: Int) -> Bool {
    let all = digits.groups[first...last].flatMap { reading.codes[$0.start..<$0.end] }
    guard (13...19).contains(all.count) else { return false }
    var sum = 0
    for (offset, code) in all.reversed().enumerated() {
      let digit = Int(code - 0x30)
      sum += offset % 2 == 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
    }
    return sum % 10 == 0
  }

  /// 900101-1234567 (also with stars), 11010519491231002X, 123-45-6789, マイナンバー, a passport: the last group and the end.
  func stateNumber(at first: Int) -> (last: Int, end: Int)? {
    let group = digits.groups[first]
    if group.count == 6, isBirth(group.start), let found = korean(first) { return found }
    if group.count == 13, isBirth(group.start), (0x30...0x39).contains(reading.code(group.start + 6)), !digits.isAmount(first) {
      return (first, group.end)
    }
    if group.count == 17 || group.count == 18, isYear(digits.number(group.start + 6, group.start + 10)),
      isValidDay(digits.number(group.start + 10, group.start + 12), digits.number(group.start + 12, group.start + 14))
    {
      return (first, group.count == 17 && reading.code(group.end) | 0x20 == 0x78 ? group.end + 1 : group.end)
    }
    if digits.hasShape([3...3, 2...2, 4...4], at: first, joinedBy: [.hyphen, .space]) {
      return (first + 2, digits.groups[first + 2].end)
    }
    if stateMarks.isNear(group.start, in: reading) {
      if digits.hasShape([4...4, 4...4, 4...4], at: first, joinedBy: [.hyphen, .space]) {
        return (first + 2, digits.groups[first + 2].end)
      }
      if (6...14).contains(group.count) { return (first, group.end) }
    }
    return isPassport(group) ? (first, group.end) : plate(first)
  }

  private func korean(_ first: Int) -> (last: Int, end: Int)? {
    let end = digits.groups[first].end
    var position = end
    while [0x20, 0x2D].contains(reading.code(position)), position < end + 3 { position += 1 }
    guard position > end, (0x31...0x38).contains(reading.code(position)) else { return nil }
    var last = position + 1
    while last < position + 7, isDigit(reading.code(last)) || [0x2A, 0x78, 0x58, 0x25CF, 0x25CB].contains(reading.code(last)) {
      last += 1
    }
    guard last == position + 7, !isDigit(reading.code(last)) else { return nil }
    return (first, last)
  }

  private func isBirth(_ start: Int) -> Bool {
    isValidDay(digits.number(start + 2, start + 4), digits.number(start + 4, start + 6))
  }

  /// M12345678, TK1234567.
  private func isPassport(_ group: DigitGroup) -> Bool {
    var letters = 0
    while isUpper(reading.code(group.start - 1 - letters)), letters < 3 { letters += 1 }
    let before = reading.code(group.start - 1 - letters)
    guard !isAlphabetLetter(before), !isDigit(before) else { return false }
    return letters == 1 && (8...9).contains(group.count) || letters == 2 && (7...8).contains(group.count)
  }

  /// 12가 3456
  private func plate(_ first: Int) -> (last: Int, end: Int)? {
    guard (2...3).contains(digits.groups[first].count), first + 1 < digits.groups.count else { return nil }
    let end = digits.groups[first].end
    let next = digits.groups[first + 1]
    guard next.count == 4, isHangul(reading.code(end)), plateLetters.contains(reading.code(end)) else { return nil }
    guard next.start == end + 1 || next.start == end + 2 && reading.code(end + 1) == 0x20 else { return nil }
    return (first + 1, next.end)
  }

  /// Bank accounts, and any number so long that it can only be somebody's.
  func account(at first: Int) -> Int? {
    let group = digits.groups[first]
    if let last = hyphened(first) { return last }
    if group.count >= 9 { return digits.isAmount(first) && group.count < 13 ? nil : first }
    guard hasBankWord(before: first) else { return nil }
    var last = first
    var total = group.count
    while last + 1 < digits.groups.count, [.space, .hyphen].contains(digits.joints[last]),
      total + digits.groups[last + 1].count <= 18,
      digits.groups[last + 1].count >= 2
    {
      last += 1
      total += digits.groups[last].count
    }
    return total >= 6 && !digits.isAmount(last) ? last : nil
  }

  private func hyphened(_ first: Int) -> Int? {
    var last = first
    while last + 1 < digits.groups.count, last - first < 6, digits.joints[last] == .hyphen,
      digits.groups[last + 1].start == digits.groups[last].end + 1
    {
      last += 1
    }
    let total = digits.digits(first, last)
    return last > first && (last - first >= 2 ? 9 : 10) <= total && total <= 24 ? last : nil
  }

  func hasBankWord(before index: Int) -> Bool { bankMarks.isNear(digits.groups[index].start, in: reading) }
}

let bankWords = Labels(
  """
  은행 계좌 통장 입금 송금 국민 신한 우리은 하나은 농협 기업은 카카오뱅크 카뱅 토스 케이뱅크 수협 새마을금고 우체국 예금주 비밀번호 口座 銀行 普通 振込 支店 暗証 账号 账户 帐号 卡号 银行 开户 尾号
  account acct a/c routing sort_code iban bank pin_is pin: pin_code
  """)

let stateWords = Labels(
  """
  주민 여권 면허 외국인등록 マイナンバー 個人番号 旅券 パスポート 免許 保険証 身份证 护照 社保 ssn social_security passport license_no licence_no
  national_insurance medicare
  """)

private let plateLetters = Characters("가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자배하허호")

/// IBAN: two letters, two digits, and up to thirty letters and digits in groups.
func scanIBANs(_ reading: Reading) -> [Span] {
  var spans: [Span] = []
  var position = 0
  let codes = reading.codes
  while position + 15 <= codes.count {
    defer { position += 1 }
    guard isUpper(codes[position]), isUpper(codes[position + 1]), isDigit(codes[position + 2]), isDigit(codes[position + 3]),
      !isWordPart(reading.code(position - 1))
    else { continue }
    var end = position + 4
    var count = 4
    while count < 34 {
      let at = reading.code(end) == 0x20 ? end + 1 : end
      guard isDigit(reading.code(at)) || isUpper(reading.code(at)) && reading.code(at) < 0x80 else { break }
      end = at + 1
      count += 1
    }
    guard count >= 15, codes[position..<end].count(where: isDigit) >= 8 else { continue }
    spans.append(
      Span(start: position, end: end, kind: .account, thing: .written(reading.lower[position..<end].filter { $0 != 0x20 })))
    position = end - 1
  }
  return spans
}
