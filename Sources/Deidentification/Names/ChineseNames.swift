// Chinese names that no list has: 小王, 王老师, 张伟 among words that tell of people.

struct ChineseNames {
  let reading: Reading
  private(set) var found: [FoundName] = []

  static func found(in reading: Reading) -> [FoundName] {
    var scanner = ChineseNames(reading: reading)
    var position = 0
    while position < reading.count {
      position = isHan(reading.codes[position]) ? scanner.look(position) : position + 1
    }
    return scanner.found
  }

  private func slice(_ start: Int, _ end: Int) -> ArraySlice<UInt32> { reading.codes[start..<min(end, reading.count)] }

  /// Looks for a name at `position` and tells where to go on.
  private mutating func look(_ position: Int) -> Int {
    let code = reading.codes[position]
    if code == 0x5C0F || code == 0x8001 || code == 0x963F {
      if let end = nickname(position) ?? given(position) { return add(position, end, .chinese) }
      return position + 1
    }
    let isLong = longChineseSurnames.contains(slice(position, position + 2))
    if isLong || chineseSurnames.contains(code) {
      let surname = position + (isLong ? 2 : 1)
      if let end = commonName(position, surname) ?? fullName(position, surname) ?? (isLong ? rareName(position) : nil) {
        return add(position, end, .chinese)
      }
      if let end = titled(position, surname, isLong: isLong) { return add(position, end, nil) }
    }
    if let end = given(position) { return add(position, end, .chinese) }
    return position + 1
  }

  private mutating func add(_ start: Int, _ end: Int, _ learned: FoundName.Learned?) -> Int {
    found.append(FoundName(start: start, end: end, learned: learned))
    return end
  }

  /// 小王, 老李, 阿明, with what follows a name after it.
  private func nickname(_ start: Int) -> Int? {
    let end = start + 2
    guard end <= reading.count, chineseNicknames.contains(reading.code(start + 1)),
      isAfterName(end) || isTold(start) || clearNicknames.contains(reading.code(start + 1))
    else {
      return nil
    }
    let before = reading.code(start - 1)
    guard ![0x5927, 0x6700, 0x592A, 0x5F88, 0x4ECE, 0x8FD9, 0x4E2A].contains(before) else { return nil }
    return end
  }

  private func isAfterName(_ position: Int) -> Bool {
    let next = reading.code(position)
    return !isHan(next) || chineseAfterName.contains(next) || titleLength(position) > 0
  }

  /// Whether a word stands before after which a person comes, whatever follows.
  private func isTold(_ start: Int) -> Bool { isOne(reading.code(start - 1), of: "和跟与对把被给让") }

  private func titleLength(_ position: Int) -> Int { chineseTitles.length(in: reading, at: position) }

  /// 王志强, whatever follows, and 王国强 although 王国 is a word.
  private func commonName(_ start: Int, _ surname: Int) -> Int? {
    let end = surname + 2
    guard end <= reading.count else { return nil }
    let given = slice(surname, end)
    guard chineseCommonGivenNames.contains(given) || chineseWordGivenNames.contains(given) else { return nil }
    let before = reading.code(start - 1)
    if !isHan(before) || isRelation(endingAt: start) { return end }
    // 对于志强: 于 belongs to what stands before.
    if surname == start + 1, !chineseTitleSurnames.contains(reading.codes[start]) {
      return chineseBeforeName.contains(before) && !isOne(before, of: "对当到因等") && isAfterName(end) ? end : nil
    }
    return end
  }

  /// 欧阳锋, 欧阳: after a surname of two characters any given name.
  private func rareName(_ start: Int) -> Int? {
    guard clearLongSurnames.contains(slice(start, start + 2)) else { return nil }
    for end in [start + 3, start + 4, start + 2] where end <= reading.count {
      let given = slice(start + 2, end)
      guard given.allSatisfy({ isHan($0) && !chineseAfterName.contains($0) }), titleLength(start + 2) == 0 else { continue }
      if isAfterName(end) || chineseAfterFullName.contains(reading.code(end)) { return end }
    }
    return nil
  }

  /// 志强 where a name may stand, 我老公志强, 表妹婷婷.
  private func given(_ start: Int) -> Int? {
    let end = start + 2
    guard end <= reading.count, isHan(reading.codes[start + 1]) else { return nil }
    let given = slice(start, end)
    let isCommon = chineseCommonGivenNames.contains(given)
    let isDoubled = reading.codes[start] == reading.codes[start + 1] && reading.codes[start] != 0x6167
    guard isCommon || isDoubled || chineseWordGivenNames.contains(given) || given.allSatisfy(chineseClearCharacters.contains)
    else { return nil }
    if isRelation(endingAt: start) {
      guard !chineseNoNames.contains(given), isCommon || isAfterFullName(end) else { return nil }
      return isDoubled && !isCommon && !chineseClearCharacters.contains(reading.codes[start]) ? nil : end
    }
    guard isCommon, !chineseWordGivenNames.contains(given), isAfterFullName(end) else { return nil }
    return !isHan(reading.code(start - 1)) || chineseBeforeName.contains(reading.code(start - 1))
      || isOne(reading.code(start - 1), of: "于") ? end : nil
  }

  private func isAfterFullName(_ end: Int) -> Bool { isAfterName(end) || chineseAfterFullName.contains(reading.code(end)) }

  /// Whether a word for who somebody is stands right before.
  private func isRelation(endingAt end: Int) -> Bool {
    guard relationLasts.contains(reading.code(end - 1)) else { return false }
    return chineseRelations.contains { reading.codes.has($0, at: end - $0.count) }
  }

  private func fullName(_ start: Int, _ surname: Int) -> Int? {
    let before = reading.code(start - 1)
    let isOpen = !isHan(before) || chineseBeforeName.contains(before) || isRelation(endingAt: start)
    for length in [2, 1] {
      let end = surname + length
      guard end <= reading.count,
        slice(surname, end).allSatisfy(length == 2 ? chineseGivenCharacters.contains : chineseSingleNames.contains)
      else { continue }
      guard !chineseNoNames.contains(slice(start, end)), !chineseNoNames.contains(slice(start, start + 2)) else { continue }
      let title = titleLength(end)
      if title >= 2, isOpen { return end }
      guard isOpen,
        length == 2 || !looseSingleNames.contains(reading.code(surname)) || chineseTitleSurnames.contains(reading.codes[start])
      else { continue }
      guard
        length == 2
          ? isAfterFullName(end)
          : isAfterName(end) || isOne(reading.code(end), of: "骂吼气忘嫌嘲欺瞪骗抢摔砸踢") || isTold(start) || isOne(before, of: "姐妹哥弟")
      else { continue }
      return end
    }
    return nil
  }

  /// 王老师: the surname alone.
  private func titled(_ start: Int, _ surname: Int, isLong: Bool) -> Int? {
    guard isLong || chineseTitleSurnames.contains(reading.codes[start]) else { return nil }
    let title = titleLength(surname)
    guard title > 0 else { return nil }
    let before = reading.code(start - 1)
    if before == 0x4E3B || before == 0x8FD9 || before == 0x4E0A || before == 0x4E0B || before == 0x672C || before == 0x6BCF {
      return nil
    }
    guard title == 1, chineseLooseTitles.contains(reading.code(surname)) else { return surname }
    let next = reading.code(surname + 1)
    let isOpen = !isHan(before) || chineseBeforeName.contains(before)
    guard isOpen, !isHan(next) || chineseAfterName.contains(next) else { return nil }
    // 周总是: on the whole.
    return reading.code(surname) == 0x603B && [0x662F, 0x4F1A, 0x8981, 0x80FD, 0x60F3, 0x4E0D].contains(next) ? nil : surname
  }
}

/// Surnames that are no words after 小 and 老, whatever follows.
private let clearNicknames = Characters(
  "李张刘陈杨赵吴徐郭罗梁郑韩冯董萧肖曹袁邓傅沈彭吕卢蒋蔡贾魏薛潘戴汪姜姚谭廖邹陆郝崔邱秦侯邵尹贺赖龚")
private let clearLongSurnames = ShortWords("欧阳 上官 司马 诸葛 司徒 慕容 皇甫 尉迟 令狐 轩辕 端木 夏侯")
private let looseSingleNames = Characters("明红锋亮丹")
private let relationLasts = Characters(chineseRelations.compactMap(\.last))
