/// One thing that a paragraph says.
enum Step: Equatable {
  case phrase(Slot)
  /// The first phrase of the slot, whatever the draft.
  case first(Slot)
  case situation, feelings, hurt, own, need
  /// The request; the softer one puts a condition before it.
  case ask(afterCondition: Bool)
}

/// The order of a letter, paragraph by paragraph. Situation, feelings, need and request keep their order in every plan.
func plan(for tone: LetterTone, iteration: Int, hasOwnPart: Bool) -> [[Step]] {
  let isEven = iteration % 2 == 0
  let view: [Step] = [.phrase(.view), .feelings]
  let end: [[Step]] = [[.ask(afterCondition: false), .phrase(.wayOut)], [.phrase(.close)]]
  switch tone {
  case .neutralWarm:
    let middle: [[Step]] = isEven ? [[.need], [.own]] : [[.own], [.need]]
    return [[.phrase(.opening), .phrase(.care)], [.situation], view, [.hurt]] + middle + end
  case .softer:
    let middle: [[Step]] = isEven ? [[.own], [.need]] : [[.need], [.own]]
    let softEnd: [[Step]] = [[.ask(afterCondition: true), .phrase(.wayOut)], [.phrase(.close)]]
    return [[.phrase(.opening), .phrase(.cushion), .phrase(.care)], [.situation], view, [.hurt]] + middle + softEnd
  case .concise:
    return [
      [.phrase(.openingShort)], [.situation], [.phrase(.viewShort), .feelings], [.hurt], [.own], [.need],
      [.phrase(.askShort), .phrase(.wayOutShort), .first(.close)],
    ]
  case .sincere:
    let start: [[Step]] = [[.phrase(.opening), .phrase(.honest), .phrase(.care)], [.situation]]
    // The own part comes first here, except in every second draft; without one, view and feelings stay together.
    if hasOwnPart && !isEven { return start + [[.phrase(.view), .own], [.feelings], [.hurt], [.need]] + end }
    return start + [view, [.hurt], [.own], [.need]] + end
  }
}

/// The order where the answers speak of danger, in any tone: nothing invites the other closer, takes half the blame or asks.
let safetyPlan: [[Step]] = [
  [.phrase(.openingShort)], [.situation], [.feelings], [.hurt], [.own], [.need], [.phrase(.closeSafe)],
]
