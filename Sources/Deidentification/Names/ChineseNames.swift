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
      if let end = nickname(position) { return add(position, end, .chinese) }
      return position + 1
    }
    let isLong = longChineseSurnames.contains(slice(position, position + 2))
    guard isLong || chineseSurnames.contains(code) else { return position + 1 }
    let surname = position + (isLong ? 2 : 1)
    if let end = fullName(position, surname) { return add(position, end, .chinese) }
    if let end = titled(position, surname, isLong: isLong) { return add(position, end, nil) }
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

  private func fullName(_ start: Int, _ surname: Int) -> Int? {
    let before = reading.code(start - 1)
    let isOpen = !isHan(before) || chineseBeforeName.contains(before)
    for length in [2, 1] {
      let end = surname + length
      guard end <= reading.count,
        slice(surname, end).allSatisfy(length == 2 ? chineseGivenCharacters.contains : chineseSingleNames.contains)
      else { continue }
      guard !chineseNoNames.contains(slice(start, end)), !chineseNoNames.contains(slice(start, start + 2)) else { continue }
      let title = titleLength(end)
      if title >= 2, isOpen { return end }
      guard isOpen, isAfterName(end) || length == 1 && isTold(start) || isOne(before, of: "姐妹哥弟") else { continue }
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
