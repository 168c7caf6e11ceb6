import Testing

@testable import Letters

@Suite("Variation")
struct VariationTests {
  /// Every slot's name with every relationship's care, as the catalog must have them.
  private static func keys() -> Set<String> {
    var keys: Set<String> = []
    for voice in Voice.allCases {
      for slot in Slot.allCases where slot != .care {
        for index in 1...slot.count { keys.insert("letter.\(voice.rawValue).\(slot.rawValue).\(index)") }
      }
      for row in ["regretAlone", "warmAlone"] {
        for index in 1...4 { keys.insert("letter.\(voice.rawValue).\(row).\(index)") }
      }
      for index in 3...4 { keys.insert("letter.\(voice.rawValue).care.any.\(index)") }
      for kind in ConflictKind.allCases where voice != .formal || kind == .inLaws {
        for index in 1...2 { keys.insert("letter.\(voice.rawValue).care.\(kind.rawValue).\(index)") }
      }
    }
    for feeling in BuiltInFeeling.allCases { keys.insert("emotion.\(feeling.code).label") }
    for notice in SafetyNotice.allCases { keys.insert(notice.rawValue) }
    return keys
  }

  @Test func catalogHasExactlyTheKeys() {
    let keys = Set(LetterCatalog.keys)
    #expect(keys == Self.keys(), "\(keys.symmetricDifference(Self.keys()).sorted())")
  }

  @Test func choiceIsFixedForever() {
    #expect(seed("") == 0xecba_3df2_c338_3c52)
    #expect((1...8).map { choice(of: 4, slot: "opening", journal: "E1", iteration: $0) } == [2, 3, 0, 1, 3, 0, 1, 2])
  }

  @Test func neighboursDifferInEverySlot() {
    for slot in Slot.allCases {
      for journal in ["a", "b", "c"] {
        let picks = (1...40).map { choice(of: slot.count, slot: slot.rawValue, journal: journal, iteration: $0) }
        #expect(!zip(picks, picks.dropFirst()).contains { $0 == $1 }, "\(slot)")
      }
    }
  }

  @Test(arguments: LetterLanguage.allCases)
  func draftsAreDistinct(_ language: LetterLanguage) {
    for journal in MatrixJournal.all(for: language) {
      for tone in LetterTone.allCases {
        let letters = (1...16).map {
          composeLetter(LetterRequest(answers: journal.answers, tone: tone, language: language, iteration: $0)).content
        }
        let expected = tone == .concise && journal.name == "word" ? 8 : 16
        #expect(Set(letters).count >= expected, "\(journal.name) \(tone)")
      }
    }
  }

  @Test func sameRequestSameLetter() {
    let request = WorkedLetter.korean[1].request
    let letter = composeLetter(request)
    for _ in 0..<5 { #expect(composeLetter(request) == letter) }
    var other = request
    other.answers.journalId = "another"
    #expect(composeLetter(other).content != letter.content)
  }

  @Test func oddIterations() {
    var request = WorkedLetter.english[0].request
    let first = composeLetter(request)
    for iteration in [0, -5, Int.min] {
      request.iteration = iteration
      #expect(composeLetter(request) == first)
    }
    request.iteration = .max
    #expect(!composeLetter(request).content.isEmpty)
  }
}
