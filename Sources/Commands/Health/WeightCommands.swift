import KindVerbAPI

/// `weight …`
enum WeightCommands {
  static func set(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard let word = arguments.words.first else { throw .missing("KG", session) }
    let kilograms = try HealthWords.weight(arguments.words.count == 1 ? word : arguments.words.joined(separator: " "), session)
    try HealthChanges.record(
      .weight, HealthText(session).weight(kilograms), by: Methods.HealthWeightSet.self, replace: arguments["replace"] != nil,
      session
    ) { replace in
      .init(weightKg: kilograms, dateIso: arguments["date"], replace: replace ? true : nil)
    }
  }

  static func clear(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let date: String
    if let given = arguments.words.first {
      date = given
    } else {
      date = try session.call(Methods.HealthDayGet.self, .init()).dateIso
    }
    let change = try session.call(Methods.HealthWeightClear.self, .init(dateIso: date))
    HealthChanges.showCleared(change, .weight, session)
  }
}
