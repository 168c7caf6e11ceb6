import CivilTime
import Glibc
import Testing

/// A zone of the system's database.
func zone(_ name: String) throws -> Zone { try #require(ZoneSource().named(name)) }

/// An instant in milliseconds from UTC's own date and time.
func utc(_ date: String, _ time: String) throws -> Int64 {
  let date = try #require(CivilDate(iso: date))
  let time = try #require(TimeOfDay(time))
  return try #require(Zone.utc.instant(of: date, time))
}

@Suite struct CivilDateTests {
  @Test func everyDayOfFourCenturiesHasItsText() throws {
    let first = try #require(CivilDate(year: 1900, month: 1, dayOfMonth: 1))
    #expect(first.day == -25_567)
    var (year, month, dayOfMonth) = (1900, 1, 1)
    for day in first.day..<first.day + 146_097 {
      let date = CivilDate(day: day)
      #expect(date.parts == (year, month, dayOfMonth))
      #expect(CivilDate(iso: date.iso) == date)
      #expect(date.weekday == ((day % 7) + 11) % 7)
      dayOfMonth += 1
      if dayOfMonth > CivilDate.days(inMonth: month, ofYear: year) { (month, dayOfMonth) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-1-1", "2026-01-01 ", "２０２６-01-01", "+026-01-01", "",
    "2026/01/01",
    "1900-02-29",
  ])
  func whatIsNoDate(_ text: String) { #expect(CivilDate(iso: text) == nil) }

  @Test(arguments: ["24:00", "7:5", "07:5", "07:60", "-1:00", "07:30 ", "0730", "07.30", "", "０７:30"])
  func whatIsNoTime(_ text: String) { #expect(TimeOfDay(text) == nil) }

  @Test func timesAndMonths() throws {
    #expect(TimeOfDay("23:59")?.minute == 1_439)
    #expect(TimeOfDay("00:00")?.text == "00:00")
    #expect(CivilMonth(iso: "2024-02")?.days == 29)
    #expect(CivilMonth(iso: "2024-02")?.first.iso == "2024-02-01")
    #expect(CivilMonth(iso: "2024-13") == nil && CivilMonth(iso: "2024-2") == nil)
  }
}

@Suite struct ZoneTests {
  private func first(_ name: String, _ date: String, _ time: String) throws -> Int64? {
    try zone(name).instant(of: #require(CivilDate(iso: date)), #require(TimeOfDay(time)))
  }

  @Test func aMissingHourIsTheFirstInstantAfterIt() throws {
    #expect(try first("Europe/Berlin", "2026-03-29", "02:30") == utc("2026-03-29", "01:00"))
    #expect(try first("America/New_York", "2026-03-08", "02:30") == utc("2026-03-08", "07:00"))
    // Half an hour only.
    #expect(try first("Australia/Lord_Howe", "2026-10-04", "02:15") == utc("2026-10-03", "15:30"))
    #expect(try first("Australia/Lord_Howe", "2026-10-04", "02:30") == utc("2026-10-03", "15:30"))
  }

  @Test func aDoubledHourCountsTheFirstTime() throws {
    #expect(try first("Europe/Berlin", "2026-10-25", "02:30") == utc("2026-10-25", "00:30"))
    #expect(try first("America/New_York", "2026-11-01", "01:30") == utc("2026-11-01", "05:30"))
    #expect(try first("Australia/Lord_Howe", "2026-04-05", "01:45") == utc("2026-04-04", "14:45"))
  }

  @Test func aDateThatWasLeftOutHasNoInstant() throws {
    #expect(try first("Pacific/Apia", "2011-12-30", "08:00") == nil)
    #expect(try first("Pacific/Apia", "2011-12-31", "08:00") == utc("2011-12-30", "18:00"))
    #expect(try first("Pacific/Apia", "2011-12-29", "23:59") == utc("2011-12-30", "09:59"))
  }

  @Test func theRuleOfTheLastLineGoesOnForEver() throws {
    #expect(try first("Europe/Berlin", "2099-07-01", "08:00") == utc("2099-07-01", "06:00"))
    #expect(try first("Europe/Berlin", "2099-12-01", "08:00") == utc("2099-12-01", "07:00"))
    #expect(try first("America/Sao_Paulo", "2099-12-01", "08:00") == utc("2099-12-01", "11:00"))
  }

  @Test func whatTheWallShows() throws {
    let seoul = try zone("Asia/Seoul")
    let shown = seoul.civil(at: try utc("2026-04-30", "15:30"))
    #expect(shown.date.iso == "2026-05-01" && shown.second == 1_800)
    #expect(seoul.offset(at: try utc("2026-04-30", "15:30")) == 32_400)
    #expect(Zone.utc.civil(at: -1).date.iso == "1969-12-31" && Zone.utc.civil(at: -1).second == 86_399)
  }

  @Test func rulesInWords() throws {
    let rule = try zone("CET-1CEST,M3.5.0,M10.5.0/3")
    let berlin = try zone("Europe/Berlin")
    for day in stride(from: 20_000, to: 30_000, by: 7) {
      let date = CivilDate(day: day)
      let time = try #require(TimeOfDay("02:30"))
      #expect(rule.instant(of: date, time) == berlin.instant(of: date, time))
    }
    #expect(try zone("KST-9").offset(at: 0) == 32_400)
    #expect(try zone("<+0330>-3:30").offset(at: 0) == 12_600)
    #expect(try zone("EST5EDT4,M3.2.0,M11.1.0").offset(at: utc("2026-07-01", "12:00")) == -14_400)
    #expect(try zone("XXX0YYY,J1/0,J365/25").offset(at: utc("2026-07-01", "12:00")) == 3_600)
  }

  @Test(arguments: [
    "Asia/Soul", "KST", "KST-", "KST-99", "AB-9", "KST-9X", "../../etc/passwd", "/etc/passwd", "CET-1CEST,M3.5,M10.5.0",
  ])
  func whatIsNoZone(_ name: String) { #expect(ZoneSource().named(name) == nil) }

  @Test func anUnknownNameFallsBackToTheSystemAndSaysSo() throws {
    let source = ZoneSource(variable: { "Asia/Soul" }, localtime: "/usr/share/zoneinfo/Asia/Seoul")
    #expect(source.read().problem == .unknownZone)
    #expect(source.read().zone.offset(at: 0) == 32_400)
    let nowhere = ZoneSource(variable: { nil }, localtime: "/no/such/file")
    #expect(nowhere.read().problem == .missingFile && nowhere.read().zone.offset(at: 0) == 0)
    #expect(ZoneSource(variable: { nil }, localtime: "/etc/passwd").read().problem == .unreadableFile)
    #expect(ZoneSource(variable: { "" }, localtime: "/usr/share/zoneinfo/Asia/Seoul").read().zone.offset(at: 0) == 0)
  }

  @Test func aFileCutAnywhereIsRefusedAndNothingTraps() throws {
    let whole = try #require(Self.file("/usr/share/zoneinfo/America/New_York"))
    #expect(Zone(file: whole) != nil)
    for end in 0..<whole.count - 1 { #expect(Zone(file: Array(whole[..<end])) == nil) }
    for place in 0..<min(whole.count, 400) {
      var bytes = whole
      bytes[place] ^= 0xFF
      if let zone = Zone(file: bytes) { _ = zone.instant(of: CivilDate(day: 20_000), try #require(TimeOfDay("08:00"))) }
    }
  }

  private static func file(_ path: String) -> [UInt8]? {
    guard let stream = fopen(path, "r") else { return nil }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, stream)
    return Array(bytes[..<count])
  }
}
