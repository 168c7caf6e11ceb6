import Testing

@testable import Deidentification

struct MaskingTests {
  @Test(arguments: koreanCases + japaneseCases + chineseCases + englishCases)
  func whatTellsIsMaskedAndNothingElse(_ marked: Marked) {
    let masked = deidentify([marked.text])
    #expect(Marked.blanked(masked) == [marked.blanked])
    #expect(isExactly(masked.restore(masked.parts[0]).text, marked.text))
  }

  @Test func everyLanguageHasItsTable() {
    for cases in [koreanCases, japaneseCases, chineseCases, englishCases] { #expect(cases.count >= 90) }
  }
}
