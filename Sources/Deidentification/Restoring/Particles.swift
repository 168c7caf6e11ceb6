@_spi(_Unicode) import Swift

/// The particle that fits what a token stands for, where another was chosen without knowing it; nil where the one that stands there
/// fits, or nothing can be told. `following` is all the Hangul after the token, `before` what comes after that.
func fittingParticle(_ following: [UInt32], after original: String, before: Unicode.Scalar?) -> String? {
  guard let ending = ending(of: original) else { return nil }
  let written = String(String.UnicodeScalarView(following.compactMap(Unicode.Scalar.init)))
  let hasFinal = ending != .vowel
  if let both = choices[written] { return hasFinal && !(ending == .rieul && written.contains("로")) ? both.consonant : both.vowel }
  if written == "야" && hasFinal { return before == "." || before == nil ? "이야" : "아" }
  if written == "아" && !hasFinal { return "야" }
  guard let fixed = hasFinal ? afterConsonant(written, ending) : afterVowel(written) else { return nil }
  return fixed == written ? nil : fixed
}

private enum Ending { case vowel, rieul, consonant }

/// 은(는): both, as they are written where it is not known.
private let choices: [String: (consonant: String, vowel: String)] = {
  var result: [String: (consonant: String, vowel: String)] = [:]
  for (consonant, vowel) in pairs {
    result["\(consonant)(\(vowel))"] = (consonant, vowel)
    result["\(vowel)(\(consonant))"] = (consonant, vowel)
  }
  for word in ["로", "랑", "나", "라고", "라는", "야"] {
    result["(\(word == "로" ? "으" : "이"))\(word)"] = ((word == "로" ? "으" : "이") + word, word)
  }
  return result
}()

private let pairs = [
  ("은", "는"), ("이", "가"), ("을", "를"), ("과", "와"), ("아", "야"), ("이나", "나"), ("이랑", "랑"), ("으로", "로"), ("이라고", "라고"), ("이라는", "라는"),
]

/// Those that may go on: 과의, 으로부터, 이라고는.
private let open: [(consonant: String, vowel: String)] = [
  ("이라고", "라고"), ("이라는", "라는"), ("이라면", "라면"), ("이라도", "라도"), ("이에요", "예요"), ("이었", "였"), ("이랑", "랑"), ("으로", "로"),
]
private let joined = ["의", "는", "도", "만", "같이", "함께"]

private func afterConsonant(_ written: String, _ ending: Ending) -> String? {
  for pair in pairs where written == pair.1 {
    if pair.1 == "로", ending == .rieul { return nil }
    return pair.0
  }
  if written == "으로", ending == .rieul { return "로" }
  for rest in joined where written == "와" + rest { return "과" + rest }
  if written.hasPrefix("예요") { return "이" + "에요" + written.dropFirst(2) }
  for pair in open where written.hasPrefix(pair.vowel) {
    if pair.vowel == "로", ending == .rieul { return nil }
    return pair.consonant + written.dropFirst(pair.vowel.count)
  }
  if written.hasPrefix("으로"), ending == .rieul { return "로" + written.dropFirst(2) }
  return nil
}

private func afterVowel(_ written: String) -> String? {
  for pair in pairs where written == pair.0 { return pair.1 }
  for rest in joined where written == "과" + rest { return "와" + rest }
  for pair in open where written.hasPrefix(pair.consonant) { return pair.vowel + written.dropFirst(pair.consonant.count) }
  // 이 makes a name of a final softer; a name that ends in a vowel has none.
  let soft = ["가": "가", "는": "는", "를": "를", "도": "도", "한테": "한테", "에게": "에게", "의": "의", "야": "야", "와": "와", "네": "네"]
  if written.hasPrefix("이"), let plain = soft[String(written.dropFirst())] { return plain }
  return nil
}

/// How what stands before a particle ends when it is read; nil where that cannot be told.
private func ending(of original: String) -> Ending? {
  var last: UInt32?
  for scalar in original._nfc
  where isHangul(scalar.value) || isDigit(scalar.value) || isAlphabetLetter(scalar.value) || isHan(scalar.value)
    || isKana(scalar.value)
  {
    last = scalar.value
  }
  guard let last else { return nil }
  if isHangul(last) {
    let final = (last - 0xAC00) % 28
    return final == 0 ? .vowel : final == 8 ? .rieul : .consonant
  }
  // 영 일 이 삼 사 오 육 칠 팔 구
  if isDigit(last) {
    return [.consonant, .rieul, .vowel, .consonant, .vowel, .vowel, .consonant, .rieul, .rieul, .vowel][Int(last - 0x30)]
  }
  return nil
}
