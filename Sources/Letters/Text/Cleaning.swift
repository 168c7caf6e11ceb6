@_spi(_Unicode) import Swift

/// The answer as it may stand in a letter: composed, without control characters, each line trimmed, at most one empty line in a
/// row. Nil if no letter, digit or emoji is left, which counts as no answer.
func cleaned(_ text: String) -> String? {
  var lines: [String] = []
  var wasEmpty = true
  for line in linesWithoutControls(text) {
    let trimmed = trimmingWhitespace(line)
    if trimmed.isEmpty {
      if !wasEmpty { lines.append("") }
    } else {
      lines.append(String(trimmed))
    }
    wasEmpty = trimmed.isEmpty
  }
  if lines.last == "" { lines.removeLast() }
  let result = lines.joined(separator: "\n")
  return result.contains(where: isReadable) ? result : nil
}

/// The same on one line, for own words and the addressee.
func cleanedLine(_ text: String) -> String? {
  guard let text = cleaned(text) else { return nil }
  guard text.contains(where: \.isNewline) else { return text }
  return text.split(whereSeparator: \.isNewline).joined(separator: " ")
}

func trimmingWhitespace(_ text: some StringProtocol) -> Substring {
  var rest = Substring(text)
  while let first = rest.first, first.isWhitespace { rest.removeFirst() }
  while let last = rest.last, last.isWhitespace { rest.removeLast() }
  return rest
}

private func linesWithoutControls(_ text: String) -> [String] {
  var lines: [String] = []
  var line = String.UnicodeScalarView()
  var previous: Unicode.Scalar = " "
  for scalar in text._nfc {
    switch scalar {
    case "\n" where previous == "\r": break
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
      lines.append(String(line))
      line = String.UnicodeScalarView()
    case "\t": line.append(" ")
    case _ where scalar.properties.generalCategory == .control: break
    default: line.append(scalar)
    }
    previous = scalar
  }
  lines.append(String(line))
  return lines
}

func isReadable(_ character: Character) -> Bool {
  character.isLetter || character.isNumber || isEmoji(character)
}

/// Whether a character shows as a picture (digits and signs like © do not, unless a selector makes them).
public func isEmoji(_ character: Character) -> Bool {
  guard let first = character.unicodeScalars.first else { return false }
  if first.isASCII && character.unicodeScalars.count == 1 { return false }
  if first.properties.isEmojiPresentation { return true }
  if character.unicodeScalars.contains(where: { $0.value == 0xFE0F || $0.value == 0x20E3 }) { return true }
  return first.value > 0x2100 && first.properties.isEmoji && first.properties.generalCategory == .otherSymbol
}

/// Whether a reflection only says in words that there is none: "nothing", 없음, 特になし, 没有.
func isSkippedInWords(_ text: String) -> Bool {
  var scalars = withoutSpaces(folded(text))
  while let last = scalars.last, !last.properties.isAlphabetic, !("0"..."9").contains(last) { scalars.removeLast() }
  var word = String.UnicodeScalarView()
  word.append(contentsOf: scalars)
  return word.isEmpty || skippingWords.contains(String(word))
}

private let skippingWords: Set<String> = [
  "none", "nothing", "n/a", "na", "no", "nope", "idk", "notsure", "idon'tknow", "idontknow", "skip", "pass",
  "없음", "없다", "없어", "없어요", "없습니다", "딱히없음", "딱히없다", "딱히없어", "딱히없어요", "특별히없음", "특별히없어요", "모름", "모르겠음", "모르겠어",
  "모르겠어요", "모르겠다", "모르겠습니다", "몰라", "몰라요", "패스",
  "なし", "無し", "ない", "特になし", "特に無し", "特にない", "特にありません", "ありません", "わからない", "分からない", "わかりません", "分かりません", "パス",
  "无", "没", "没有", "没什么", "没有什么", "不知道", "不清楚", "暂无", "跳过",
]

/// Whether two answers say the same, marks, spaces and case aside.
func saysTheSame(_ one: String, _ other: String) -> Bool {
  func core(_ text: String) -> [Unicode.Scalar] {
    folded(text).filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }
  let first = core(one)
  return !first.isEmpty && first == core(other)
}
