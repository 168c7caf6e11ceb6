import KindVerbAPI

/// Readings as a person reads them.
struct HealthText {
  let session: Session

  init(_ session: Session) { self.session = session }

  /// A part of a day.
  func name(_ part: HealthPart) -> String {
    switch part {
    case .morning: session.text(.cliHealthMorning)
    case .evening: session.text(.cliHealthEvening)
    case .weight: session.text(.cliHealthWeight)
    }
  }

  func pressure(_ systolic: Int, _ diastolic: Int) -> String { "\(systolic)/\(diastolic) mmHg" }

  func weight(_ kilograms: Double) -> String { Self.tenths(kilograms) + " kg" }

  /// A number with one digit after the point.
  static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  /// What a part of a record holds; nil if nothing.
  func value(_ part: HealthPart, of record: DailyHealthRecord?) -> String? {
    guard let record else { return nil }
    switch part {
    case .morning: return pressure(of: record.morningSystolic, record.morningDiastolic)
    case .evening: return pressure(of: record.eveningSystolic, record.eveningDiastolic)
    case .weight: return record.weightKg.map(weight)
    }
  }

  private func pressure(of systolic: Int?, _ diastolic: Int?) -> String? {
    guard let systolic, let diastolic else { return nil }
    return pressure(systolic, diastolic)
  }

  func status(_ status: DayStatus) -> String {
    switch status {
    case .complete: session.text(.cliHealthComplete)
    case .partial: session.text(.cliHealthPartial)
    case .none: session.text(.cliHealthNone)
    }
  }
}

extension Slot {
  var part: HealthPart { self == .morning ? .morning : .evening }
}

/// What the verbs that record have in common.
enum HealthChanges {
  /// Shows what was recorded.
  static func show(_ change: HealthChange, _ part: HealthPart, _ session: Session) {
    let text = HealthText(session)
    session.show(change) {
      let value = text.value(part, of: change.record) ?? session.text(.cliHealthNothing)
      let key: MessageKey = change.replaced ? .cliHealthReplaced : .cliHealthRecorded
      let next = change.replaced && !session.options.isDryRun ? session.next("undo") : ""
      session.terminal.say(session.text(key, change.dateIso, text.name(part), value))
      if change.countsForYesterday { session.terminal.say(session.text(.cliHealthCountsForYesterday)) }
      if !next.isEmpty, session.terminal.isTerminal { session.terminal.say(String(next.dropFirst())) }
    }
  }

  /// Shows what was taken away.
  static func showCleared(_ change: HealthChange, _ part: HealthPart, _ session: Session) {
    session.show(change) {
      let next = session.terminal.isTerminal && !session.options.isDryRun ? session.next("undo") : ""
      session.terminal.say(session.text(.cliHealthCleared, change.dateIso, HealthText(session).name(part)) + next)
    }
  }

  /// Records, and where something else is there, asks whether it is to be replaced; in a script `--replace` says so.
  static func record<Method: ContractMethod>(
    _ part: HealthPart, _ value: String, by method: Method.Type, replace: Bool, _ session: Session,
    _ params: (_ replace: Bool) -> Method.Params
  ) throws(Failure) where Method.Result == HealthChange {
    do {
      return show(try session.call(method, params(replace)), part, session)
    } catch {
      guard error.messageKey == ErrorKey.healthSlotTaken.rawValue else { throw error }
      guard session.terminal.isInteractive, !session.options.isJSON else {
        throw error.saying(session.text(.cliHealthTaken, session.text(.errorHealthSlotTaken)))
      }
    }
    // Which date it is, only the daemon knows: a trial tells.
    let date = try session.trial(method, params(true)).dateIso
    let day = try session.call(Methods.HealthDayGet.self, .init(dateIso: date))
    let text = HealthText(session)
    let former = text.value(part, of: day.record) ?? session.text(.cliHealthNothing)
    let question = session.text(.cliHealthReplaceQuestion, date, text.name(part), former, value)
    if !session.options.isConfirmed, try !Values.agrees(session, question, byDefault: false) {
      throw Failure(.failed, session.text(.cliNothingDone))
    }
    show(try session.call(method, params(true)), part, session)
  }
}
