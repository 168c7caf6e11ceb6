import CivilTime
import KindVerbAPI
import Testing

@testable import Commands

private func session(_ language: Language = .en) throws -> Session {
  let terminal = Terminal(isTerminal: false, isInteractive: false, width: nil, hasColour: false)
  return Session(try Options.parse(["--language", language.rawValue]) { _ in nil }, terminal: terminal)
}

private func months(_ month: String, today: String = "2026-11-30", _ there: [Int: (Bool, Bool, Bool)] = [:]) throws
  -> HealthCalendar
{
  let civil = try #require(CivilMonth(iso: month))
  return HealthCalendar(
    month: month, today: today,
    days: (0..<civil.days).map { offset in
      let date = civil.first.adding(days: offset).iso
      let (morning, evening, weight) = there[offset + 1] ?? (false, false, false)
      let status: DayStatus = morning && evening ? .complete : morning || evening || weight ? .partial : .none
      return HealthCalendarDay(
        dateIso: date, morning: morning, evening: evening, weight: weight, status: status, isToday: date == today)
    })
}

private func series(_ days: [(Int?, Int?, Double?)]) -> HealthSeries {
  let first = CivilDate(day: 20_544)
  let entries = days.enumerated().map { offset, day in
    HealthSeriesDay(
      dateIso: first.adding(days: offset).iso, morningSystolic: day.0, morningDiastolic: day.0.map { $0 - 40 },
      eveningSystolic: day.1, eveningDiastolic: day.1.map { $0 - 40 }, weightKg: day.2)
  }
  let count = days.count { $0.0 != nil || $0.1 != nil }
  return HealthSeries(
    from: first.iso, until: first.adding(days: days.count - 1).iso, days: entries,
    means: HealthMeans(
      morning: nil, evening: nil, all: count == 0 ? nil : PressureMean(systolic: 120, diastolic: 80, count: count),
      weight: days.contains { $0.2 != nil } ? WeightMean(weightKg: 68, count: 1) : nil),
    referenceLine: ReferenceLine(systolic: 135, diastolic: 85))
}

@Suite("Readings as they are typed")
struct HealthWordTests {
  @Test("two whole numbers, by a slash or a space", arguments: [["128/82"], ["128 82"], ["128", "82"]])
  func pressure(_ words: [String]) throws {
    #expect(try HealthWords.pressure(words, session()) == (128, 82))
  }

  @Test("limits are the daemon's", arguments: [("-120/80", -120), ("0/0", 0), ("400/90", 400), ("999999/1", 999_999)])
  func limits(_ word: String, _ systolic: Int) throws {
    #expect(try HealthWords.pressure([word], session()).systolic == systolic)
  }

  @Test(
    "anything else is refused with how it is written, in each language",
    arguments: [
      ["120.5/80"], ["120/80/3"], ["120"], [""], ["１２０/80"], ["120/８０"], ["1e3/80"], ["12a/80"], ["120-80"], ["128 / 82"],
      ["128", "/", "82"], ["120,80"], ["/80"], ["120/"], ["+120/80"], ["120/80 mmHg"], ["12345678901234567890/80"], ["0x78/80"],
      ["١٢٠/80"], ["--120/80"], ["128\t82"],
    ])
  func refused(_ words: [String]) throws {
    var messages: Set<String> = []
    for language in Language.allCases {
      let failure = try #require(throws: Failure.self) { _ = try HealthWords.pressure(words, session(language)) }
      #expect(failure.code == .usage)
      messages.insert(failure.message)
    }
    #expect(messages.count == Language.allCases.count)
  }

  @Test("weight: a plain number", arguments: [("68.4", 68.4), ("70", 70), ("68.45", 68.45), ("-5", -5), ("0", 0)])
  func weight(_ word: String, _ number: Double) throws { #expect(try HealthWords.weight(word, session()) == number) }

  @Test(
    "a comma, a unit, other digits and other spellings are refused, never read as something else",
    arguments: [
      "70,5", "1.070,5", "1,070.5", "70.5kg", "70.5 kg", "７０．５", "70．5", "7e1", "70.", ".5", "", "abc", "70 5", "+70", "0x46",
      "inf",
      "nan", "70.5.1", "٧٠", "1234567",
    ])
  func refusedWeight(_ word: String) throws {
    for language in Language.allCases {
      let failure = try #require(throws: Failure.self) { _ = try HealthWords.weight(word, session(language)) }
      #expect(failure.code == .usage && failure.message.contains("70.5"))
      #expect(failure.message.contains(MessageKey.cliFieldWeightKg.text(in: language)))
    }
  }

  @Test("the clock decides for a slot: night is evening, then morning until three")
  func slot() {
    let slots = (0..<24).map { HealthWords.slot(atSecond: $0 * 3_600) }
    #expect(
      slots == [Slot](repeating: .evening, count: 4) + [Slot](repeating: .morning, count: 11)
        + [Slot](repeating: .evening, count: 9))
    #expect(HealthWords.slot(atSecond: 4 * 3_600 - 1) == .evening && HealthWords.slot(atSecond: 15 * 3_600 - 1) == .morning)
  }

  @Test("a time without a date is the last one that the wall showed; of an evening's date, one after midnight is the night's")
  func at() throws {
    let zone = Zone.fixed(9 * 3_600)
    let date = try #require(CivilDate(iso: "2026-05-02"))
    func instant(_ date: CivilDate, _ text: String) throws -> Int64 {
      try #require(TimeOfDay(text).flatMap { zone.instant(of: date, $0) })
    }
    let now = try instant(date, "08:00")
    let late = try #require(TimeOfDay("23:30"))
    let early = try #require(TimeOfDay("00:30"))
    #expect(
      try HealthWords.instant(late, date: nil, slot: .evening, now: now, in: zone) == instant(date.adding(days: -1), "23:30"))
    #expect(try HealthWords.instant(early, date: nil, slot: .evening, now: now, in: zone) == instant(date, "00:30"))
    #expect(
      try HealthWords.instant(early, date: date, slot: .evening, now: now, in: zone) == instant(date.adding(days: 1), "00:30"))
    #expect(try HealthWords.instant(early, date: date, slot: .morning, now: now, in: zone) == instant(date, "00:30"))
    #expect(try HealthWords.instant(late, date: date, slot: .evening, now: now, in: zone) == instant(date, "23:30"))
  }
}

@Suite("The clock on the wall")
struct WallClockTests {
  private func clock(_ iso: String, _ time: String, _ zone: Zone) throws -> LocalClock {
    let instant = try #require(CivilDate(iso: iso).flatMap { date in TimeOfDay(time).flatMap { zone.instant(of: date, $0) } })
    return LocalClock(now: instant, zone: zone)
  }

  @Test("its slot and date are those that the daemon gives an evening after midnight")
  func night() throws {
    for (time, slot, date, isNight) in [
      ("00:00", Slot.evening, "2026-05-01", true), ("03:59", .evening, "2026-05-01", true),
      ("04:00", .morning, "2026-05-02", false),
      ("14:59", .morning, "2026-05-02", false), ("15:00", .evening, "2026-05-02", false),
    ] {
      let clock = try clock("2026-05-02", time, .fixed(9 * 3_600))
      #expect(clock.slot == slot && clock.date.iso == date && clock.isNight == isNight, "\(time)")
    }
  }

  @Test("where a zone left a date out, the evening before is that of the date that there was")
  func dateLine() throws {
    // Samoa, the end of 2011: the 30th of December was left out.
    let change: Int64 = 1_325_239_200_000
    let zone = Zone(changes: [(at: change / 1_000, offset: 14 * 3_600)], before: -10 * 3_600)
    let clock = LocalClock(now: change + 3_600_000, zone: zone)
    #expect(zone.date(at: clock.now).iso == "2011-12-31" && clock.date.iso == "2011-12-29")
  }

  @Test("the daemon's offset counts; its rules are those here where the offset is the same")
  func moved() throws {
    let zone = Zone(changes: [(at: 0, offset: 7_200)], before: 3_600)
    let clock = LocalClock(now: 1_000, zone: zone)
    #expect(clock.moved(toMinutes: 120).zone.offset(at: -1_000) == 3_600)
    #expect(clock.moved(toMinutes: -210).zone.offset(at: 1_000) == -12_600)
  }
}

@Suite("A month on a grid")
struct MonthGridTests {
  @Test("every day stands under its weekday, in every language and month", arguments: Language.allCases)
  func columns(_ language: Language) throws {
    for number in 0..<60 {
      let month = "\(2024 + number / 12)-\(number % 12 < 9 ? "0" : "")\(number % 12 + 1)"
      let all = Dictionary(uniqueKeysWithValues: (1...31).map { ($0, ($0 % 2 == 0, $0 % 3 == 0, $0 % 5 == 0)) })
      let lines = MonthGrid(try months(month, today: month + "-15", all), language, width: 80).lines
      let weeks = lines.dropFirst(2).prefix { !$0.isEmpty }
      let first = try #require(CivilMonth(iso: month)).first
      var shown = 0
      for week in weeks {
        #expect(cellWidth(week) <= 80)
        for (start, day) in Self.numbers(week) {
          shown += 1
          #expect(day == shown)
          let weekday = (first.adding(days: day - 1).weekday - MonthGrid.firstWeekday(language) + 7) % 7
          let cell = 5 + cellWidth(MessageKey.cliCalendarMarks.text(in: language).filter { $0 != " " })
          #expect(start == weekday * cell + 1, "\(month)-\(day) in \(language)")
        }
      }
      #expect(shown == CivilDate.days(inMonth: number % 12 + 1, ofYear: 2024 + number / 12))
      #expect(weeks.joined().contains("[15]"))
    }
  }

  /// The numbers of a line, with the cell where their two digits begin.
  private static func numbers(_ line: String) -> [(Int, Int)] {
    var found: [(Int, Int)] = []
    var cell = 0
    var digits = ""
    for character in line + " " {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else if let number = Int(digits) {
        found.append((cell - 2, number))
        digits = ""
      }
      cell += cellWidth(character)
    }
    return found
  }

  @Test("the week begins on Monday in Chinese and on Sunday elsewhere")
  func firstDay() throws {
    let heads = try Language.allCases.map { MonthGrid(try months("2026-11"), $0, width: 80).lines[1].split(separator: " ").first }
    #expect(heads == ["Su", "일", "日", "一"])
  }

  @Test("marks keep their places, and what is missing is a hole")
  func marks() throws {
    let calendar = try months(
      "2026-11", [1: (true, true, true), 2: (true, false, true), 3: (false, true, false), 4: (false, false, true)])
    let week = MonthGrid(calendar, .en, width: 80).lines[2]
    #expect(week == "  1 MEW   2 M W   3  E    4   W   5       6       7")
    #expect(MonthGrid(calendar, .ko, width: 80).lines[2].hasPrefix("  1 아저체   2 아  체   3   저     4     체"))
  }

  @Test("a narrow terminal gets one mark for a day, and no line is cut")
  func narrow() throws {
    let calendar = try months("2026-11", [1: (true, true, true), 2: (true, false, true)])
    let lines = MonthGrid(calendar, .ko, width: 42).lines
    #expect(lines[2].hasPrefix("  1 *   2 +   3  "))
    #expect(lines.dropLast(2).allSatisfy { cellWidth($0) <= 42 })
  }
}

@Suite("A graph of characters")
struct HealthGraphTests {
  private func plot(_ days: [(Int?, Int?, Double?)], _ language: Language = .en, width: Int = 80, isPlain: Bool = true)
    -> [String]
  {
    HealthGraph(series(days), language, width: width, isPlain: isPlain).lines
  }

  /// The columns of a line's marks after the axis.
  private func columns(_ lines: [String], of marks: Set<Character>) -> Set<Int> {
    var found: Set<Int> = []
    for line in lines {
      guard let axis = line.firstIndex(of: "|") else { continue }
      for (column, character) in line[line.index(after: axis)...].enumerated() where marks.contains(character) {
        found.insert(column)
      }
    }
    return found
  }

  @Test("days 1, 2, 20 and 21 of 30: each in its place, the gap empty but for the reference line")
  func gap() {
    let there: Set = [0, 1, 19, 20]
    let lines = plot((0..<30).map { there.contains($0) ? (120 + $0, nil, 68 + Double($0) / 10) : (nil, nil, nil) })
    #expect(columns(lines, of: ["o"]) == [0, 2, 38, 40])
    #expect(columns(lines, of: ["+"]) == [0, 2, 38, 40], "weight")
    // Joined are the first two and the last two, each over the column between them.
    #expect(columns(lines, of: ["."]).isSubset(of: [0, 1, 2, 38, 39, 40]) && columns(lines, of: ["."]).isSuperset(of: [1, 39]))
  }

  @Test("alternate days are never joined, whichever slot")
  func alternate() {
    let days = (0..<30).map { ($0 % 2 == 0 ? 120 + $0 : nil, $0 % 2 == 1 ? 130 : nil, nil) as (Int?, Int?, Double?) }
    let lines = plot(days)
    #expect(columns(lines, of: ["."]).isEmpty)
    #expect(columns(lines, of: ["o"]) == Set((0..<15).map { $0 * 4 }))
    #expect(columns(lines, of: ["x"]) == Set((0..<15).map { $0 * 4 + 3 }))
  }

  @Test("time has the same scale whether something is there or not")
  func scale() {
    let all = columns(plot((0..<7).map { _ in (120, 125, nil) }), of: ["o"])
    let some = columns(plot((0..<7).map { [0, 3, 6].contains($0) ? (120, nil, nil) : (nil, nil, nil) }), of: ["o"])
    #expect(all == Set((0..<7).map { $0 * 9 + 3 }) && some == [3, 30, 57])
  }

  @Test("the reference line is drawn at 135 and 85 and labelled, and the axis has both", arguments: Language.allCases)
  func reference(_ language: Language) {
    for range in [(60, 70), (120, 125), (90, 260), (250, 255)] {
      let lines = plot([(range.0, range.1, nil)] + (0..<6).map { _ in (nil, nil, nil) }, language)
      for value in ["  135 |", "   85 |"] { #expect(lines.contains { $0.hasPrefix(value) && $0.contains("----") }) }
      #expect(lines.contains { $0.contains(MessageKey.cliHealthReference.text(in: language, "135/85")) })
    }
  }

  @Test(
    "no line is wider than 80 cells or the terminal, and a plain one has no character beyond the language's",
    arguments: Language.allCases)
  func width(_ language: Language) {
    for count in [7, 30] {
      for width in [40, 60, 80] {
        let days = (0..<count).map { (100 + $0 * 5 % 60, 110 + $0 * 7 % 60, 60 + Double($0)) as (Int?, Int?, Double?) }
        for isPlain in [true, false] {
          let lines = plot(days, language, width: width, isPlain: isPlain)
          for line in lines { #expect(cellWidth(line) <= width && line.last != " ") }
          if language == .en, isPlain, width == 80 { #expect(lines.allSatisfy { $0.allSatisfy(\.isASCII) }) }
        }
      }
    }
  }

  @Test("a value stands in the row of its label, to half a row")
  func axis() {
    for least in stride(from: 30, through: 200, by: 7) {
      for most in stride(from: least, through: 260, by: 11) {
        let axis = GraphAxis.pressure([least, most], lines: [135, 85])
        #expect(axis.rows <= 26)
        for value in [least, most, 135, 85] {
          let row = axis.row(of: value)
          #expect((0..<axis.rows).contains(row) && abs(axis.value(ofRow: row) - value) * 2 <= axis.step)
        }
        #expect(axis.value(ofRow: axis.row(of: 135)) == 135 && axis.value(ofRow: axis.row(of: 85)) == 85)
      }
    }
    for least in stride(from: 200, through: 3_000, by: 83) {
      for most in stride(from: least, through: 3_000, by: 97) {
        let axis = GraphAxis.fitting([least, most])
        #expect((2...7).contains(axis.rows) && axis.low <= least && axis.high >= most)
      }
    }
  }

  @Test("nothing recorded is said, not drawn")
  func nothing() {
    #expect(plot((0..<7).map { _ in (nil, nil, nil) }) == ["Nothing was recorded from 2026-04-01 to 2026-04-07."])
    #expect(plot([(nil, nil, 68.4)]).first == "Blood pressure, mmHg: nothing recorded")
    #expect(plot([(120, nil, nil)]).last == "Weight, kg: nothing recorded")
  }

  @Test("whether a locale writes UTF-8 is told by the first variable that counts")
  func locale() {
    #expect(Terminal.isUTF8 { ["LANG": "ko_KR.UTF-8"][$0] } && Terminal.isUTF8 { ["LC_CTYPE": "C.utf8"][$0] })
    #expect(!Terminal.isUTF8 { ["LANG": "ko_KR.UTF-8", "LC_ALL": "C"][$0] } && !Terminal.isUTF8 { _ in nil })
    #expect(Terminal.isUTF8 { ["LANG": "en_US.UTF-8", "LC_ALL": ""][$0] })
  }
}
