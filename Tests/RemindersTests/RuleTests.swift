import CivilTime
import KindVerbAPI
import Reminders
import Testing

@Suite("When clocks change") struct ClockChangeTests {
  @Test(
    "a missing hour is made up for at the first minute after it, once",
    arguments: [
      ("Europe/Berlin", "02:30", "2026-03-29", "03:00"), ("America/New_York", "02:30", "2026-03-08", "03:00"),
      ("Australia/Lord_Howe", "02:15", "2026-10-04", "02:30"), ("America/Sao_Paulo", "00:30", "2018-11-04", "01:00"),
    ])
  func missingHour(_ zone: String, _ time: String, _ date: String, _ shown: String) throws {
    var life = try Life(zone, "\(date.dropLast(2))01 12:00")
    try life.set(.morning, time)
    let day = try #require(CivilDate(iso: date))
    try life.live(until: day.adding(days: -1).iso + " 12:00")
    life.shown = []
    try life.live(until: day.adding(days: 1).iso + " 12:00")
    #expect(life.story == ["\(date)/morning \(shown)", "\(day.adding(days: 1).iso)/morning \(time)"])
  }

  @Test(
    "a doubled hour counts the first time, and only that",
    arguments: [
      ("Europe/Berlin", "02:30", "2026-10-25"), ("America/New_York", "01:30", "2026-11-01"),
      ("Australia/Lord_Howe", "01:45", "2026-04-05"),
    ])
  func doubledHour(_ zone: String, _ time: String, _ date: String) throws {
    let day = try #require(CivilDate(iso: date))
    var life = try Life(zone, day.adding(days: -2).iso + " 12:00")
    try life.set(.evening, time)
    try life.live(until: day.adding(days: -1).iso + " 12:00")
    life.shown = []
    let first = try life.instant("\(date) \(time)")
    try life.live(until: date + " 12:00")
    #expect(life.shown.map(\.at) == [first])
  }

  @Test("a date that the zone leaves out has none")
  func leftOutDate() throws {
    var life = try Life("Pacific/Apia", "2011-12-27 12:00")
    try life.set(.morning, "08:00")
    try life.live(until: "2012-01-01 12:00")
    #expect(life.story.map { $0.prefix(10) } == ["2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01"])
    #expect(life.outcome(.morning, "2011-12-30") == nil)
  }

  @Test("a zone that changes a minute before moves the time with it")
  func zoneChangesAtTheLastMinute() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 06:00")
    try life.set(.morning, "07:00")
    try life.live(until: "2026-05-01 06:59")
    life.zone = try #require(ZoneSource().named("Europe/Berlin"))
    life.look()
    #expect(life.story.isEmpty, "it is half past eleven of the evening before")
    try life.live(until: "2026-05-01 12:00")
    #expect(life.story == ["2026-05-01/morning 07:00"])
  }
}

@Suite("A person who travels") struct TravelTests {
  @Test("the evening comes with the new zone's evening, and not with the old one's")
  func seoulToNewYork() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 22:00")
    try life.set(.evening, "21:00")
    try life.live(until: "2026-05-03 10:00")
    #expect(life.story == ["2026-05-02/evening 21:00"])
    life.zone = try #require(ZoneSource().named("America/New_York"))
    life.look()
    // It is the evening of the second there, which has been reminded of.
    try life.live(until: "2026-05-03 23:00")
    #expect(life.story.last == "2026-05-03/evening 21:00")
    #expect(life.shown.count == 2)
  }

  @Test("flights around the world never remind twice of a date", arguments: [1, 2, 3, 4])
  func aroundTheWorld(_ seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    let names = [
      "Asia/Seoul", "America/Los_Angeles", "Europe/London", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu",
    ]
    var life = try Life("Asia/Seoul", "2026-01-01 12:00")
    try life.set(.morning, "08:00")
    try life.set(.evening, "21:00")
    for _ in 0..<500 {
      life.live(until: life.now + Int64.random(in: 0...80_000_000, using: &generator))
      life.zone = try #require(ZoneSource().named(names.randomElement(using: &generator) ?? "UTC"))
      life.look()
    }
    #expect(Set(life.shown.map(\.name)).count == life.shown.count)
    // Nor does it fall silent: every date that began and ended has its reminders, or the reason for none.
    let last = life.zone.date(at: life.now).adding(days: -2)
    var date = try #require(CivilDate(iso: "2026-01-02"))
    while date <= last {
      for slot in Slot.allCases { #expect(life.kept[.init(date: date, slot: slot)] != nil) }
      date = date.adding(days: 1)
    }
  }
}

@Suite("Sleep, stops and wrong clocks") struct AwayTests {
  @Test("one late reminder while there is time, else a mark that it was missed")
  func caughtUp() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.live(until: "2026-05-01 07:50")
    try life.jump(to: "2026-05-01 08:20")
    #expect(life.story == ["2026-05-01/morning 08:20"])
    try life.live(until: "2026-05-02 07:50")
    try life.jump(to: "2026-05-02 12:00")
    #expect(life.shown.count == 1 && life.outcome(.morning, "2026-05-02") == .missed)
    try life.live(until: "2026-05-03 09:00")
    #expect(life.story.last == "2026-05-03/morning 08:00")
  }

  @Test("the window ends at the next slot's time")
  func nextSlot() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.set(.evening, "09:00")
    try life.live(until: "2026-05-01 07:50")
    try life.jump(to: "2026-05-01 09:00")
    #expect(life.story == ["2026-05-01/evening 09:00"] && life.outcome(.morning, "2026-05-01") == .missed)
  }

  @Test("both at the same time are both shown")
  func sameTime() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.set(.evening, "08:00")
    try life.live(until: "2026-05-01 08:00")
    #expect(life.story == ["2026-05-01/morning 08:00", "2026-05-01/evening 08:00"])
  }

  @Test("an evening's window goes on past midnight and still is the evening's")
  func pastMidnight() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 20:00")
    try life.set(.evening, "23:00")
    try life.jump(to: "2026-05-02 01:30")
    #expect(life.story == ["2026-05-01/evening 01:30"])
  }

  @Test("weeks and years off: one a slot and day from then on, and every date has its mark", arguments: [40, 399])
  func longOff(_ days: Int) throws {
    var life = try Life("Europe/Berlin", "2026-05-01 12:00")
    try life.set(.morning, "08:00")
    try life.set(.evening, "21:00")
    let back = try #require(CivilDate(iso: "2026-05-01")).adding(days: days)
    try life.jump(to: back.iso + " 06:00")
    #expect(life.shown.isEmpty)
    #expect(life.kept.values.filter { $0.outcome == .missed }.count == days * 2 - 1)
    try life.live(until: back.iso + " 22:00")
    #expect(life.story == ["\(back.iso)/morning 08:00", "\(back.iso)/evening 21:00"])
  }

  @Test("a clock in 1970 or 2036 and back again repeats nothing, floods nothing, and silences nothing")
  func wrongClocks() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.live(until: "2026-05-01 09:00")
    for wrong in [
      "1970-01-01 10:00", "2026-05-01 09:00", "2036-02-03 07:00", "2026-05-01 09:01", "2036-02-03 07:00", "2026-05-01 07:59",
    ] {
      try life.jump(to: wrong)
    }
    try life.live(until: "2026-05-01 12:00")
    #expect(life.shown.filter { $0.name.date.iso == "2026-05-01" }.count == 1)
    #expect(life.kept.filter { $0.value.outcome != .shown }.keys.allSatisfy { $0.date.iso < "2026-05-02" })
    life.shown = []
    try life.live(until: "2026-05-08 12:00")
    #expect(life.shown.count == 7)
  }

  @Test("an edit by a clock that ran ahead does not silence the years until then")
  func editInTheFuture() throws {
    var life = try Life("Asia/Seoul", "2036-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.jump(to: "2026-05-01 07:00")
    try life.live(until: "2026-05-03 09:00")
    #expect(life.story == ["2026-05-01/morning 08:00", "2026-05-02/morning 08:00", "2026-05-03/morning 08:00"])
  }

  @Test(
    "an edit by a clock some days ahead leaves no day out",
    arguments: ["2026-05-04 20:00", "2026-05-02 20:00", "2026-05-04 07:00"])
  func editSomeDaysAhead(_ wrong: String) throws {
    var life = try Life("Asia/Seoul", wrong)
    try life.set(.morning, "08:00")
    try life.jump(to: "2026-05-01 06:00")
    try life.live(until: "2026-05-07 12:00")
    #expect(life.story == (1...7).map { "2026-05-0\($0)/morning 08:00" })
  }

  @Test("a clock that is put right by a moment after an edit does not ring for what has passed")
  func smallCorrection() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 08:00:30")
    try life.set(.morning, "08:00")
    try life.jump(to: "2026-05-01 08:00:10")
    try life.live(until: "2026-05-01 20:00")
    #expect(life.story.isEmpty)
  }

  @Test("what was recorded for a day ahead by a wrong clock, and cleared, is reminded of when the day comes")
  func suppressedTooEarly() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.jump(to: "2026-05-02 07:00")
    try life.record(.morning, "2026-05-02")
    try life.live(until: "2026-05-02 09:00")
    #expect(life.outcome(.morning, "2026-05-02") == .suppressed)
    try life.jump(to: "2026-05-01 12:30")
    try life.clear(.morning, "2026-05-02")
    try life.live(until: "2026-05-02 09:00")
    #expect(life.story.last == "2026-05-02/morning 08:00")
  }

  @Test("what a clock ahead called missed still comes when its time comes")
  func missedTooEarly() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.jump(to: "2026-05-01 16:00")
    #expect(life.outcome(.morning, "2026-05-01") == .missed)
    try life.jump(to: "2026-05-01 07:00")
    try life.live(until: "2026-05-01 09:00")
    #expect(life.story == ["2026-05-01/morning 08:00"])
  }
}

@Suite("Edits and readings") struct EditTests {
  @Test("of twenty edits in a minute only the last counts")
  func manyEdits() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 11:58")
    for minute in 0..<19 { try life.set(.morning, "12:\(minute + 10)") }
    try life.set(.morning, "12:00")
    try life.live(until: "2026-05-01 23:00")
    #expect(life.story == ["2026-05-01/morning 12:00"])
  }

  @Test("a time that has passed, and this very minute, begin tomorrow", arguments: ["07:00", "08:00"])
  func passed(_ time: String) throws {
    var life = try Life("Asia/Seoul", "2026-05-01 08:00:30")
    try life.set(.morning, time)
    try life.live(until: "2026-05-02 12:00")
    #expect(life.story == ["2026-05-02/morning \(time)"])
  }

  @Test("12:00, 12:01, 11:59: one reminder")
  func threeEdits() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 11:58:30")
    for time in ["12:00", "12:01", "11:59"] { try life.set(.evening, time) }
    try life.live(until: "2026-05-01 20:00")
    #expect(life.story == ["2026-05-01/evening 11:59"])
  }

  @Test("a date that was reminded of stays silent after an edit")
  func editAfterwards() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.live(until: "2026-05-01 08:05")
    try life.set(.morning, "09:00")
    try life.live(until: "2026-05-02 12:00")
    #expect(life.story == ["2026-05-01/morning 08:00", "2026-05-02/morning 09:00"])
  }

  @Test("what is recorded when it is due stays silent; what was cleared before does not; weight alone is no reading")
  func recorded() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.live(until: "2026-05-01 07:50")
    try life.record(.morning, "2026-05-01")
    try life.live(until: "2026-05-01 12:30")
    #expect(life.story.isEmpty && life.outcome(.morning, "2026-05-01") == .suppressed)
    try life.live(until: "2026-05-02 07:50")
    try life.record(.morning, "2026-05-02")
    try life.live(until: "2026-05-02 07:55")
    try life.clear(.morning, "2026-05-02")
    try life.live(until: "2026-05-02 12:00")
    #expect(life.story == ["2026-05-02/morning 08:00"])
    // The evening's reading is not the morning's.
    try life.record(.evening, "2026-05-03")
    try life.live(until: "2026-05-03 12:00")
    #expect(life.story.last == "2026-05-03/morning 08:00")
  }

  @Test("an evening by night is the evening of the date before, as its readings are")
  func eveningByNight() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 12:00")
    try life.set(.evening, "00:30")
    try life.live(until: "2026-05-02 12:00")
    #expect(life.story == ["2026-05-01/evening 00:30"])
    try life.live(until: "2026-05-03 00:20")
    try life.record(.evening, "2026-05-02")
    try life.live(until: "2026-05-03 12:00")
    #expect(life.shown.count == 1 && life.outcome(.evening, "2026-05-02") == .suppressed)
    // Set after midnight, it still is tonight's.
    try life.live(until: "2026-05-04 01:00")
    try life.set(.evening, "02:00")
    try life.live(until: "2026-05-04 12:00")
    #expect(life.story.last == "2026-05-03/evening 00:30", "that evening was reminded of before the edit")
    try life.set(.evening, "03:59")
    try life.live(until: "2026-05-05 12:00")
    #expect(life.story.last == "2026-05-04/evening 03:59")
  }

  @Test("a flight west after an edit leaves no morning out")
  func editThenWest() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 08:30")
    try life.set(.morning, "08:00")
    life.zone = try #require(ZoneSource().named("America/New_York"))
    life.look()
    try life.live(until: "2026-05-02 12:00")
    #expect(life.story == ["2026-05-01/morning 08:00", "2026-05-02/morning 08:00"])
  }

  @Test(
    "whatever is set, recorded, cleared, flown to and done to the clock: never twice, and never for what is recorded",
    arguments: 1...12)
  func anything(_ seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    let zones = ["Asia/Seoul", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe", "Europe/London"]
    var life = try Life("Asia/Seoul", "2026-03-01 12:00")
    for _ in 0..<400 {
      let slot: Slot = Bool.random(using: &generator) ? .morning : .evening
      let date = life.zone.date(at: life.now).adding(days: Int.random(in: -1...1, using: &generator))
      let before = life.shown.count
      let recorded = life.recorded
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        let minute = Int.random(in: 0..<1_440, using: &generator)
        try life.set(slot, Int.random(in: 0..<5, using: &generator) == 0 ? nil : try #require(TimeOfDay(minute: minute)).text)
      case 1: try life.record(slot, date.iso)
      case 2: try life.clear(slot, date.iso)
      case 3:
        life.zone = try #require(ZoneSource().named(zones.randomElement(using: &generator) ?? "UTC"))
        life.look()
      case 4:
        life.now += Int64.random(in: -400_000_000...400_000_000, using: &generator)
        life.look()
      case 5: life.hasService.toggle()
      case 6: life.serviceAppears()
      default: life.live(until: life.now + Int64.random(in: 0...100_000_000, using: &generator))
      }
      for one in life.shown[before...] { #expect(!recorded.contains(one.name) || !life.recorded.contains(one.name)) }
    }
    #expect(Set(life.shown.map(\.name)).count == life.shown.count)
  }

  @Test("switched off is silent at once; switched on again it begins with the next time")
  func offAndOn() throws {
    var life = try Life("Asia/Seoul", "2026-05-01 07:00")
    try life.set(.morning, "08:00")
    try life.live(until: "2026-05-01 07:59")
    try life.set(.morning, nil)
    try life.live(until: "2026-05-03 08:30")
    try life.set(.morning, "08:00")
    try life.live(until: "2026-05-04 09:00")
    #expect(life.story == ["2026-05-04/morning 08:00"])
    #expect(life.outcome(.morning, "2026-05-02") == nil, "nobody was to be reminded")
  }
}
