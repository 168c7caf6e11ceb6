import CivilTime
import KindVerbAPI
import Testing

@testable import KindVerb

@Suite struct QuietRuleTests {
  @Test func aWeekOfReflections() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 08:00")
    #expect(life.next == "dailyReflection 2026-05-01 20:30")
    try life.wake(until: "2026-05-10 00:00")
    #expect(life.times() == ["01", "02", "03", "04", "05", "08", "09"].map { "2026-05-\($0) 20:30" })
    #expect(life.looks < 25, "what the limits hold back wakes nobody")
  }

  @Test func milliseconds() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 08:00")
    var late: [Int64] = [900, 3, 0, 700, 1]
    life.wake(until: try life.instant("2026-05-06 00:00")) { late.isEmpty ? 0 : late.removeFirst() }
    #expect(life.times().count == 5)
    #expect(life.shown.map { $0.kept.at % 60_000 }.max() ?? 0 < 2_000)
  }

  @Test func withoutConsentThereIsNone() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 08:00")
    life.consentAt = nil
    life.leaveLetter()
    try life.wake(until: "2026-06-01 08:00")
    #expect(life.times().isEmpty && life.next == nil)
    life.consentAt = life.now
    #expect(life.next == "dailyReflection 2026-06-01 20:30")
  }

  @Test func consentAndEditsCountFromTheNextTimeOn() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 20:40")
    life.look()
    #expect(life.times().isEmpty && life.next == "dailyReflection 2026-05-02 20:30")
    try life.wake(until: "2026-05-02 12:30")
    for time in ["12:00", "12:29", "12:30"] {
      try life.choose(.dailyReflection, true, time)
      #expect(life.times().isEmpty && life.next == "dailyReflection 2026-05-03 \(time)")
    }
    try life.choose(.dailyReflection, true, "12:31")
    try life.wake(until: "2026-05-02 13:00")
    #expect(life.times() == ["2026-05-02 12:31"])
    try life.choose(.dailyReflection, false)
    #expect(life.next == nil)
    try life.choose(.dailyReflection, true)
    #expect(life.next == "dailyReflection 2026-05-03 12:31")
  }

  @Test func neverLateByMoreThanAnHour() throws {
    for (until, isShown) in [("21:30", true), ("21:30:01", false), ("20:29:59", false)] {
      var life = try QuietLife("Asia/Seoul", "2026-05-01 08:00")
      try life.sleep(until: "2026-05-01 \(until)")
      #expect(life.times().count == (isShown ? 1 : 0), "\(until)")
      if isShown {
        // The next would come within 24 hours; the one after is on time again.
        try life.wake(until: "2026-05-04 00:00")
        #expect(life.times() == ["2026-05-01 21:30", "2026-05-03 20:30"])
      }
    }
  }

  @Test func nobodyToShowIt() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 08:00")
    life.hasService = false
    try life.wake(until: "2026-05-01 20:45")
    life.hasService = true
    try life.wake(until: "2026-05-02 08:00")
    #expect(life.times().isEmpty)
    #expect(life.next == "dailyReflection 2026-05-02 20:30", "it does not count")
  }

  @Test(arguments: [
    ("2026-05-01 15:00", "2026-05-02 15:00"), ("2026-05-01 06:10", "2026-05-02 09:00"), ("2026-05-01 08:59", "2026-05-02 09:00"),
    ("2026-05-01 20:59", "2026-05-02 20:59"), ("2026-05-01 21:00", "2026-05-03 09:00"), ("2026-05-01 23:50", "2026-05-03 09:00"),
  ])
  func aLetterThatIsLeft(_ left: String, _ told: String) throws {
    var life = try QuietLife("Asia/Seoul", left)
    try life.choose(.dailyReflection, false)
    life.leaveLetter()
    #expect(life.next == "draftFollowUp \(told)")
    try life.wake(until: "2026-05-20 08:00")
    #expect(life.times() == [told], "once, ever")
  }

  @Test func aLetterThatIsFinishedOrTooOld() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 15:00")
    try life.choose(.dailyReflection, false)
    life.leaveLetter()
    try life.wake(until: "2026-05-02 14:00")
    life.letters = []
    try life.wake(until: "2026-05-03 14:00")
    life.leaveLetter()
    try life.sleep(until: "2026-05-04 15:01")
    #expect(life.times().isEmpty && life.next == nil, "what was slept through is gone")
    life.leaveLetter()
    try life.sleep(until: "2026-05-05 15:40")
    #expect(life.times() == ["2026-05-05 15:40"])
    life.leaveLetter()
    life.consentAt = nil
    try life.sleep(until: "2026-05-06 16:00")
    life.consentAt = life.now
    life.look()
    #expect(life.times().count == 1 && life.next == nil, "what was due before somebody agreed is gone")
  }

  @Test func aLetterIsNotSpokenOfAtNight() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 20:40")
    try life.choose(.dailyReflection, false)
    life.leaveLetter()
    try life.sleep(until: "2026-05-02 21:10")
    #expect(life.times().isEmpty)
  }

  @Test func aLetterThatFindsNoRoomComesTheNextMorning() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 20:00")
    try life.wake(until: "2026-05-01 20:45")
    life.leaveLetter()
    try life.wake(until: "2026-05-04 00:00")
    #expect(life.times() == ["2026-05-01 20:30", "2026-05-02 20:30", "2026-05-03 09:00"])
  }

  @Test func whatWasSleptThroughFindsNoOtherMorning() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 10:00")
    try life.choose(.dailyReflection, false)
    life.leaveLetter()
    try life.choose(.dailyReflection, true)
    try life.wake(until: "2026-05-01 12:00")
    try life.sleep(until: "2026-05-02 12:00")
    try life.wake(until: "2026-05-04 00:00")
    #expect(life.times(.draftFollowUp).isEmpty && life.times().last == "2026-05-03 20:30")
  }

  @Test func oneSpeaksForAll() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 12:00")
    try life.choose(.dailyReflection, false)
    for _ in 0..<50 {
      life.leaveLetter()
      life.now += 1_000
    }
    try life.wake(until: "2026-05-12 00:00")
    // A second after the first one was due the others were not yet.
    #expect(life.times() == ["2026-05-02 12:00", "2026-05-03 12:00"])
  }

  @Test func gratitudeIsForSundaysAndForPro() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-02 21:00")
    try life.choose(.gratitude, true, "21:30")
    try life.wake(until: "2026-05-04 00:00")
    #expect(life.times() == ["2026-05-03 20:30"], "without Pro it stays silent, and nothing gives way to it")
    life.hasPro = true
    try life.wake(until: "2026-06-08 00:00")
    #expect(life.times(.gratitude) == ["10", "17", "24", "31"].map { "2026-05-\($0) 21:30" } + ["2026-06-07 21:30"])
    #expect(life.times(.dailyReflection).allSatisfy { !$0.hasPrefix("2026-05-10") })
  }

  @Test(arguments: 1...7) func gratitudeIsNotCrowdedOut(_ first: Int) throws {
    var life = try QuietLife("Asia/Seoul", "2026-06-0\(first) 08:00")
    life.hasPro = true
    try life.choose(.gratitude, true)
    try life.wake(until: "2026-07-05 23:00")
    #expect(life.times(.gratitude).suffix(3) == ["2026-06-21 19:00", "2026-06-28 19:00", "2026-07-05 19:00"])
    #expect(life.times(.dailyReflection).count >= 12)
  }

  @Test func summerTime() throws {
    var life = try QuietLife("Europe/Berlin", "2026-03-28 12:00")
    try life.wake(until: "2026-03-31 00:00")
    // That Sunday has 23 hours.
    #expect(life.times() == ["2026-03-28 20:30", "2026-03-30 20:30"])
    life = try QuietLife("Europe/Berlin", "2026-10-24 12:00")
    try life.wake(until: "2026-10-27 00:00")
    #expect(life.times() == ["24", "25", "26"].map { "2026-10-\($0) 20:30" })
    life = try QuietLife("Europe/Berlin", "2026-03-29 00:30")
    try life.choose(.dailyReflection, true, "02:30")
    #expect(life.next == "dailyReflection 2026-03-29 03:00")
  }

  @Test func travel() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 20:00")
    try life.wake(until: "2026-05-01 21:00")
    life.zone = try #require(ZoneSource().named("America/New_York"))
    #expect(life.wall(life.now) == "2026-05-01 08:00")
    // The evening of that date has been had; the next is 24 hours after it.
    try life.wake(until: "2026-05-03 00:00")
    #expect(life.times() == ["2026-05-01 07:30", "2026-05-02 20:30"])
  }

  @Test func aDateThatWasHadElsewhere() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 07:00")
    try life.choose(.dailyReflection, true, "08:00")
    try life.wake(until: "2026-05-01 08:10")
    life.zone = try #require(ZoneSource().named("America/New_York"))
    #expect(life.wall(life.now) == "2026-04-30 19:10")
    try life.choose(.dailyReflection, true, "20:30")
    // It was the first of May where it was shown, and more than 24 hours ago.
    #expect(life.next == "dailyReflection 2026-05-02 20:30")
    life.sleep(until: try life.instant("2026-05-01 20:30"))
    #expect(life.times().count == 1)
  }

  @Test func aDateThatWasHadByTheClockHere() throws {
    var life = try QuietLife("America/New_York", "2026-05-01 20:00")
    try life.wake(until: "2026-05-01 20:31")
    life.zone = try #require(ZoneSource().named("Asia/Seoul"))
    #expect(life.wall(life.now) == "2026-05-02 09:31")
    life.letters = [LeftLetter(row: 1, changedAt: try life.instant("2026-05-01 12:00"))]
    try life.wake(until: "2026-05-03 10:00")
    // By this clock the reflection was shown on the second.
    #expect(life.times(.draftFollowUp) == ["2026-05-03 09:00"])
  }
}

@Suite struct QuietClockTests {
  @Test func aClockThatRanAhead() throws {
    var life = try QuietLife("Asia/Seoul", "2036-02-03 05:00")
    try life.wake(until: "2036-02-10 05:00")
    #expect(life.times().count == 5)
    try life.choose(.dailyReflection, true, "20:45")
    life.now = try life.instant("2026-05-01 08:00")
    try life.wake(until: "2026-05-03 00:00")
    #expect(life.times().suffix(2) == ["2026-05-01 20:45", "2026-05-02 20:45"], "what lies years ahead silences nobody")
  }

  @Test func backAndForthOnOneEvening() throws {
    var life = try QuietLife("Asia/Seoul", "2026-05-01 20:00")
    for _ in 0..<20 {
      try life.sleep(until: "2026-05-01 20:29")
      try life.wake(until: "2026-05-01 20:31")
      try life.sleep(until: "2036-05-01 12:00")
      try life.sleep(until: "1970-01-03 12:00")
    }
    #expect(life.times() == ["2026-05-01 20:30"])
    try life.sleep(until: "2026-05-01 08:00")
    #expect(life.next == "dailyReflection 2026-05-02 20:30")
  }
}
