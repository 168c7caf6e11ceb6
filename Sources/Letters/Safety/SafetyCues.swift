/// Looks for danger in answers. When unsure it matches: a false alarm costs a kind sentence, a miss may cost more.
enum SafetyCues {
  /// The notices that some texts call for, each once, in a fixed order.
  static func notices(in texts: [String]) -> [SafetyNotice] {
    var found: Set<SafetyNotice> = []
    for text in texts {
      let spaced = exceptions.removing(from: folded(text))
      let dense = denseExceptions.removing(from: withoutSpaces(spaced))
      for cue in cues where !found.contains(cue.notice) {
        if cue.spaced.matches(spaced) || cue.dense.matches(dense) { found.insert(cue.notice) }
      }
    }
    return SafetyNotice.allCases.filter(found.contains)
  }

  private struct Cue {
    let notice: SafetyNotice
    /// For scripts that write spaces.
    let spaced: PhraseMatcher
    /// For Korean, Japanese and Chinese, without spaces.
    let dense: PhraseMatcher
  }

  private static let cues = [
    Cue(
      notice: .safety, spaced: PhraseMatcher(startingWords: englishViolence, words: englishViolentWords),
      dense: PhraseMatcher(anywhere: koreanViolence + japaneseViolence + chineseViolence)),
    Cue(
      notice: .safetySelf, spaced: PhraseMatcher(startingWords: englishSelfHarm),
      dense: PhraseMatcher(anywhere: koreanSelfHarm + japaneseSelfHarm + chineseSelfHarm)),
    Cue(
      notice: .safetyContact, spaced: PhraseMatcher(startingWords: englishDistance),
      dense: PhraseMatcher(anywhere: koreanDistance + japaneseDistance + chineseDistance)),
  ]

  private static let exceptions = PhraseMatcher(startingWords: ["it hit me that", "beat me at", "beats me at", "kills me that"])

  private static let denseExceptions = PhraseMatcher(anywhere: [
    "때려치", "멍때리", "멍때려", "멍때렸", "때려맞추", "때려맞췄", "비폭력",
    "殴り書き", "悩殺", "太鼓を叩", "ドアを叩", "非暴力",
    "理性的", "感性的", "知性的", "個性的", "男性的", "女性的", "異性的", "个性的", "任性的", "异性的",
    "打我的电话", "打他的电话", "打她的电话", "打我电话", "打他电话", "打她电话", "冷暴力", "想死你", "想死我",
  ])
}
