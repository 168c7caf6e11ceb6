// E-mail addresses, links and names on networks.

func scanWeb(_ reading: Reading) -> [Span] {
  var spans: [Span] = []
  var position = 0
  var free = 0
  while position < reading.count {
    var found: Span?
    switch reading.codes[position] {
    case 0x40: found = email(reading, position, notBefore: free) ?? handle(reading, position)
    case 0x3A: found = linkWithScheme(reading, position, notBefore: free)
    case 0x2E: found = bareLink(reading, position, notBefore: free)
    default: found = networkName(reading, position)
    }
    if let found {
      spans.append(found)
      free = found.end
      position = max(position + 1, found.end)
    } else {
      position += 1
    }
  }
  return spans
}

private func isLocal(_ code: UInt32) -> Bool {
  isASCIILetter(code) || isDigit(code) || [0x2E, 0x5F, 0x25, 0x2B, 0x2D].contains(code) || isAlphabetLetter(code)
}

private func isHost(_ code: UInt32) -> Bool { isASCIILetter(code) || isDigit(code) || code == 0x2D || code == 0x2E }

private func email(_ reading: Reading, _ at: Int, notBefore free: Int) -> Span? {
  var start = at
  while start > free,
    isLocal(reading.codes[start - 1]) || isHangul(reading.codes[start - 1]) && isLocal(reading.code(start)) && start < at
  {
    if isHangul(reading.codes[start - 1]) { break }
    start -= 1
  }
  while start < at, [0x2E, 0x2D].contains(reading.codes[start]) { start += 1 }
  // A local part in Hangul or Han: 민수@naver.com
  if start == at { while start > free, isHangul(reading.codes[start - 1]) || isHan(reading.codes[start - 1]) { start -= 1 } }
  var end = at + 1
  while isHost(reading.code(end)) { end += 1 }
  while end > at + 1, [0x2E, 0x2D].contains(reading.codes[end - 1]) { end -= 1 }
  guard start < at, let dot = reading.codes[at..<end].lastIndex(of: 0x2E), end - dot > 2,
    reading.codes[(dot + 1)..<end].allSatisfy(isASCIILetter)
  else { return nil }
  return span(reading, start, end, .email)
}

private func span(_ reading: Reading, _ start: Int, _ end: Int, _ kind: TokenKind) -> Span {
  Span(start: start, end: end, kind: kind, thing: .written(Array(reading.lower[start..<end])))
}

/// @name
private func handle(_ reading: Reading, _ at: Int) -> Span? {
  guard
    !isWordPart(reading.code(at - 1)) || isHangul(reading.code(at - 1)) || isHan(reading.code(at - 1))
      || isKana(reading.code(at - 1))
  else {
    return nil
  }
  var end = at + 1
  while isASCIILetter(reading.code(end)) || isDigit(reading.code(end)) || [0x2E, 0x5F].contains(reading.code(end)) { end += 1 }
  while end > at + 1, reading.codes[end - 1] == 0x2E { end -= 1 }
  return end - at > 2 ? span(reading, at, end, .id) : nil
}

private func isLink(_ code: UInt32) -> Bool {
  code > 0x20 && code < 0x7F && ![0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D].contains(code)
}

private func linkEnd(_ reading: Reading, from start: Int) -> Int {
  var end = start
  while true {
    while isLink(reading.code(end)) { end += 1 }
    // Letters of other scripts belong to it where it goes on after them: /김민수?x=1; else they are particles.
    var after = end
    while after < reading.count, after - end < 40, isWordPart(reading.codes[after]) { after += 1 }
    guard after > end, after - end < 40, isOne(reading.code(after), of: "/?=&%#_-") else { break }
    end = after
  }
  while end > start, [0x2E, 0x2C, 0x21, 0x3F, 0x29, 0x27, 0x3A, 0x3B, 0x7E, 0x2A, 0x5D].contains(reading.codes[end - 1]) {
    end -= 1
  }
  return end
}

private func linkWithScheme(_ reading: Reading, _ colon: Int, notBefore free: Int) -> Span? {
  guard reading.code(colon + 1) == 0x2F, reading.code(colon + 2) == 0x2F else { return nil }
  var start = colon
  while start > free, colon - start < 16, isASCIILetter(reading.codes[start - 1]) { start -= 1 }
  guard start < colon else { return nil }
  let end = linkEnd(reading, from: colon + 3)
  return end > colon + 3 ? span(reading, start, end, .url) : nil
}

/// www.…, naver.com, open.kakao.com/o/abc
private func bareLink(_ reading: Reading, _ dot: Int, notBefore free: Int) -> Span? {
  guard isASCIILetter(reading.code(dot + 1)), isHost(reading.code(dot - 1)), reading.code(dot - 1) != 0x2E else { return nil }
  var start = dot
  while start > free, dot - start < 64, isHost(reading.codes[start - 1]) { start -= 1 }
  var end = dot
  while isHost(reading.code(end)), end - dot < 128 { end += 1 }
  while end > dot, [0x2E, 0x2D].contains(reading.codes[end - 1]) { end -= 1 }
  guard let last = reading.codes[dot..<end].lastIndex(of: 0x2E) else { return nil }
  let top = reading.lower[(last + 1)..<end]
  let hasPath = reading.code(end) == 0x2F && isLink(reading.code(end + 1))
  let isLinkLike = commonTops.contains(top) || hasPath && tops.contains(top) || reading.lower.has("www.", at: start)
  guard isLinkLike, start < dot else { return nil }
  return span(reading, start, hasPath ? linkEnd(reading, from: end) : end, .url)
}

private let commonTops = Words("com net org kr jp cn io")
private let tops = Words("com net org kr jp cn io me app dev co info tv gg ly be us uk edu gov link page site xyz de fr in to im")

/// 카톡 아이디 minsu92, LINE ID: abc, 微信号 wx_12
private func networkName(_ reading: Reading, _ at: Int) -> Span? {
  let label = networks.length(in: reading, at: at)
  guard label > 0, !isASCIILetter(reading.codes[at]) || !isWordPart(reading.code(at - 1)) else { return nil }
  var position = at + label
  var saysName = nameLabels.contains { reading.lower.has($0, at: at + label - $0.count) }
  guard !isASCIILetter(reading.code(position)) || !isASCIILetter(reading.codes[at]) else { return nil }
  let limit = position + 12
  while position < limit {
    let idWord = reading.lower.longest(of: nameLabels, at: position)
    if idWord > 0, !isASCIILetter(reading.code(position + idWord)) {
      saysName = true
      position += idWord
    } else if reading.code(position) == 0x20 || between.contains(reading.code(position)) {
      if reading.code(position) == 0x3A { saysName = true }
      position += 1
    } else {
      break
    }
  }
  var end = position
  while isASCIILetter(reading.code(end)) || isDigit(reading.code(end)) || [0x2E, 0x5F, 0x2D].contains(reading.code(end)) {
    end += 1
  }
  while end > position, [0x2E, 0x2D].contains(reading.codes[end - 1]) { end -= 1 }
  guard saysName && end - position >= 3 || isAccount(reading, at, position, end) else { return nil }
  return span(reading, position, end, .id)
}

/// 카톡 sampark99: right after a network's name, letters with a digit or a line among them; in QQ digits alone.
private func isAccount(_ reading: Reading, _ label: Int, _ start: Int, _ end: Int) -> Bool {
  guard end - start >= 4, !reading.lower.has("line", at: label) else { return false }
  let written = reading.lower[start..<end]
  let isNumber = written.allSatisfy(isDigit)
  if isNumber { return reading.lower.has("qq", at: label) && (5...11).contains(end - start) }
  return isASCIILetter(reading.lower[start]) && written.contains { isDigit($0) || $0 == 0x5F }
    && written.contains(where: isASCIILetter)
}

private let networks = Labels(
  """
  카톡 카카오톡 라인 인스타 인스타그램 디스코드 텔레그램 line instagram insta telegram snapchat discord kakaotalk kakao wechat 微信 微信号 qq qq号 微博
  抖音 小红书 インスタ ライン アイディー 아이디 user_name username
  """)
private let nameLabels = unitLists("아이디 id 号 账号 계정 アカウント アイディー username user_name handle qq")
private let between = Characters(":=은는이가はがの是为：")
