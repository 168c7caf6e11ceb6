/// The names and places that are looked for everywhere: those of the list, and those that patterns found.
struct KnownNames {
  /// Where a name may stand.
  enum Place {
    /// Anywhere: two characters and more of a script without word spaces.
    case anywhere
    /// As a word of Hangul, with a particle or nothing after it.
    case hangul
    /// As a word of Hangul, with what only names have after them.
    case calledHangul
    /// Not in the middle of a run of Han.
    case han
    /// Before さん, 老师 and their like.
    case titledHan
    /// As a word of kana.
    case kana
    /// As a word of an alphabet; a word that is a word needs its capital.
    case word(needsCapital: Bool)
  }

  struct Pattern {
    let codes: [UInt32]
    /// Before which characters something may stand that parts names.
    let gaps: [Bool]
    let place: Place
    var thing: Int
    let kind: TokenKind
  }

  private(set) var patterns: [UInt32: [Pattern]] = [:]
  private var things: [[UInt32]: Int] = [:]
  private var next = 0

  init(_ listed: Listed) {
    for name in listed.names { add(name, as: .person) }
    for place in listed.places { add(place, as: .place) }
    if let addressee = listed.addressee, let name = nameInAddress(addressee) { add(name, as: .person) }
  }

  /// The thing that is written like this, if it is known.
  func thing(_ codes: some Sequence<UInt32>) -> Int? { things[codes.filter(isNamePart)] }

  // MARK: - Adding

  private mutating func newThing() -> Int {
    next += 1
    return next
  }

  mutating func add(_ codes: [UInt32], gapsBefore gaps: Set<Int> = [], _ place: Place, _ thing: Int, kind: TokenKind = .person) {
    guard let first = codes.first else { return }
    var thing = thing
    if let known = things[codes], known != thing {
      // Two people of one given name: who is meant cannot be told.
      guard patterns[first]?.contains(where: { $0.codes == codes }) == true else { return }
      thing = known
    }
    things[codes] = thing
    if patterns[first]?.contains(where: { $0.codes == codes }) == true { return }
    patterns[first, default: []].append(
      Pattern(codes: codes, gaps: codes.indices.map { gaps.contains($0) }, place: place, thing: thing, kind: kind))
  }

  private mutating func add(_ name: String, as kind: TokenKind) {
    let reading = Reading(name)
    let parts = nameParts(reading)
    let core = parts.flatMap { reading.lower[$0] }
    guard !core.isEmpty else { return addSigns(reading, kind) }
    let thing = things[core] ?? newThing()
    if kind == .place { return addWhole(parts, core, thing, kind) }
    if core.allSatisfy(isHangul) {
      addKorean(reading, parts, core, thing)
    } else if core.allSatisfy({ isHan($0) || isKana($0) }) {
      addHan(reading, parts, core, thing)
    } else {
      addWords(reading, parts, core, thing)
    }
  }

  /// A name of signs alone: 🐻
  private mutating func addSigns(_ reading: Reading, _ kind: TokenKind) {
    let signs = reading.lower.filter { $0 > 0x7F }
    if !signs.isEmpty { add(signs, .anywhere, newThing(), kind: kind) }
  }

  private mutating func addWhole(_ parts: [Range<Int>], _ core: [UInt32], _ thing: Int, _ kind: TokenKind) {
    var gaps: Set<Int> = []
    var count = 0
    for part in parts.dropLast() {
      count += part.count
      gaps.insert(count)
    }
    add(core, gapsBefore: gaps, place(of: core), thing, kind: kind)
  }

  private func place(of core: [UInt32]) -> Place {
    if core.allSatisfy({ isAlphabetLetter($0) || isDigit($0) }), !core.contains(where: { $0 >= 0xE00 && $0 < 0x1100 }) {
      return .word(needsCapital: core.count < 2 || wordsThatMayBeListed.contains(core[...]))
    }
    if core.allSatisfy(isHangul) { return core.count == 1 ? .calledHangul : isKoreanWord(core) ? .hangul : .anywhere }
    if core.allSatisfy(isKana), core.count <= 3 { return .kana }
    return core.count == 1 ? .titledHan : .anywhere
  }

  private func isKoreanWord(_ codes: [UInt32]) -> Bool { koreanWordNames.contains(codes) || koreanNoNames.contains(codes) }

  // MARK: - Korean

  private mutating func addKorean(_ reading: Reading, _ parts: [Range<Int>], _ whole: [UInt32], _ thing: Int) {
    let core = withoutKoreanTitle(whole, parts: parts.map { Array(reading.lower[$0]) })
    var gaps: Set<Int> = parts.count > 1 ? [parts[0].count] : []
    let surname = koreanSurname(core)
    if surname > 0 { gaps.insert(surname) }
    let named = things[core] ?? thing
    add(core, gapsBefore: gaps, core.count == 1 ? .calledHangul : isKoreanWord(core) ? .hangul : .anywhere, named)
    guard surname > 0 else { return }
    addKoreanGiven(Array(core.dropFirst(surname)), named, isListed: true)
  }

  private mutating func addKoreanGiven(_ given: [UInt32], _ thing: Int, isListed: Bool) {
    if given.count == 1 { return add(given, .calledHangul, thing) }
    add(given, isKoreanWord(given) ? .calledHangul : isListed ? .anywhere : .hangul, thing)
  }

  /// How many syllables of surname a full name begins with; 0 for what is no full name.
  private func koreanSurname(_ core: [UInt32]) -> Int {
    if core.count >= 3, longKoreanSurnames.contains(core[..<2]) { return 2 }
    guard let first = core.first, koreanSurnames.contains(first) else { return 0 }
    if core.count == 3 || core.count == 4 { return 1 }
    return core.count == 2 && !koreanGivenNames.contains(core) ? 1 : 0
  }

  private func withoutKoreanTitle(_ core: [UInt32], parts: [[UInt32]]) -> [UInt32] {
    if parts.count > 1, let last = parts.last, let first = parts.first, isKoreanTitle(last) || koreanKin.contains(last) {
      return parts.count == 2 ? first : Array(parts.dropLast().joined())
    }
    let plain = core.last == 0xB2D8 ? Array(core.dropLast()) : core
    let length = koreanTitles.endingLength(of: plain) { title in
      plain.count - title >= 2 || title > 1 && koreanSurnames.contains(plain[0])
    }
    return length > 0 ? Array(plain.dropLast(length)) : core
  }

  private func isKoreanTitle(_ word: [UInt32]) -> Bool {
    let plain = word.last == 0xB2D8 && word.count > 1 ? Array(word.dropLast()) : word
    return koreanTitles.contains(plain) || koreanNameTitles.contains(plain)
  }

  // MARK: - Han and kana

  private mutating func addHan(_ reading: Reading, _ parts: [Range<Int>], _ whole: [UInt32], _ thing: Int) {
    let core = withoutHanTitle(whole)
    let named = things[core] ?? thing
    var gaps: Set<Int> = parts.count > 1 && core.count > parts[0].count ? [parts[0].count] : []
    let japanese =
      core.count > 2
      ? [3, 2].first {
        core.count > $0 && japaneseSurnames.contains(core[..<$0])
          || core.count > $0 && japanesePlaceSurnames.contains(core[..<$0])
      } : nil
    if let japanese { gaps.insert(japanese) }
    add(
      core, gapsBefore: gaps, core.count == 1 ? .titledHan : core.allSatisfy(isKana) && core.count <= 3 ? .kana : .anywhere, named
    )
    if core.allSatisfy(isHiragana) { add(core.map { $0 + 0x60 }, core.count <= 3 ? .kana : .anywhere, named) }
    if let split = gaps.min() {
      addPart(Array(core[..<split]), named)
      addPart(Array(core[split...]), named)
    }
    addChineseParts(core, named)
  }

  private mutating func addPart(_ part: [UInt32], _ thing: Int) {
    add(part, part.count == 1 ? .titledHan : part.allSatisfy(isKana) ? .kana : .han, thing)
  }

  /// 王小明 is 小明 as well; 王伟 is 小王, 小伟, 阿伟.
  private mutating func addChineseParts(_ core: [UInt32], _ thing: Int) {
    guard core.allSatisfy(isHan), (2...4).contains(core.count) else { return }
    let surname = longChineseSurnames.contains(core[..<2]) ? 2 : chineseSurnames.contains(core[0]) ? 1 : 0
    guard surname > 0, core.count > surname, let last = core.last else { return }
    let given = Array(core[surname...])
    if given.count >= 2 { add(given, .anywhere, thing) }
    for prefix in [0x5C0F, 0x963F] as [UInt32] { add([prefix, last], .anywhere, thing) }
    if surname == 1 { for prefix in [0x5C0F, 0x8001] as [UInt32] { add([prefix, core[0]], .anywhere, thing) } }
  }

  private func withoutHanTitle(_ core: [UInt32]) -> [UInt32] {
    let length = [japaneseHonorifics, japaneseTitles, chineseTitles].map { $0.endingLength(of: core) }.max() ?? 0
    return Array(core.dropLast(length))
  }

  // MARK: - Words

  private mutating func addWords(_ reading: Reading, _ parts: [Range<Int>], _ core: [UInt32], _ thing: Int) {
    var words = parts.map { Array(reading.lower[$0]) }
    while words.count > 1, let first = words.first, englishTitles.contains(first[...]) { words.removeFirst() }
    while words.count > 1, let last = words.last, japaneseHonorifics.contains(last) || isKoreanTitle(last) { words.removeLast() }
    let whole = Array(words.joined())
    let named = things[whole] ?? thing
    var gaps: Set<Int> = []
    var count = 0
    for word in words.dropLast() {
      count += word.count
      gaps.insert(count)
    }
    add(whole, gapsBefore: gaps, place(of: whole), named)
    guard words.count > 1, let first = words.first, let last = words.last else { return }
    add(last + words.dropLast().joined(), gapsBefore: [last.count], place(of: whole), named)
    for word in [first, last] where word.count > 1 {
      if word.allSatisfy(isAlphabetLetter) {
        add(word, .word(needsCapital: wordsThatMayBeListed.contains(word[...])), named)
      } else if !isKoreanTitle(word), !koreanKin.contains(word), !hanKin.contains(word) {
        add(word, place(of: word), named)
      }
    }
  }

  // MARK: - Learning

  /// What a pattern found is looked for in all the texts.
  mutating func learn(_ name: FoundName, in reading: Reading) {
    guard let learned = name.learned, name.end - name.start <= 60 else { return }
    let written = Array(reading.lower[name.start..<name.end])
    let core = written.filter(isNamePart)
    let thing = things[core] ?? newThing()
    switch learned {
    case .korean(let surname):
      add(
        core, gapsBefore: surname > 0 ? [surname] : [], surname > 0 ? .hangul : isKoreanWord(core) ? .calledHangul : .hangul,
        thing)
      if surname > 0 { addKoreanGiven(Array(core.dropFirst(surname)), thing, isListed: false) }
    case .japanese: learnJapanese(written, core, thing)
    case .chinese:
      add(core, .anywhere, thing)
      learnChineseGiven(core, thing)
    case .english: learnEnglish(written, core, thing, isLower: !isUpper(reading.codes[name.start]))
    }
  }

  /// 佐藤健太 is 佐藤 and 健太 as well.
  private mutating func learnJapanese(_ written: [UInt32], _ core: [UInt32], _ thing: Int) {
    let space = written.firstIndex(of: 0x20)
    let surname =
      space
      ?? [3, 2, 1].first { length in
        core.count > length + 1 && (japaneseSurnames.contains(core[..<length]) || japanesePlaceSurnames.contains(core[..<length]))
      }
    add(
      core, gapsBefore: surname.map { [$0] } ?? [],
      core.count == 1 ? .titledHan : core.allSatisfy(isKana) ? .kana : core.allSatisfy(isHan) ? .han : place(of: core), thing)
    guard let surname, surname < core.count else { return }
    // A surname that is a place as well is looked for only where it was set apart.
    if space != nil || japaneseSurnames.contains(core[..<surname]) { addPart(Array(core[..<surname]), thing) }
    addPart(Array(core[surname...]), thing)
  }

  /// 王小明 is 小明 as well.
  private mutating func learnChineseGiven(_ core: [UInt32], _ thing: Int) {
    let surname = core.count == 4 && longChineseSurnames.contains(core[..<2]) ? 2 : 1
    guard core.count == surname + 2, surname == 2 || chineseSurnames.contains(core[0]) else { return }
    let given = Array(core[surname...])
    if !chineseNoNames.contains(given), !chineseWordGivenNames.contains(given) || chineseCommonGivenNames.contains(given) {
      add(given, .han, thing)
    }
  }

  private mutating func learnEnglish(_ written: [UInt32], _ core: [UInt32], _ thing: Int, isLower: Bool) {
    let words = written.split { !isAlphabetLetter($0) }.map(Array.init)
    var gaps: Set<Int> = []
    var count = 0
    for word in words.dropLast() {
      count += word.count
      gaps.insert(count)
    }
    add(core, gapsBefore: gaps, .word(needsCapital: words.count > 1 || needsCapital(core, isLower)), thing)
    guard words.count > 1, let first = words.first, let last = words.last else { return }
    if first.count > 1 { add(first, .word(needsCapital: needsCapital(first, isLower)), thing) }
    if last.count > 2, !noEnglishNames.contains(last[...]) || last == units("park") {
      add(last, .word(needsCapital: true), thing)
    }
  }

  /// Whether a name that was found is one in lower case as well: where it was found so, or is no word.
  private func needsCapital(_ word: [UInt32], _ isLower: Bool) -> Bool {
    if isLower { return false }
    return !(firstNames.contains(word[...]) && !doubtfulInLowerCase.contains(word[...]))
  }
}

/// What a name is made of, once what parts it is left out.
func isNamePart(_ code: UInt32) -> Bool {
  isWordPart(code) || code > 0x7F && !isClauseMark(code) && code != 0x30FB && code != 0xB7
}

/// The parts of a listed name between spaces, dots, hyphens; signs at its ends are left out.
private func nameParts(_ reading: Reading) -> [Range<Int>] {
  var parts: [Range<Int>] = []
  var position = 0
  while position < reading.count {
    guard isWordPart(reading.codes[position]) else {
      position += 1
      continue
    }
    var end = position
    while end < reading.count, isWordPart(reading.codes[end]) { end += 1 }
    parts.append(position..<end)
    position = end
  }
  return parts
}
