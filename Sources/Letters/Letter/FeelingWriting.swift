extension Composer {
  /// Writes the feelings: what was felt then, what is felt now, what is felt beside it, the person's own words.
  func writeFeelings(on page: inout Page) {
    let joiner = FeelingJoiner(language: language, voice: bank.voice, isHumble: bank.isHumble)
    for (index, row) in inThrees(feelings.main).enumerated() {
      if index == 0 {
        tell(row, joiner.blank(for: row, as: .felt), .felt, on: &page)
      } else {
        tell(row, joiner.blank(for: row, as: .more), .feltMore, shift: index - 1, on: &page)
      }
    }
    for (index, row) in inThrees(feelings.regret).enumerated() {
      let standsFirst = feelings.main.isEmpty && index == 0
      let blank = joiner.blank(for: row, as: .regret)
      tell(row, blank, .regret, row: standsFirst ? "regretAlone" : nil, shift: index, on: &page)
    }
    for (index, row) in inThrees(feelings.warm).enumerated() {
      if feelings.main.isEmpty && feelings.regret.isEmpty && index == 0 {
        tell(row, joiner.blank(for: row, as: .warmAlone), .regret, row: "warmAlone", on: &page)
      } else {
        tell(row, joiner.blank(for: row, as: .warm), .warm, shift: index, on: &page)
      }
    }
    writeOwnWords(on: &page)
  }

  private func tell(
    _ feelings: [BuiltInFeeling], _ blank: (name: String, value: String), _ slot: Slot, row: String? = nil, shift: Int = 0,
    on page: inout Page
  ) {
    say(slot, row: row, shift: shift, on: &page) { phrase in
      [Page.Piece(text: fill(phrase, blank.name, with: blank.value), source: .phrase(slot))]
    }
  }

  private func writeOwnWords(on page: inout Page) {
    guard !feelings.words.isEmpty else { return }
    let slot: Slot = feelings.hasTags ? .wordMore : .wordFirst
    say(slot, shift: shiftForSeveralWords(in: slot), on: &page) {
      sentence($0, around: quotedWords(feelings.words), slot: slot)
    }
    if isSafe && feelings.words.contains(where: DisguisedJudgement.isNamed) { say(.wordSoften, on: &page) }
  }

  /// Several words are not told as "in a word" (한마디로, ひと言で, 用一个词): the slot's phrase two further on stands in.
  private func shiftForSeveralWords(in slot: Slot) -> Int {
    guard slot == .wordFirst, feelings.words.count > 1 else { return 0 }
    let index = bank.index(of: slot)
    switch language {
    case .en: return index < 2 ? 2 : 0
    case .ko, .ja, .zhHans: return index == 2 ? 2 : 0
    }
  }
}
