/// The address line of a letter: what is ours around the name, which is the person's own.
struct AddressLine {
  var before = ""
  var name: String
  var after = ""
}

/// The line that addresses the other, with `shown` in the place of the name where that is not to be seen. The form goes by the name
/// itself: 어머니 gets 께 whatever stands for it.
public func letterAddressLine(
  _ addressee: String, language: LetterLanguage, register: LetterRegister, kind: ConflictKind, shownAs shown: String
) -> String? {
  guard let name = cleanedLine(addressee) else { return nil }
  let line = addressLine(name, language: language, voice: Voice(register, language: language, kind: kind))
  return line.before + (shown == addressee ? line.name : shown) + line.after
}

/// The line that addresses the other. No rank and no dear word is added that was not typed.
func addressLine(_ addressee: String, language: LetterLanguage, voice: Voice) -> AddressLine {
  let name = isRightToLeft(addressee) ? "\u{2068}" + addressee + "\u{2069}" : addressee
  switch language {
  case .en: return englishAddress(name, voice: voice)
  case .ko: return koreanAddress(name, voice: voice)
  case .ja:
    let stays = ["様", "さま", "殿", "へ"].contains(where: spokenPart(of: name).hasSuffix) || endsInMark(name)
    return AddressLine(name: name, after: stays ? "" : "へ")
  case .zhHans:
    return AddressLine(name: name, after: name.last.map("：:，,！!".contains) == true ? "" : "：")
  }
}

private func endsInMark(_ name: String) -> Bool {
  name.last.map { isEndMark($0) || isHangingMark($0) } ?? false
}

private func englishAddress(_ name: String, voice: Voice) -> AddressLine {
  let first = name.prefix { $0.isLetter }.lowercased()
  if endsInMark(name) { return AddressLine(name: name) }
  if ["dear", "hi", "hello", "hey"].contains(first) { return AddressLine(name: name, after: ",") }
  if first == "my", name.contains(" ") {
    return AddressLine(name: name.prefix(1).uppercased() + name.dropFirst(), after: ",")
  }
  return AddressLine(before: voice == .casual ? "Hi " : "Dear ", name: name, after: ",")
}

private func koreanAddress(_ name: String, voice: Voice) -> AddressLine {
  if endsInMark(name) { return AddressLine(name: name) }
  let spoken = spokenPart(of: name)
  if ["에게", "께", "한테"].contains(where: spoken.hasSuffix) { return AddressLine(name: name) }
  if spoken.hasSuffix("야") || spoken.hasSuffix("아") { return AddressLine(name: name, after: ",") }
  let word = spoken.split(separator: " ").last ?? spoken
  if ["여보", "자기", "당신"].contains(word) { return AddressLine(name: name, after: ",") }
  let isElder = ["님", "어머니", "아버지", "할머니", "할아버지"].contains(where: spoken.hasSuffix)
  let isParent = voice != .casual && ["엄마", "아빠"].contains(word)
  return AddressLine(name: name, after: isElder || isParent ? "께" : "에게")
}
