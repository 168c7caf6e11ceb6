import KindVerbAPI

/// `weight …`
enum WeightCommands {
  static func set(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard arguments.words.isEmpty else {
      return try record(HealthWords.weight(arguments.words.joined(separator: " "), session), session, arguments)
    }
    try HealthPrompt(.cliHealthAskWeight, missing: "KG").ask(
      session, about: nil, reads: { (line) throws(Failure) in try HealthWords.weight(line, session) },
      records: { (kilograms) throws(Failure) in try record(kilograms, session, arguments) })
  }

  private static func record(_ kilograms: Double, _ session: Session, _ arguments: VerbArguments) throws(Failure) {
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
