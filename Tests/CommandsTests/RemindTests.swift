import CivilTime
import KindVerbAPI
import Testing

@testable import Commands

private func plan(_ items: [UpcomingReminder], today: String = "2026-12-31", isOn: Bool = true) -> RemindPlan {
  RemindPlan(
    settings: ReminderSettings(
      morningEnabled: isOn, morningTime: "07:30", eveningEnabled: isOn, eveningTime: "21:00", updatedAt: nil),
    upcoming: UpcomingReminders(items: items, today: today, utcOffsetMinutes: 330, zoneProblem: nil))
}

private func item(
  _ slot: Slot, _ date: String, _ time: String? = nil, _ state: ReminderState = .scheduled,
  endsAt: String = "2026-12-31T06:00:00Z"
) -> UpcomingReminder {
  UpcomingReminder(
    slot: slot, dateIso: date, localTime: time ?? (slot == .morning ? "07:30" : "21:00"), dueAt: "2026-12-31T02:00:00Z",
    endsAt: endsAt, state: state)
}

@Suite("What comes next, in words")
struct RemindWordTests {
  @Test("days have names while they are near, and dates else")
  func days() {
    let words = { (language: Language) in
      RemindWords(plan([]), language)
    }
    #expect(words(.en).day("2026-12-30") == "yesterday")
    #expect(words(.en).day("2026-12-31") == "today")
    #expect(words(.en).day("2027-01-01") == "tomorrow", "the year ends in between")
    #expect(words(.en).day("2026-12-28") == "Monday, 28 December")
    #expect(words(.ko).day("2026-12-28") == "12월 28일(월)")
    #expect(words(.ja).day("2026-12-28") == "12月28日（月）")
    #expect(words(.zhHans).day("2026-12-28") == "12月28日（周一）")
    #expect(words(.en).day("2027-01-02") == "2027-01-02", "another year is told")
    #expect(words(.en).day("nonsense") == "nonsense")
  }

  @Test("all that stands before the next one is told, and nothing after it")
  func upToTheNext() {
    let words = RemindWords(
      plan([
        item(.evening, "2026-12-30", nil, .waiting, endsAt: "2026-12-30T21:30:00Z"), item(.morning, "2026-12-31"),
        item(.evening, "2026-12-31", nil, .recorded), item(.morning, "2027-01-01"), item(.evening, "2027-01-01", nil, .shown),
        item(.evening, "2027-01-02"), item(.evening, "2027-01-03"),
      ]), .en)
    #expect(words.line(.morning) == "Morning: today 07:30.")
    #expect(
      words.line(.evening)
        == "Evening: the reminder for yesterday evening is due but could not be shown yet; it can still come until 03:00; "
        + "this evening is already recorded; the reminder for tomorrow evening was shown already; 2027-01-02 21:00.")
  }

  @Test("after an edit it is said why it is not today, and only then")
  func edited() {
    let later = RemindWords(plan([item(.morning, "2027-01-01")]), .en)
    #expect(later.line(.morning) == "Morning: tomorrow 07:30.")
    #expect(later.line(.morning, isNew: true) == "Morning: 07:30 has passed today; tomorrow 07:30.")
    let today = RemindWords(plan([item(.morning, "2026-12-31")]), .en)
    #expect(today.line(.morning, isNew: true) == "Morning: today 07:30.")
  }

  @Test("until when it is waited is what the wall will show then, though clocks are changed before")
  func end() throws {
    let now: Int64 = 1_798_675_200_000  // 2026-12-31T00:00:00Z
    let zone = Zone(changes: [(at: now / 1_000 + 3_600, offset: 9 * 1_800)], before: 11 * 1_800)
    let waiting = plan([item(.morning, "2026-12-31", nil, .waiting)])
    let words = RemindWords(waiting, .en, clock: LocalClock(now: now, zone: zone))
    #expect(words.line(.morning).contains("until 10:30"))
    let elsewhere = RemindWords(waiting, .en, clock: LocalClock(now: now, zone: .utc))
    #expect(elsewhere.line(.morning).contains("until 11:30"))
  }

  @Test("a time that the clocks leave out is told with the one in its place")
  func putForward() {
    let words = RemindWords(plan([item(.morning, "2027-01-01", "08:00")]), .en)
    #expect(words.line(.morning) == "Morning: tomorrow 08:00, because clocks are put forward over 07:30.")
  }

  @Test("off is off, and without a plan the time itself is told", arguments: Language.allCases)
  func off(_ language: Language) {
    let off = RemindWords(plan([item(.morning, "2026-12-31")], isOn: false), language)
    #expect(!off.line(.morning).contains("07:30"))
    let settings = plan([]).settings
    #expect(RemindWords(RemindPlan(settings: settings, upcoming: nil), language).line(.evening).contains("21:00"))
  }

  @Test(
    "instants as the daemon writes them",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-12-31T21:30:05.250Z", 1_798_752_605_250), ("1969-12-31T23:59:59.999Z", -1),
      ("2026-12-31T21:30:05", nil), ("", nil), ("Z", nil), ("2026-02-30T00:00:00Z", nil), ("2026-12-31 21:30:05Z", nil),
    ])
  func instants(_ text: String, _ wanted: Int64?) {
    #expect(Instants.milliseconds(text) == wanted)
    if let wanted { #expect(Instant.text(wanted) == text) }
  }
}
