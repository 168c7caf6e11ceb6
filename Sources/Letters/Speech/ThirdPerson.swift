/// Words by which the other is spoken about instead of spoken to. Such a text is no letter, so it is quoted.
enum ThirdPerson {
  private static let english = PhraseMatcher(words: ["he", "she", "him", "her", "his", "hers"])
  private static let korean = PhraseMatcher(anywhere: [
    "상대", "그 사람", "그이", "걔", "그녀", "남편", " 아내", "와이프", "남자친구", "여자친구", "남친", "여친",
  ])
  private static let japanese = PhraseMatcher(anywhere: ["彼", "相手", "あの人", "あの子", "あいつ", "夫", "妻", "旦那"])
  private static let notJapanese = PhraseMatcher(anywhere: ["大丈夫"])
  private static let chinese = PhraseMatcher(anywhere: ["他", "她", "对方", "老公", "老婆", "那个人"])
  private static let notChinese = PhraseMatcher(anywhere: ["其他", "吉他"])

  /// Whether a text, written in the letter's language, speaks of the other outside quotation marks.
  static func speaks(in text: String, language: LetterLanguage) -> Bool {
    let said = folded(outsideQuotes(text))
    switch language {
    case .en: return english.matches(said)
    case .ko: return korean.matches([" "] + said)
    case .ja: return japanese.matches(notJapanese.removing(from: said))
    case .zhHans: return chinese.matches(notChinese.removing(from: said))
    }
  }
}
