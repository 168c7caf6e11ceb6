import Testing

@testable import HTTP

@Suite("Retry-After in all its forms")
struct RetryAfterTests {
  /// 2026-05-03 10:00:00 UTC.
  private static let now: Int64 = 1_777_802_400_000
  private static let cap = 3_600_000

  private func wait(_ values: String..., date: String? = nil, now: Int64 = Self.now, cap: Int = Self.cap) -> Int? {
    RetryAfter.milliseconds(values, date: date, now: now, cap: cap)
  }

  @Test(
    "Seconds are taken from 0 to the cap",
    arguments: [
      ("0", 0), ("120", 120_000), (" 7 ", 7_000), ("1.5", 1_500), ("0.0001", 1), ("2.000", 2_000), ("00012", 12_000),
      ("3600", 3_600_000), ("3601", 3_600_000), ("999999999999", 3_600_000), ("9223372036854775808", 3_600_000),
      (String(repeating: "9", count: 400), 3_600_000),
    ])
  func seconds(value: String, milliseconds: Int) { #expect(wait(value) == milliseconds) }

  @Test(
    "What cannot be read leaves the caller its own wait",
    arguments: [
      "", " ", "abc", "-1", "+1", "1e3", "0x10", "1.", ".5", "1.2.3", "12 seconds", "١٢", "Wed, 32 Oct 2026 07:28:00 GMT",
      "Sun, 29 Feb 2026 07:28:00 GMT", "Wed, 21 Oct 2026 24:00:00 GMT", "Wed, 21 Oct 2026 07:28 GMT",
      "Wed, 21 Oct 2026 07:28:00 PST",
      "2026-05-03T10:01:30Z", "Wed, 21 Oct",
    ])
  func unreadable(value: String) { #expect(wait(value) == nil) }

  @Test(
    "A date ahead is judged by this clock where the answer has no other",
    arguments: [
      "Sun, 03 May 2026 10:01:30 GMT", "Sunday, 03-May-26 10:01:30 GMT", "Sun May  3 10:01:30 2026",
      "sun, 3 may 2026 10:01:30 gmt",
    ])
  func dateAhead(value: String) { #expect(wait(value) == 90_000) }

  @Test("A clock that is two hours fast does not matter where the answer has a date")
  func skewedClock() {
    let fast = Self.now + 7_200_000
    let date = "Sun, 03 May 2026 10:00:00 GMT"
    #expect(wait("Sun, 03 May 2026 10:01:30 GMT", date: date, now: fast) == 90_000)
    #expect(wait("Sun, 03 May 2026 10:01:30 GMT", date: "when?", now: fast) == 0)
    #expect(wait("90", date: date, now: fast) == 90_000)
  }

  @Test("Dates past are 0, dates far ahead the cap")
  func farDates() {
    #expect(wait("Wed, 21 Oct 2015 07:28:00 GMT") == 0)
    #expect(wait("Thu, 01 Jan 1970 00:00:00 GMT", now: .max) == 0)
    #expect(wait("Fri, 31 Dec 9999 23:59:60 GMT") == Self.cap)
    #expect(wait("Fri, 31 Dec 9999 23:59:59 GMT", now: .min, cap: .max) == Int.max)
    #expect(wait("120", cap: -5) == 0)
  }

  @Test("Of several the longest counts, in one header or in many")
  func several() {
    #expect(wait("3", "120", "abc") == 120_000)
    #expect(wait("3, 120") == 120_000)
    #expect(wait("Sun, 03 May 2026 10:01:30 GMT", "5") == 90_000)
    #expect(RetryAfter.milliseconds([], date: nil, now: Self.now, cap: Self.cap) == nil)
  }
}
