@testable import Letters

/// The checks that a program can make on one letter, by their numbers in the writers' checklist.
extension Inspection {
  func findings() -> [String] {
    var findings = Findings()
    checkAnswers(&findings)
    checkFeelings(&findings)
    checkResidue(&findings)
    checkSeams(&findings)
    checkQuotes(&findings)
    checkParts(&findings)
    checkWords(&findings)
    checkLevel(&findings)
    checkApology(&findings)
    checkCapitals(&findings)
    checkBeginnings(&findings)
    return findings.list
  }

  /// 1: every answer is in the letter, whole.
  private func checkAnswers(_ findings: inout Findings) {
    let answers = request.answers
    for answer in [answers.situation, answers.hurt, answers.reflection, answers.need] {
      guard let answer, let text = cleaned(answer) else { continue }
      if answer == answers.reflection, isSkippedInWords(answer) { continue }
      if answer == answers.hurt, saysTheSame(answer, answers.situation) { continue }
      var core = Substring(text)
      while let last = core.last, ".。,，、;；:：".contains(last) { core.removeLast() }
      let capital = core.prefix(1).uppercased() + core.dropFirst()
      findings.expect(content.contains(core) || (language == .en && content.contains(capital)), "1: not whole: \(core)")
    }
  }

  /// 2: every feeling has its form once, own words stand in quotes.
  private func checkFeelings(_ findings: inout Findings) {
    let told: Set<Slot> = [.felt, .feltMore, .regret, .warm]
    let text = words(without: Set(Slot.allCases).subtracting(told))
    for feeling in request.answers.feelings {
      if let tag = BuiltInFeeling(matching: feeling, language: language) {
        findings.expect(count(of: tag, in: text) == 1, "2: \(tag.code) in “\(text)”")
      } else {
        let word = isRightToLeft(feeling) ? "\u{2068}\(feeling)\u{2069}" : feeling
        let quoted = ["“\(word)”", "‘\(word)’", "「\(word)」", "『\(word)』"].contains(where: content.contains)
        findings.expect(quoted || (feeling.hasPrefix("“") && content.contains(feeling)), "2: own word \(feeling)")
      }
    }
  }

  private func count(of tag: BuiltInFeeling, in text: String) -> Int {
    switch language {
    case .en: text.ranges(of: tag.phrase.en).count
    case .zhHans: text.ranges(of: tag.phrase.zh).count
    case .ko:
      [tag.korean(humble: composer.bank.isHumble)].map { forms in
        let stem = forms.connective.dropLast().replacing("마음이 ", with: "")
        let past = forms.past.replacing("마음이 ", with: "")
        let formal = forms.formalPast.replacing("마음이 ", with: "")
        let noun = tag == .guilty ? "죄책감" : tag == .relieved ? "안도감" : "―"
        return [stem + "고 ", stem + "기도", past, formal, forms.adnominal + " 마음", noun].contains(where: text.contains) ? 1 : 0
      }[0]
    case .ja:
      [tag.japanese.continuing + "、", tag.japanese.plainPast, tag.japanese.politePast, tag.japanese.noun]
        .contains(where: text.contains) ? 1 : 0
    }
  }

  /// 3, 4, 12: no code, blank, label or doubled particle in our words.
  private func checkResidue(_ findings: inout Findings) {
    let ours = paragraphs.joined(separator: "\n")
    findings.expect(!ours.contains(where: "{}%<>*#_".contains), "3: residue")
    let camel = zip(ours, ours.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
    findings.expect(!camel, "3: camelCase")
    if language != .en { findings.expect(!ours.contains { $0.isASCII && $0.isLetter }, "3: Latin letters") }
    let labels = ["Situation", "Feelings", "Need", "Request", "상황", "감정", "욕구", "부탁", "状況", "感情", "ニーズ", "情境", "感受", "需要"]
    for sentence in sentences {
      let isLabel = labels.contains { sentence.hasPrefix($0 + ":") || sentence.hasPrefix($0 + "：") }
      findings.expect(!isLabel, "4: label \(sentence)")
    }
    for doubled in ["(는)", "(를)", "(가)", "(와)", "(으)", "은(", "을(", "이("] {
      findings.expect(!ours.contains(doubled), "12: \(doubled)")
    }
  }

  /// 5: nothing doubled where our words and the person's meet.
  private func checkSeams(_ findings: inout Findings) {
    let marks = ".,!?。，、！？：；:;"
    for paragraph in page.paragraphs {
      for (piece, next) in zip(paragraph, paragraph.dropFirst()) {
        guard let last = piece.text.last, let first = next.text.first else { continue }
        let isDoubled = marks.contains(last) && marks.contains(first)
        findings.expect(!isDoubled, "5: \(piece.text)|\(next.text)")
        findings.expect(
          !(last.isWhitespace && (first.isWhitespace || marks.contains(first))), "5: space \(piece.text)|\(next.text)")
      }
    }
    for bad in ["”.”", ".”.", "。”。", "。」。", "！」！", "  "] {
      findings.expect(!paragraphs.joined().contains(bad), "5: \(bad)")
    }
    let tight = content.replacing("...", with: "…")
    for bad in [".”.", "。”。", "。」。"] { findings.expect(!tight.contains(bad), "5: \(bad)") }
  }

  /// 6: quotes pair, and none stand around a text that has them.
  private func checkQuotes(_ findings: inout Findings) {
    for paragraph in paragraphs {
      let characters = Array(paragraph)
      var open: [Character] = []
      for (index, character) in characters.enumerated() {
        switch character {
        case "“", "「", "『", "‘": open.append(character)
        case "’" where index > 0 && characters[index - 1].isLetter: break
        case "”", "」", "』", "’":
          let awaited: Character = character == "”" ? "“" : character == "」" ? "「" : character == "』" ? "『" : "‘"
          findings.expect(open.popLast() == awaited, "6: \(paragraph)")
        default: break
        }
      }
      findings.expect(open.isEmpty, "6: open in \(paragraph)")
    }
    for paragraph in page.paragraphs {
      for index in paragraph.indices.dropFirst().dropLast() where paragraph[index].source == .person {
        let outer = (paragraph[index - 1].text.last, paragraph[index + 1].text.first)
        let text = paragraph[index].text
        if outer == ("“", "”") { findings.expect(!text.contains("“") && !text.contains("”"), "6: “ inside “ ”") }
        if outer == ("「", "」") { findings.expect(!text.contains("「") && !text.contains("」"), "6: 「 inside 「」") }
      }
    }
  }

  /// 8, 18, 20: the parts of the letter, each once and in the tone's order.
  private func checkParts(_ findings: inout Findings) {
    let slots = slots
    for group in [[Slot.view, .viewShort], [.ask, .askShort], [.wayOut, .wayOutShort], [.close]] {
      findings.expect(slots.count(where: group.contains) == 1, "8: \(group)")
    }
    findings.expect(hasAddressLine == (request.answers.addressee != nil), "8: address line")
    let ownSlots: [Slot] = [.own, .ownWord, .sorry, .said]
    if composer.reflection == nil {
      findings.expect(!slots.contains(where: ownSlots.contains), "20: a trace of the own part")
    } else {
      findings.expect(slots.contains(.own) || slots.contains(.ownWord), "20: own part is missing")
    }
    let expected = expectedOrder().filter { part in slots.contains(where: part.contains) }
    let actual = slots.compactMap { slot in expected.firstIndex { $0.contains(slot) } }
    findings.expect(actual == actual.sorted(), "18: \(slots)")
    findings.expect(Set(actual).count == expected.count && actual.count == slots.count, "18: parts \(slots)")
  }

  private func expectedOrder() -> [Set<Slot>] {
    let own: Set<Slot> = [.own, .ownWord, .sorry, .said]
    let need: Set<Slot> = [.need, .needWord]
    let hurt: Set<Slot> = [.hurt, .hurtWord]
    let situation: Set<Slot> = [.situationOwn, .situationNote, .situationWord]
    let feelings: Set<Slot> = [.felt, .feltMore, .regret, .warm, .wordFirst, .wordMore, .wordSoften]
    let isEven = request.iteration % 2 == 0
    switch request.tone {
    case .neutralWarm:
      let middle = isEven ? [need, own] : [own, need]
      return [[.opening], [.care], situation, [.view], feelings, hurt] + middle + [[.ask], [.wayOut], [.close]]
    case .softer:
      let middle = isEven ? [own, need] : [need, own]
      return [[.opening], [.cushion], [.care], situation, [.view], feelings, hurt] + middle + [
        [.ifOpen], [.ask], [.wayOut], [.close],
      ]
    case .concise:
      return [[.openingShort], situation, [.viewShort], feelings, hurt, own, need, [.askShort], [.wayOutShort], [.close]]
    case .sincere:
      let middle = isEven ? [feelings, hurt, own] : [own, feelings, hurt]
      return [[.opening], [.honest], [.care], situation, [.view]] + middle + [need, [.ask], [.wayOut], [.close]]
    }
  }

  /// 7: what may follow a person's text. 17: sizes are checked beside each other elsewhere; here only the whole.
  private func checkApology(_ findings: inout Findings) {
    let slots = slots
    if let journal {
      findings.expect(slots.contains(.sorry) == (journal.afterLine == .apology), "13: apology")
      findings.expect(slots.contains(.said) == (journal.afterLine == .neutral), "13: after-line")
    }
    let apologies = ["sorry", "미안", "죄송", "ごめん", "申し訳", "お詫び", "对不起", "抱歉", "过意不去"]
    let free = words(without: [.sorry, .regret, .care, .felt, .feltMore, .warm])
    for word in apologies { findings.expect(!free.contains(word), "13: \(word)") }
    for paragraph in page.paragraphs {
      for (piece, next) in zip(paragraph, paragraph.dropFirst()) where piece.source == .person {
        let follows = next.text == " " || next.text == "\n" || next.text == "\u{3000}" || next.text.first.map(isClosing) == true
        findings.expect(follows || isFollowedByAllowed(next), "7: \(next.text)")
      }
    }
    findings.expect(content.count <= 10_000, "17: \(content.count)")
  }

  private func isFollowedByAllowed(_ next: Page.Piece) -> Bool {
    switch next.source {
    case .phrase(let slot): [.sorry, .said, .wordFirst, .wordMore, .situationWord, .hurtWord, .ownWord, .needWord].contains(slot)
    case .room, .person, .address, .addressee: false
    }
  }
}
