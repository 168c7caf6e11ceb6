/// The register of a letter for which none was chosen: by language and relationship, raised to polite, never lowered, by an
/// addressee who is spoken to with respect (어머님, 部長, 王老师, Dr. Lee).
public func defaultRegister(language: LetterLanguage, kind: ConflictKind, addressee: String?) -> LetterRegister {
  switch (language, kind) {
  case (_, .inLaws), (.ja, .parentChild): return .polite
  case (_, .friends), (_, .couple), (_, .siblings), (_, .parentChild): break
  }
  guard let addressee = addressee.flatMap(cleanedLine) else { return .casual }
  return asksForRespect(addressee) ? .polite : .casual
}

private let respectfulEndings = [
  "님", "씨", "어머니", "아버지", "부모님", "선생님", "팀장", "과장", "차장", "부장", "실장", "사장", "대표", "교수", "원장", "대리",
  "様", "さま", "先生", "部長", "課長", "社長", "店長", "教授", "お義母さん", "お義父さん",
  "老师", "总", "经理", "主任", "阿姨", "叔叔", "伯母", "伯父", "岳父", "岳母", "公公", "婆婆",
]

private let respectfulTitles: Set<String> = ["mr", "mrs", "ms", "dr", "prof", "professor"]

private func asksForRespect(_ addressee: String) -> Bool {
  let name = spokenPart(of: addressee)
  if respectfulEndings.contains(where: name.hasSuffix) { return true }
  return addressee.split { !$0.isLetter }.contains { respectfulTitles.contains($0.lowercased()) }
}

/// A name without the marks and emoji behind it.
func spokenPart(of name: String) -> Substring {
  var rest = Substring(name)
  while let last = rest.last, !last.isLetter && !last.isNumber { rest.removeLast() }
  return rest
}
