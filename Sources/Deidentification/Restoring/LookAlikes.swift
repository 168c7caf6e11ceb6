/// Something that looks like a token, in whatever shape.
struct LookAlike {
  /// Where it stands, brackets and what escapes them included.
  let range: Range<Int>
  let written: ArraySlice<Unicode.Scalar>
  /// The kind that its word means; nil for a word of no kind.
  let kind: TokenKind?
  let number: Int
  let variant: Int
}

/// Everything in a text that looks like a token, from left to right: `<PERSON_1>`, `＜person 1＞`, `&lt;PERSON_1&gt;`, `PERSON\_1`,
/// `《人物_1》`. Brackets may be missing only around one of our own words with its underscore.
func lookAlikes(in scalars: ArraySlice<Unicode.Scalar>) -> [LookAlike] {
  var found: [LookAlike] = []
  var position = scalars.startIndex
  while position < scalars.endIndex {
    let code = folded(scalars[position])
    let look: LookAlike? =
      if isOpening(scalars, position) != nil {
        bracketed(scalars, position)
      } else if canBegin(code), position == scalars.startIndex || !isWordPart(folded(scalars[position - 1])) {
        bare(scalars, position)
      } else { nil }
    if let look {
      found.append(look)
      position = look.range.upperBound
    } else {
      position += 1
    }
  }
  return found
}

private func canBegin(_ code: UInt32) -> Bool { isASCIILetter(code) }

/// Full-width forms narrowed, letters small.
private func folded(_ scalar: Unicode.Scalar) -> UInt32 {
  let code = (0xFF01...0xFF5E).contains(scalar.value) ? scalar.value - 0xFEE0 : scalar.value
  return code >= 0x41 && code <= 0x5A ? code | 0x20 : code
}

private let entities: [(opening: [UInt32], closing: [UInt32])] = [
  (units("&lt;"), units("&gt;")), (units("&#60;"), units("&#62;")), (units("\\<"), units("\\>")),
  (units("&amp;lt;"), units("&amp;gt;")),
  (units("\\["), units("\\]")),
]
private let openings: [UInt32: UInt32] = [
  0x3C: 0x3E, 0x3008: 0x3009, 0x300A: 0x300B, 0x27E8: 0x27E9, 0x2329: 0x232A, 0x2039: 0x203A, 0xAB: 0xBB, 0x5B: 0x5D, 0x7B: 0x7D,
  0x3010: 0x3011, 0xFE64: 0xFE65,
]

private func has(_ word: [UInt32], _ scalars: ArraySlice<Unicode.Scalar>, _ position: Int) -> Bool {
  guard position + word.count <= scalars.endIndex else { return false }
  for (offset, code) in word.enumerated() where folded(scalars[position + offset]) != code { return false }
  return true
}

/// How many scalars an opening bracket at `position` takes.
private func isOpening(_ scalars: ArraySlice<Unicode.Scalar>, _ position: Int) -> Int? {
  let code = folded(scalars[position])
  if isASCIILetter(code) || isHangul(code) || isHan(code) || code <= 0x20 { return nil }
  if code == 0x26 || code == 0x5C { return entities.first { has($0.opening, scalars, position) }?.opening.count }
  return openings[code] == nil ? nil : 1
}

private func closing(_ scalars: ArraySlice<Unicode.Scalar>, _ position: Int) -> Int? {
  guard position < scalars.endIndex else { return nil }
  let code = folded(scalars[position])
  if code == 0x26 || code == 0x5C { return entities.first { has($0.closing, scalars, position) }?.closing.count }
  return openings.values.contains(code) ? 1 : nil
}

private func skippingSpaces(_ scalars: ArraySlice<Unicode.Scalar>, _ position: Int) -> Int {
  var end = position
  while end < scalars.endIndex, end - position < 3, scalars[end] == " " || scalars[end] == "\u{3000}" || scalars[end] == "\u{A0}"
  { end += 1 }
  return end
}

private func bracketed(_ scalars: ArraySlice<Unicode.Scalar>, _ start: Int) -> LookAlike? {
  guard let opening = isOpening(scalars, start) else { return nil }
  var position = skippingSpaces(scalars, start + opening)
  if position < scalars.endIndex, scalars[position] == "/" { position += 1 }
  guard let inner = inner(scalars, position) else { return nil }
  let end = skippingSpaces(scalars, inner.end)
  if let closing = closing(scalars, end) { return inner.look(scalars, start..<(end + closing)) }
  // The closing bracket is missing: only our own words are certain.
  return inner.isOurs ? inner.look(scalars, start..<inner.end) : nil
}

private func bare(_ scalars: ArraySlice<Unicode.Scalar>, _ start: Int) -> LookAlike? {
  guard let inner = inner(scalars, start), inner.isOurs else { return nil }
  if let closing = closing(scalars, inner.end), folded(scalars[inner.end]) == 0x3E || closing > 1 {
    return inner.look(scalars, start..<(inner.end + closing))
  }
  return inner.look(scalars, start..<inner.end)
}

/// What stands between the brackets.
private struct Inner {
  let kind: TokenKind?
  let number: Int
  let variant: Int
  let end: Int
  /// One of our own words with an underscore, which nothing else is written like.
  let isOurs: Bool

  func look(_ scalars: ArraySlice<Unicode.Scalar>, _ range: Range<Int>) -> LookAlike {
    LookAlike(range: range, written: scalars[range], kind: kind, number: number, variant: variant)
  }
}

private func inner(_ scalars: ArraySlice<Unicode.Scalar>, _ start: Int) -> Inner? {
  var position = start
  var word: [UInt32] = []
  while position < scalars.endIndex, word.count < 20, isKindLetter(folded(scalars[position])) {
    word.append(folded(scalars[position]))
    position += 1
  }
  guard !word.isEmpty else { return nil }
  let wordEnd = position
  var joints: [UInt32] = []
  while position < scalars.endIndex, position - wordEnd < 4,
    [0x5F, 0x5C, 0x20, 0x2D, 0x3A, 0x23].contains(folded(scalars[position]))
  {
    joints.append(folded(scalars[position]))
    position += 1
  }
  let digits = position
  var number = 0
  while position < scalars.endIndex, isDigit(folded(scalars[position])), position - digits < 9 {
    number = number * 10 + Int(folded(scalars[position]) - 0x30)
    position += 1
  }
  guard position > digits, number > 0, position == scalars.endIndex || !isDigit(folded(scalars[position])) else { return nil }
  let letters = position
  while position < scalars.endIndex, isASCIILetter(folded(scalars[position])), position - letters < 4 { position += 1 }
  guard position == scalars.endIndex || !isASCIILetter(folded(scalars[position])) else { return nil }
  let named = kind(of: word)
  let isOurs =
    joints.contains(0x5F) && TokenKind.allCases.contains { $0.rawValue.lowercased().unicodeScalars.map(\.value) == word }
  return Inner(
    kind: named, number: number, variant: variant(ofLetters: scalars[letters..<position].map(folded)) ?? 0, end: position,
    isOurs: isOurs)
}

private func isKindLetter(_ code: UInt32) -> Bool { isAlphabetLetter(code) || isHangul(code) || isHan(code) || isKana(code) }

/// The kind that a word means in whatever language an answer is likely to be.
private func kind(of word: [UInt32]) -> TokenKind? { kindWords[word] }

private let kindWords: [[UInt32]: TokenKind] = {
  let lists: [(TokenKind, String)] = [
    (.person, "person people name persona personne nome nombre nom 사람 인물 이름 성명 人物 人 人名 名前 姓名 名字 氏名 個人 个人 ひと パーソン 퍼슨"),
    (.date, "date fecha datum data 날짜 일자 日付 日期 日にち 日 デート 데이트"),
    (.time, "time hora heure zeit 시간 시각 時間 时间 時刻 时刻 タイム 타임"),
    (.place, "place location lugar lieu ort 장소 곳 위치 지명 場所 地点 地方 地名 プレイス 플레이스"),
    (.phone, "phone telephone tel telefono telefon 전화 전화번호 연락처 電話 電話番号 电话 电话号码 手机 手机号 フォン 폰"),
    (.email, "email mail correo 이메일 메일 メール メールアドレス 邮箱 邮件 电子邮件 电子邮箱"),
    (.address, "address direccion adresse 주소 住所 地址 アドレス"),
    (.account, "account cuenta compte konto 계좌 계좌번호 계정 口座 口座番号 账号 账户 帐号 アカウント"),
    (.card, "card tarjeta carte karte 카드 카드번호 カード 卡 卡号"),
    (.url, "url link enlace 링크 주소링크 リンク 链接 网址"),
    (.id, "id identifier 아이디 신분증 식별자 番号 证件 身份证 ユーザー 编号"),
  ]
  var words: [[UInt32]: TokenKind] = [:]
  for (kind, list) in lists { for word in list.split(separator: " ") { words[word.unicodeScalars.map(\.value)] = kind } }
  return words
}()
