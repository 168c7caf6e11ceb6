import CivilTime
import Glibc
import KindVerbAPI

/// Readings as a person types them. What is not plainly a reading is refused with how it is written; nothing is guessed.
enum HealthWords {
  /// Upper and lower pressure: `128/82`, or `128 82`. The limits are the daemon's.
  static func pressure(_ words: [String], _ session: Session) throws(Failure) -> (systolic: Int, diastolic: Int) {
    let parts = words.count == 1 ? words[0].split(whereSeparator: { "/ ".contains($0) }, keepsEmpty: true) : words
    guard parts.count == 2 else { throw .usage(showing: session.text(.cliHealthForm)) }
    return (try whole(parts[0], .cliFieldSystolic, session), try whole(parts[1], .cliFieldDiastolic, session))
  }

  private static func whole(_ text: String, _ field: MessageKey, _ session: Session) throws(Failure) -> Int {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard isPlain(digits), let number = Int(text) else {
      let expected = session.text(.cliErrorExpected, session.text(.cliExpectedInteger))
      throw .usage(session.text(.cliErrorWrongValue, session.text(field), text) + " " + expected)
    }
    return number
  }

  /// Weight in kg: digits, and after a point more of them. A comma may mean thousands or tenths, so it is neither.
  static func weight(_ text: String, _ session: Session) throws(Failure) -> Double {
    let parts = (text.hasPrefix("-") ? text.dropFirst() : text[...]).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy(isPlain), let number = Double(text) else {
      let wrong = session.text(.cliErrorWrongValue, session.text(.cliFieldWeightKg), text)
      throw .usage(wrong + " " + session.text(.cliHealthWeightForm))
    }
    return number
  }

  /// Whether a text is a few digits of ASCII and nothing else.
  private static func isPlain(_ text: Substring) -> Bool {
    (1...6).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The slot that an option names; nil where none does.
  static func slot(_ arguments: VerbArguments, _ session: Session) throws(Failure) -> Slot? {
    let given = (morning: arguments["morning"] != nil, evening: arguments["evening"] != nil)
    if given.morning, given.evening { throw .usage(showing: session.text(.cliHealthBothSlots)) }
    return given.morning ? .morning : given.evening ? .evening : nil
  }

  /// The slot that the clock on the wall decides for, in seconds since midnight.
  static func slot(atSecond second: Int) -> Slot { !Slot.isNight(second: second) && second < 15 * 3_600 ? .morning : .evening }

  /// When something was measured at a time on the wall. Without a date it is the last time that the wall showed it; of an evening's
  /// date, a time before 04:00 is that of the night after.
  static func instant(_ time: TimeOfDay, date: CivilDate?, slot: Slot, now: Int64, in zone: Zone) -> Int64? {
    if let date {
      let isNight = slot == .evening && Slot.isNight(second: time.minute * 60)
      return zone.instant(of: isNight ? date.adding(days: 1) : date, time)
    }
    let today = zone.date(at: now)
    let latest = [0, -1, -2].compactMap { zone.instant(of: today.adding(days: $0), time) }
    return latest.first { $0 <= now }
  }
}

/// A clock on the wall.
struct LocalClock {
  let now: Int64
  let zone: Zone

  /// The one here.
  static var present: LocalClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LocalClock(now: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000, zone: ZoneSource().read().zone)
  }

  /// The one that the daemon goes by, which decides for dates: its zone may be another than this shell's.
  static func ofDaemon(_ session: Session) throws(Failure) -> LocalClock {
    try present.moved(toMinutes: session.call(Methods.ReminderUpcoming.self, .init(limit: 1)).utcOffsetMinutes)
  }

  /// The same instant in a zone of which only the present offset is known. It is taken for the one here where that has the same, since
  /// the one here knows when clocks are changed.
  func moved(toMinutes offset: Int) -> LocalClock {
    zone.offset(at: now) / 60 == offset ? self : LocalClock(now: now, zone: .fixed(offset * 60))
  }

  private var wall: (date: CivilDate, second: Int) { zone.civil(at: now) }

  /// The slot that it decides for.
  var slot: Slot { HealthWords.slot(atSecond: wall.second) }

  /// Whether it is the night that belongs to the evening before.
  var isNight: Bool { Slot.isNight(second: wall.second) }

  /// The date of that slot, by the daemon's rule.
  var date: CivilDate {
    guard isNight else { return wall.date }
    // Not simply a day less: a zone that moved over the date line has left one out.
    let midnight = TimeOfDay(minute: 0).flatMap { zone.instant(of: wall.date, $0) }
    return midnight.map { zone.date(at: $0 - 1) } ?? wall.date.adding(days: -1)
  }
}

extension String {
  /// Its parts between characters, as strings.
  fileprivate func split(whereSeparator isSeparator: (Character) -> Bool, keepsEmpty: Bool) -> [String] {
    split(omittingEmptySubsequences: !keepsEmpty, whereSeparator: isSeparator).map(String.init)
  }
}
