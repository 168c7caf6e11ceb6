// English names that no list has: after a title, first names, a first and a last name.

struct EnglishNames {
  let reading: Reading
  let words: [LatinWord]
  private(set) var found: [FoundName] = []

  static func found(in reading: Reading, _ words: [LatinWord]) -> [FoundName] {
    var scanner = EnglishNames(reading: reading, words: words)
    var index = 0
    while index < words.count { index = scanner.look(index) }
    return scanner.found
  }

  private func text(_ index: Int) -> ArraySlice<UInt32> { reading.lower[words[index].start..<words[index].end] }

  private mutating func add(_ first: Int, _ last: Int) -> Int {
    let end = withTail(last)
    found.append(FoundName(start: words[first].start, end: words[end].end, learned: .english))
    return end + 1
  }

  /// O'Brien, Smith-Jones, Mary-Jane: over what joins two parts.
  private func withTail(_ index: Int) -> Int {
    var last = index
    while last + 1 < words.count, last - index < 3, words[last + 1].start == words[last].end + 1, words[last + 1].isCapital,
      [0x27, 0x2D].contains(reading.code(words[last].end))
    {
      last += 1
    }
    return last
  }

  private mutating func look(_ index: Int) -> Int {
    let word = words[index]
    if englishTitles.contains(text(index)), let first = afterTitle(index) {
      return add(first, isSurname(after: withTail(first)) ? withTail(first) + 1 : first)
    }
    let isFirstName = isFirstName(index)
    if isFirstName, word.count > 2 || !isUpper(reading.codes[word.start + word.count - 1]),
      word.isCapital || word.count > 2 && isApart(word)
    {
      return addWithSurname(index)
    }
    if isFirstNameOf(relation: index) { return addWithSurname(index) }
    guard word.isCapital, word.count > 1 else { return index + 1 }
    if wordNames.contains(text(index)) { return isShouted(word) ? index + 1 : wordName(index) }
    return unknownName(index)
  }

  /// Whether the word is on a list of first names, with its accents or without; those of other languages need their capital.
  private func isFirstName(_ index: Int) -> Bool {
    if firstNames.contains(text(index)) { return true }
    let word = words[index]
    guard word.isCapital, !isShouted(word) || word.count > 3, reading.code(word.start - 1) != 0x2D else { return false }
    if internationalNames.contains(text(index)) { return !doubtfulInternationalNames.contains(text(index)) }
    guard let plain = withoutAccents(text(index)) else { return false }
    return firstNames.contains(plain[...]) || internationalNames.contains(plain[...])
  }

  /// my friend jenny, my sister grace, my cousin Ting: after a word for who it is.
  private func isFirstNameOf(relation index: Int) -> Bool {
    let name = text(index)
    if words[index].isCapital {
      return doubtfulInternationalNames.contains(name) && (isRelation(before: index) || isBeforeTelling(index))
    }
    let isNamed = index > 0 && namings.contains(text(index - 1))
    guard isRelation(before: isNamed ? index - 1 : index) else { return false }
    guard words[index].count > 2, isApart(words[index], evenDoubtful: true) else { return false }
    if isNamed { return nounNames.contains(name) || firstNames.contains(name) || internationalNames.contains(name) }
    if nounNames.contains(name) { return isPossessed(index - 1) }
    return firstNames.contains(name)
      || internationalNames.contains(name) && !doubtfulInternationalNames.contains(name) && isPossessed(index - 1)
  }

  private func isRelation(before index: Int) -> Bool {
    guard index > 0, words[index].start == words[index - 1].end + 1, reading.code(words[index - 1].end) == 0x20 else {
      return false
    }
    if englishRelations.contains(text(index - 1)) { return true }
    // mother-in-law Linda
    return index > 1 && text(index - 1).elementsEqual(units("law")) && text(index - 2).elementsEqual(units("in"))
  }

  private func isPossessed(_ index: Int) -> Bool {
    var first = index
    while first > 0, index - first < 2, !possessives.contains(text(first - 1)) { first -= 1 }
    return first > 0 && possessives.contains(text(first - 1))
  }

  /// Lower case counts only for whole words: no e-mail, no file.
  private func isApart(_ word: LatinWord, evenDoubtful: Bool = false) -> Bool {
    let around = [reading.code(word.start - 1), reading.code(word.end)]
    return !around.contains { $0 == 0x5F || $0 == 0x40 || $0 == 0x2D || isDigit($0) } && reading.code(word.start - 1) != 0x27
      && (evenDoubtful || !doubtfulInLowerCase.contains(reading.lower[word.start..<word.end]))
  }

  private func isShouted(_ word: LatinWord) -> Bool { word.isShouted(in: reading) }

  private func afterTitle(_ index: Int) -> Int? {
    let next = index + 1
    guard words[index].isCapital || titlesWithoutDot.contains(text(index)), next < words.count, words[next].isCapital else {
      return nil
    }
    let gap = words[next].start - words[index].end
    let hasDot = reading.code(words[index].end) == 0x2E && titlesWithoutDot.contains(text(index))
    guard gap == 1 && (reading.code(words[index].end) == 0x20 || hasDot) || gap == 2 && hasDot else { return nil }
    return words[next].count > 1 ? next : nil
  }

  /// Whether a capitalised word that may be a surname follows.
  private func isSurname(after index: Int) -> Bool {
    let next = index + 1
    guard next < words.count, words[next].isCapital, words[next].start == words[index].end + 1,
      reading.code(words[index].end) == 0x20
    else { return false }
    return words[next].count > 1 && (!noEnglishNames.contains(text(next)) || text(next).elementsEqual(units("park")))
      && !months.contains(text(next))
  }

  private mutating func addWithSurname(_ index: Int) -> Int {
    let last = withTail(index)
    // An initial between: Julian B. Park
    if last + 2 < words.count, words[last + 1].count == 1, words[last + 1].isCapital, words[last + 2].isCapital,
      !text(last + 1).elementsEqual([0x69]),
      words[last + 2].start - words[last].end <= 4
    {
      return add(index, last + 2)
    }
    return add(index, words[index].isCapital && isSurname(after: last) ? last + 1 : last)
  }

  private mutating func wordName(_ index: Int) -> Int {
    let isDoubtful = doubtfulNames.contains(text(index))
    let hasSurname = isSurname(after: index)
    if hasSurname, !words[index].beginsSentence || firstNames.contains(text(index + 1)) == false && !isDoubtful {
      return addWithSurname(index)
    }
    if words[index].beginsSentence {
      guard !isDoubtful || text(index).elementsEqual(units("will")), index + 1 < words.count,
        afterWordName.contains(text(index + 1))
      else { return index + 1 }
      return add(index, index)
    }
    return isDoubtful && !isTold(index) ? index + 1 : add(index, index)
  }

  /// Priyanka Chatterjee in the middle of a sentence; one such word where the words beside it tell of a person.
  private mutating func unknownName(_ index: Int) -> Int {
    guard isNameLike(index) else { return index + 1 }
    if hasAccent(index), isAccentedName(index) { return addWithSurname(index) }
    guard !words[index].beginsSentence else { return index + 1 }
    if isSurname(after: index), isNameLike(index + 1), isInSentence(index) {
      return add(index, index + 1)
    }
    return isTold(index) ? add(index, index) : index + 1
  }

  private func hasAccent(_ index: Int) -> Bool {
    text(index).contains { $0 >= 0xC0 && $0 < 0x250 } && !words[index].isShouted(in: reading)
  }

  /// Zoë, Åsa: a word with an accent is a name in an English sentence, unless what stands before tells of a place.
  private func isAccentedName(_ index: Int) -> Bool {
    if words[index].beginsSentence { return index + 1 < words.count && afterWordName.contains(text(index + 1)) }
    guard index > 0, !words[index - 1].isCapital, words[index].start == words[index - 1].end + 1 else { return false }
    return !beforeThings.contains(text(index - 1)) && !beforePlaces.contains(text(index - 1))
  }

  /// Whether a small word stands before that a name may follow: from, and, with; not the, on.
  private func isInSentence(_ index: Int) -> Bool {
    guard index > 0, !words[index - 1].isCapital, words[index].start == words[index - 1].end + 1 else { return false }
    return !beforeThings.contains(text(index - 1))
  }

  private func isNameLike(_ index: Int) -> Bool {
    guard words[index].count > 2, !noEnglishNames.contains(text(index)), !months.contains(text(index)) else { return false }
    let rest = reading.codes[(words[index].start + 1)..<words[index].end]
    return !rest.allSatisfy(isUpper)
  }

  /// Tunde and Ngozi: after a name and "and".
  private func isAfterName(_ index: Int) -> Bool {
    guard index > 1, let last = found.last, last.end == words[index - 2].end, text(index - 1).elementsEqual(units("and")) else {
      return false
    }
    return words[index].start == last.end + 5
  }

  private func isBeforeTelling(_ index: Int) -> Bool {
    index + 1 < words.count && words[index + 1].start == words[index].end + 1 && afterEnglishName.contains(text(index + 1))
  }

  private func isTold(_ index: Int) -> Bool {
    if noEnglishNames.contains(text(index)), !wordNames.contains(text(index)) { return false }
    if isRelation(before: index) || isAfterName(index) { return true }
    if index > 0, words[index].start == words[index - 1].end + 1, beforeEnglishName.contains(text(index - 1)) { return true }
    return isBeforeTelling(index)
  }
}

extension LatinWord {
  /// Whether every letter is a capital.
  fileprivate func isShouted(in reading: Reading) -> Bool { reading.codes[start..<end].allSatisfy(isUpper) }
}

private let namings = Words("named called")
private let possessives = Words("my his her our their your")
private let beforePlaces = Words("to from near of around through visit visited like love")
private let beforeThings = Words(
  "the a an my your our its this that these those on in at into onto via using some any every no new old each per")
/// First names that are words, or parts of words, in lower case.
let doubtfulInLowerCase = Words(
  "ali ana ann bob eli eva jan jim jo jon ken kim kirk leon leo lola mei ming wei morgan noel norma olga regina rick rene roman rosa sally sasha sierra stella tara tony toni vera wanda madison jose joe dave ed kelly tracy jake jackson josephine harry charlotte molly charlie dominic warren wayne douglas ella mia rita sonia herbert lucia luca marco marcus miranda paula pedro max gina angelica carmen clara felicia gloria heather felix lydia marina martin lewis louis nina peter phil jerry jimmy johnny vincent willie travis drew barry bonnie maria olivia tiffany ivan jenny penelope phoebe cecilia ralph frederick sandra scott shannon shelby stanley victor virginia wesley ian andy andre benjamin alexis cameron carol bianca camila"
)
