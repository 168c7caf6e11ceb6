/// Nouns that end like a sentence of 해요체.
private let nounsInYo: Set<String> = ["필요", "불필요", "중요", "강요", "주요", "소요", "수요", "동요", "고요", "담요", "요요"]

private let casualEndings = [
  "싶어", "같아", "않아", "잖아", "거야", "건데", "줘", "좋겠어", "미안해", "속상해", "서운해", "고마워", "힘들어", "몰라",
]

/// The level of one Korean sentence, from its end. The list of casual endings is closed, because nouns such as 오해, 화해, 편지 end
/// alike; what is in doubt is a fragment, which is quoted and so never wrong.
func koreanLevel(of sentence: Substring) -> SpeechLevel {
  let text = upToLastSyllable(sentence)
  let last = text.split(separator: " ").last ?? text
  if text.hasSuffix("니다") || text.hasSuffix("니까") {
    if text.dropLast(2).last.flatMap(finalConsonant) == bieup { return .formal }
    return text.hasSuffix("다") ? .diary : .fragment
  }
  if text.hasSuffix("요") || text.hasSuffix("죠") {
    return nounsInYo.contains(String(last)) ? .fragment : .polite
  }
  if text.hasSuffix("다") { return .diary }
  if casualEndings.contains(where: text.hasSuffix) { return .casual }
  for ending in ["어", "지", "네", "는데", "거든"] where text.hasSuffix(ending) {
    let before = text.dropLast(ending.count).last.flatMap(finalConsonant)
    if before == doubleSiot || before == bieupSiot { return .casual }
  }
  return .fragment
}

private let bieup: UInt32 = 17
private let bieupSiot: UInt32 = 18
private let doubleSiot: UInt32 = 20

/// The number of a syllable's final consonant, 0 for none, nil for what is no syllable.
private func finalConsonant(_ syllable: Character) -> UInt32? {
  guard let code = syllable.unicodeScalars.first?.value, (0xAC00...0xD7A3).contains(code) else { return nil }
  return (code - 0xAC00) % 28
}
