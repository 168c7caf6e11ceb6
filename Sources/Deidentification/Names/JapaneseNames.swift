// Japanese names that no list has: before さん and its like, and surnames that are nothing else.

struct JapaneseNames {
  let reading: Reading
  private(set) var found: [FoundName] = []

  static func found(in reading: Reading) -> [FoundName] {
    var scanner = JapaneseNames(reading: reading)
    for position in reading.codes.indices {
      scanner.honorific(at: position)
      scanner.surname(at: position)
      scanner.kanaName(at: position)
    }
    return scanner.found
  }

  private func slice(_ start: Int, _ end: Int) -> ArraySlice<UInt32> { reading.codes[start..<end] }

  private mutating func add(_ start: Int, _ end: Int) {
    if end > start { found.append(FoundName(start: start, end: end, learned: .japanese)) }
  }

  // MARK: - Before さん

  private mutating func honorific(at position: Int) {
    guard position > 0, honorificFirsts.contains(reading.codes[position]) else { return }
    let length = japaneseHonorifics.length(in: reading, at: position)
    guard length > 0 else { return titled(at: position) }
    let before = reading.codes[position - 1] == 0x20 ? reading.code(position - 2) : reading.codes[position - 1]
    let end = reading.codes[position - 1] == 0x20 ? position - 1 : position
    guard end > 0 else { return }
    let isSure = !isDoubtful(position, length)
    if isHan(before) {
      let known = knownHan(endingAt: end)
      if let start = known { return add(start, end) }
      guard isSure, length >= 2 || reading.codes[position] == 0x6C0F,
        let start = unknownHan(endingAt: end, isAttached: end == position)
      else { return titled(at: position) }
      add(start, end)
    } else if isKatakana(before), isSure, end == position {
      katakana(endingAt: end)
    } else if isHiragana(before), end == position {
      hiragana(endingAt: end, isSure: isSure, honorific: slice(position, position + length))
    } else if isASCIILetter(before), isSure {
      var start = end
      while start > 0, isAlphabetLetter(reading.codes[start - 1]) { start -= 1 }
      if end - start >= 2, end == position || isUpper(reading.codes[start]),
        !JapaneseNames.noLatinNames.contains(reading.lower[start..<end])
      {
        add(start, end)
      }
    }
  }

  private static let noLatinNames = Words("ok ng pc sns line id")

  /// 行くんだ, もっとちゃんと, 同様, 彼氏: what is no honorific.
  private func isDoubtful(_ position: Int, _ length: Int) -> Bool {
    let next = reading.code(position + length)
    switch slice(position, position + length) {
    case units("くん")[...]: return isOne(next, of: "だでじなのすっ")
    case units("ちゃん")[...]:
      return next == 0x3068 && !isHan(reading.codes[position - 1]) && !isKatakana(reading.codes[position - 1])
    case units("様")[...]: return isOne(next, of: "子々式相")
    case units("君")[...]: return isOne(next, of: "たはがのをにもとへ") && !isHan(reading.codes[position - 1])
    case units("さん")[...]: return isOne(next, of: "ざ")
    case units("たん")[...], units("っち")[...]: return true
    default: return false
    }
  }

  /// The longest surname, given name or both that ends here.
  private func knownHan(endingAt end: Int) -> Int? {
    for length in stride(from: min(4, end), through: 1, by: -1) {
      let start = end - length
      guard slice(start, end).allSatisfy({ isHan($0) || isKana($0) }) else { continue }
      if isFullName(start, end) || length > 1 && japaneseGivenNames.contains(slice(start, end))
        || isSurname(start, end) && (length > 1 || !isHan(reading.code(start - 1)))
      {
        return start
      }
    }
    return nil
  }

  private func isSurname(_ start: Int, _ end: Int) -> Bool {
    japaneseSurnames.contains(slice(start, end)) || japanesePlaceSurnames.contains(slice(start, end))
  }

  private func isFullName(_ start: Int, _ end: Int) -> Bool {
    (1...3).contains { length in
      start + length < end && isSurname(start, start + length) && japaneseGivenNames.contains(slice(start + length, end))
    }
  }

  private func unknownHan(endingAt end: Int, isAttached: Bool) -> Int? {
    var start = end
    while start > 0, isHan(reading.codes[start - 1]), end - start < 6 { start -= 1 }
    for prefix in japanesePrefixes where reading.codes.has(prefix, at: start) && start + prefix.count < end {
      start += prefix.count; break
    }
    guard isAttached, end - start <= 4, !noNameBefore(start, end) else { return nil }
    return start
  }

  private func noNameBefore(_ start: Int, _ end: Int) -> Bool {
    if japaneseNoNames.contains(slice(start, end)) || hanKin.contains(slice(start, end)) { return true }
    if [0x304A, 0x3054, 0x5FA1].contains(reading.code(start - 1)) { return true }  // お, ご, 御
    return isOne(reading.codes[end - 1], of: "屋員者師家長人手士官生客嬢主親母父兄姉婦供達方民祖守")
      || (1...3).contains { length in
        end - length > start && japaneseNoNames.contains(slice(end - length, end)) && length > 1
      }
  }

  private mutating func katakana(endingAt end: Int) {
    var start = end
    while start > 0,
      isKatakana(reading.codes[start - 1]) || reading.codes[start - 1] == 0x30FB && isKatakana(reading.code(start - 2))
    { start -= 1 }
    guard end - start >= 2, end - start <= 12, !japaneseNoNames.contains(slice(start, end)), reading.code(start - 1) != 0x304A
    else { return }
    add(start, end)
  }

  private mutating func hiragana(endingAt end: Int, isSure: Bool, honorific: ArraySlice<UInt32>) {
    var run = end
    while run > 0, isHiragana(reading.codes[run - 1]), end - run < 5 { run -= 1 }
    for word in japaneseNoKanaNames where reading.codes.has(word, at: end - word.count) { return }
    for length in stride(from: min(5, end - run), through: 2, by: -1) {
      let start = end - length
      guard japaneseKanaNames.contains(slice(start, end)) else { continue }
      let before = reading.code(start - 1)
      if isSure || !isHiragana(before) && length >= 2, !isHiragana(before) || japaneseParticles.contains(before) || length >= 3 {
        return add(start, end)
      }
    }
    // A nickname alone between two marks: ぽんちゃん
    guard isSure, honorific.elementsEqual(units("ちゃん")), (1...3).contains(end - run), !isHan(reading.code(run - 1)) else {
      return
    }
    add(run, end)
  }

  // MARK: - Titles and surnames alone

  /// 田中部長: with a title only surnames that are known.
  private mutating func titled(at position: Int) {
    guard japaneseTitles.length(in: reading, at: position) > 0 else { return }
    for length in stride(from: min(3, position), through: 2, by: -1) where isSurname(position - length, position) {
      return add(position - length, position)
    }
  }

  /// 恵美が: a given name alone, between what is no Han.
  private mutating func given(at position: Int) {
    for length in [3, 2] where position + length <= reading.count {
      guard japaneseGivenNames.contains(slice(position, position + length)), !isHan(reading.code(position + length)) else {
        continue
      }
      guard japaneseAfterName.contains(reading.code(position + length)),
        !wordsAmongGivenNames.contains(slice(position, position + length))
      else { continue }
      return add(position, position + length)
    }
    // 夫の誠が: one character, or a name that is a word, is a name where it is told who it is.
    guard reading.code(position - 1) == 0x306E, isRelation(endingAt: position - 1) else { return }
    for length in [2, 1] where position + length < reading.count {
      let given = slice(position, position + length)
      guard japaneseGivenNames.contains(given), !relationParts.contains(given) else { continue }
      if isOne(reading.codes[position + length], of: "がはとにを、") { return add(position, position + length) }
    }
  }

  /// 田中が, 田中 太郎, 田中太郎
  private mutating func surname(at position: Int) {
    guard isHan(reading.codes[position]) else { return }
    if !isHan(reading.code(position - 1)) || isAfterPrefix(position) { given(at: position) }
    for length in stride(from: 3, through: 1, by: -1) where position + length <= reading.count {
      let end = position + length
      let isSure = japaneseSurnames.contains(slice(position, end))
      guard isSure || japanesePlaceSurnames.contains(slice(position, end)) else { continue }
      if let full = givenEnd(after: end) { return add(position, full) }
      if isSure, length >= 2, isMadeLikeGiven(end) { return add(position, end + 2) }
      let before = reading.code(position - 1)
      guard isSure, length >= 2,
        !isHan(before) || isAfterPrefix(position)
      else { continue }
      guard japaneseAfterName.contains(reading.code(end)) else { continue }
      return add(position, end)
    }
  }

  /// 佐藤光希が: after a surname two characters that begin and end given names, and a particle.
  private func isMadeLikeGiven(_ start: Int) -> Bool {
    japaneseFirstCharacters.contains(reading.code(start)) && japaneseLastCharacters.contains(reading.code(start + 1))
      && japaneseAfterName.contains(reading.code(start + 2)) && start + 2 < reading.count
  }

  /// 昨日健太と: a word that ends before a name in one run of Han.
  private func isAfterPrefix(_ position: Int) -> Bool {
    japanesePrefixes.contains { reading.codes.has($0, at: position - $0.count) }
  }

  /// ケンタが; 妹のさくらは: a given name in kana, which in hiragana is a name only after a word for who it is.
  private mutating func kanaName(at position: Int) {
    let code = reading.codes[position]
    guard isKana(code), isHiragana(code) || !isKatakana(reading.code(position - 1)) else { return }
    guard isKatakana(code) || reading.code(position - 1) == 0x306E && isRelation(endingAt: position - 1) else { return }
    for length in stride(from: 6, through: 2, by: -1) where position + length <= reading.count {
      let end = position + length
      guard
        isKatakana(code) ? japaneseKatakanaNames.contains(slice(position, end)) : japaneseKanaNames.contains(slice(position, end))
      else { continue }
      // Only the longest: まこと is no まこ with と.
      let follows = isKatakana(code) ? japaneseAfterName.contains(reading.code(end)) : isOne(reading.code(end), of: "がはをにとも、")
      guard follows else { return }
      return add(position, end)
    }
  }

  private func isRelation(endingAt end: Int) -> Bool {
    japaneseRelations.contains { reading.codes.has($0, at: end - $0.count) }
  }

  private func givenEnd(after surname: Int) -> Int? {
    let start = reading.code(surname) == 0x20 ? surname + 1 : surname
    for length in stride(from: 4, through: 1, by: -1) where start + length <= reading.count {
      let given = slice(start, start + length)
      guard length > 1 || start > surname else { continue }
      let isName =
        japaneseGivenNames.contains(given) || japaneseKatakanaNames.contains(given)
        || japaneseKanaNames.contains(given)
          && (start > surname || japaneseAfterName.contains(reading.code(start + length)) && length > 2)
      if isName, !isHan(reading.code(start + length)) { return start + length }
    }
    return nil
  }
}

private let honorificFirsts = Characters("さくち君様氏先たっサクチ部課係主社専常店教医弁監コ院校園会夫家一班リマ後殿")
private let japaneseParticles = Characters("はがをにとものへやかで")
private let japaneseAfterName = Characters("はがをにとものへやかで、。！？!?,.\u{300D}\u{FF0C}")

private let wordsAmongGivenNames = ShortWords(
  "大樹 大地 大和 大河 千秋 千夏 七海 若菜 葉月 美幸 公子 光輝 君子 正美 夏海 心愛 花音 花梨 柚子 琴音 茉莉 茉莉花 沙羅 杏子 美月 静香 実花 円花 美里 美雪 仁志 真理 真弓 一平 鈴音 楓花")
private let relationParts = ShortWords("明 光 実 正 学 円 華 結 新 瞳 進 勝 満 充 操 忍 節 環 鈴 椿 樹 晴 武 彩 愛 舞 恵 心 真 仁 清")
