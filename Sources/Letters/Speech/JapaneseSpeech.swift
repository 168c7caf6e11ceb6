private let politeEndings = ["です", "ます", "でした", "ました", "ません", "ませんでした", "でしょう", "ましょう", "ください"]

private let nounEndings = ["こと", "もの", "ため", "とき", "せい", "つもり", "気持ち", "ところ"]

private let plainEndings = [
  "た", "だ", "る", "う", "く", "す", "つ", "ぬ", "む", "ぐ", "ぶ", "しい", "ない", "たい", "いい", "よい", "つらい", "ひどい", "怖い",
  "悪い", "よ", "ね", "けど", "から",
]

/// The level of one Japanese sentence, from its end.
func japaneseLevel(of sentence: Substring) -> SpeechLevel {
  let text = upToLastSyllable(sentence)
  var stem = text
  for _ in 0..<2 {
    if politeEndings.contains(where: stem.hasSuffix) { return .polite }
    guard let last = stem.last, "かねよ".contains(last) else { break }
    stem.removeLast()
  }
  if politeEndings.contains(where: stem.hasSuffix) { return .polite }
  if nounEndings.contains(where: text.hasSuffix) { return .fragment }
  return text.count >= 5 && plainEndings.contains(where: text.hasSuffix) ? .casual : .fragment
}
