import Testing

@testable import Letters

@Suite("Size of our words")
struct SizeTests {
  /// The sizes that the specification gives for the worked letters.
  static let known = [
    "E1": 111, "E2": 140, "E3": 75, "K1": 266, "K2": 351, "K3": 206, "J1": 290, "J2": 346, "J3": 183, "Z1": 190, "Z2": 194,
    "Z3": 109,
  ]

  @Test(arguments: WorkedLetter.all)
  func worked(_ letter: WorkedLetter) {
    let inspection = Inspection(letter.request, nil)
    #expect(inspection.size == Self.known[letter.request.answers.journalId])
  }
}
