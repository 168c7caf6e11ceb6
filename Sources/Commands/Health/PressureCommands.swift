import CivilTime
import KindVerbAPI

/// `bp …`
enum PressureCommands {
  static func set(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard !arguments.words.isEmpty else { throw .missing("SYSTOLIC/DIASTOLIC", session) }
    let (systolic, diastolic) = try HealthWords.pressure(arguments.words, session)
    let clock = WallClock.present
    let time = try arguments["at"].map { (text) throws(Failure) in try self.time(text, session) }
    let second = time.map { $0.minute * 60 } ?? clock.zone.civil(at: clock.now).second
    let slot = try HealthWords.slot(arguments, session) ?? HealthWords.slot(atSecond: second)
    let date = arguments["date"]
    // A date that is none is the daemon's to refuse.
    let measured = time.flatMap {
      HealthWords.instant($0, date: date.flatMap(CivilDate.init(iso:)), slot: slot, now: clock.now, in: clock.zone)
    }
    try HealthChanges.record(
      slot.part, HealthText(session).pressure(systolic, diastolic), by: Methods.HealthRecordSet.self,
      replace: arguments["replace"] != nil, session
    ) { replace in
      .init(
        slot: slot, systolic: systolic, diastolic: diastolic, dateIso: date, measuredAtEpochMs: measured.map { Int($0) },
        replace: replace ? true : nil)
    }
  }

  private static func time(_ text: String, _ session: Session) throws(Failure) -> TimeOfDay {
    guard let time = TimeOfDay(text) else { throw .usage(session.text(.cliHealthNoTime, "--at", text)) }
    return time
  }

  static func clear(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let given = try HealthWords.slot(arguments, session)
    let day = try session.call(Methods.HealthDayGet.self, .init(dateIso: arguments.words.first))
    let slot: Slot
    switch (given, day.record?.morningSystolic != nil, day.record?.eveningSystolic != nil) {
    case (let given?, _, _): slot = given
    case (nil, true, true): throw .usage(showing: session.text(.cliHealthWhichSlot))
    case (nil, _, let isEvening): slot = isEvening ? .evening : .morning
    }
    let change = try session.call(Methods.HealthRecordClear.self, .init(dateIso: day.dateIso, slot: slot))
    HealthChanges.showCleared(change, slot.part, session)
  }
}
