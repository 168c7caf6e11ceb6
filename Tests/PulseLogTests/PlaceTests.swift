import CivilTime
import KindVerbAPI
import Testing

@testable import PulseLog

private let day: Int64 = 86_400_000

/// Zones with every kind of change: an hour forward and back at night, at midnight, half an hour, a whole date left out, and none.
private let zones = [
  "UTC", "Asia/Seoul", "Europe/Berlin", "America/New_York", "America/Havana", "Australia/Lord_Howe", "Asia/Beirut",
  "America/Sao_Paulo", "Pacific/Apia", "Pacific/Kwajalein", "America/St_Johns", "Africa/Casablanca", "Antarctica/Troll",
]

private func zone(_ name: String) throws -> Zone { try #require(ZoneSource().named(name)) }

private func refusal(_ body: () throws -> Void) -> APIError? {
  do {
    try body()
    return nil
  } catch { return error as? APIError }
}

@Suite("Which date a reading belongs to")
struct PlaceTests {
  @Test(
    "an evening before 04:00 is that of the date shown before midnight; all else is of the date on the wall", arguments: zones)
  func night(_ name: String) throws {
    let zone = try zone(name)
    // Every half hour of the days around each change from 2010 to 2031, and of other days.
    var instant: Int64 = 1_262_304_000_000
    while instant < 1_940_000_000_000 {
      let changes = zone.offset(at: instant) != zone.offset(at: instant + day)
      if changes || instant % (40 * day) == 0 { try check(around: instant, in: zone) }
      instant += day
    }
  }

  private func check(around instant: Int64, in zone: Zone) throws {
    for step in -72...120 {
      let now = instant + Int64(step) * 1_800_000
      let wall = zone.civil(at: now)
      let (evening, isYesterday) = HealthRules.date(of: .evening, measuredAt: now, in: zone)
      #expect(isYesterday == (wall.second < 4 * 3_600))
      if isYesterday {
        // The slow way: go back by quarters of an hour until the wall shows another date. After a change at midnight the
        // wall may show the same date twice; the evening lies before the first of them.
        var before = now
        while zone.date(at: before) >= wall.date || zone.date(at: before - 7_200_000) >= wall.date { before -= 900_000 }
        #expect(evening == zone.date(at: before), "\(wall)")
        #expect(evening < wall.date)
      } else {
        #expect(evening == wall.date)
      }
      for part in [HealthPart.morning, .weight] {
        #expect(HealthRules.date(of: part, measuredAt: now, in: zone) == (wall.date, false))
      }
    }
  }

  @Test("to the second: 03:59:59 counts for yesterday, 04:00 does not")
  func boundary() throws {
    let zone = try zone("Asia/Seoul")
    let date = try #require(CivilDate(iso: "2026-05-02"))
    let four = try #require(TimeOfDay("04:00").flatMap { zone.instant(of: date, $0) })
    let before = try HealthRules.place(.evening, dateIso: nil, measuredAt: nil, now: four - 1, in: zone)
    #expect(before.date.iso == "2026-05-01" && before.countsForYesterday && before.measured?.atEpochMs == four - 1)
    #expect(before.measured?.offsetMinutes == 540)
    let after = try HealthRules.place(.evening, dateIso: nil, measuredAt: nil, now: four, in: zone)
    #expect(after.date == date && !after.countsForYesterday)
    let morning = try HealthRules.place(.morning, dateIso: nil, measuredAt: nil, now: four - 1, in: zone)
    #expect(morning.date == date && !morning.countsForYesterday)
  }

  @Test("on the nights when clocks change, the evening lasts until the wall shows 04:00, however many hours that are")
  func change() throws {
    let zone = try zone("Europe/Berlin")
    for (date, hours) in [("2026-03-29", 3), ("2026-10-25", 5), ("2026-06-01", 4)] {
      let civil = try #require(CivilDate(iso: date))
      let midnight = try #require(TimeOfDay(minute: 0).flatMap { zone.instant(of: civil, $0) })
      let end = midnight + Int64(hours) * 3_600_000
      for now in [midnight, end - 1] {
        #expect(HealthRules.date(of: .evening, measuredAt: now, in: zone).date == civil.adding(days: -1))
      }
      #expect(HealthRules.date(of: .evening, measuredAt: midnight - 1, in: zone) == (civil.adding(days: -1), false))
      #expect(HealthRules.date(of: .evening, measuredAt: end, in: zone) == (civil, false))
    }
  }

  @Test("over the date line the evening before is that of the date that was there")
  func left() throws {
    let zone = try zone("Pacific/Apia")
    let date = try #require(CivilDate(iso: "2011-12-31"))
    let night = try #require(TimeOfDay("01:00").flatMap { zone.instant(of: date, $0) })
    #expect(HealthRules.date(of: .evening, measuredAt: night, in: zone).date.iso == "2011-12-29")
  }

  @Test("a date that is named stays what it is, in every zone; it is measured now only if it is the present one")
  func named() throws {
    for name in zones {
      let zone = try zone(name)
      let now: Int64 = 1_777_600_000_000
      let today = zone.date(at: now)
      for part in HealthPart.allCases {
        let present = HealthRules.date(of: part, measuredAt: now, in: zone).date
        for offset in -400...1 {
          let date = today.adding(days: offset)
          let place = try HealthRules.place(part, dateIso: date.iso, measuredAt: nil, now: now, in: zone)
          #expect(place.date == date && !place.countsForYesterday)
          #expect((place.measured != nil) == (date == present))
        }
        for offset in [2, 3, 400, 100_000] {
          let date = today.adding(days: offset)
          let failure = refusal { _ = try HealthRules.place(part, dateIso: date.iso, measuredAt: nil, now: now, in: zone) }
          #expect(failure?.key == .healthDateAhead && failure?.field == "dateIso")
        }
      }
    }
  }

  @Test("an instant from 1900 to a day ahead is taken; any other is refused, however large")
  func instants() throws {
    let now: Int64 = 1_777_600_000_000
    for instant in [-2_208_988_800_000, 0, Int(now), Int(now + day)] {
      let place = try HealthRules.place(.morning, dateIso: nil, measuredAt: instant, now: now, in: .utc)
      #expect(place.date == Zone.utc.date(at: Int64(instant)) && place.measured?.atEpochMs == Int64(instant))
    }
    for (instant, unit) in [
      (-2_208_988_800_001, "minimum"), (Int(now + day) + 1, "maximum"), (.max, "maximum"), (.min, "minimum"),
    ] {
      let failure = refusal { _ = try HealthRules.place(.morning, dateIso: nil, measuredAt: instant, now: now, in: .utc) }
      #expect(failure?.key == .healthOutOfRange && failure?.field == "measuredAtEpochMs" && failure?.unit == unit)
    }
  }
}
