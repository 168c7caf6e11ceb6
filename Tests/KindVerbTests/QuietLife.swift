import CivilTime
import KindVerbAPI
import Testing

@testable import KindVerb

/// A person's days with quiet notifications: a clock, a zone, what was chosen, and letters that are left. It does what the daemon does,
/// without a store and a screen.
struct QuietLife {
  var zone: Zone
  var now: Int64
  var settings = QuietSettings()
  var consentAt: Int64?
  var hasPro = false
  var letters: [LeftLetter] = []
  /// Whether somebody is there to show them.
  var hasService = true
  /// Every one that was shown, with what it was.
  private(set) var shown: [(occurrence: QuietOccurrence, kept: ShownQuiet)] = []
  /// How often the timer went off.
  private(set) var looks = 0
  private var dropped: Set<QuietOccurrence> = []
  private var lastRow: Int64 = 0

  /// A life in a zone that begins when the wall shows `2026-05-01 08:00`, with consent.
  init(_ zone: String, _ now: String) throws {
    self.zone = try #require(ZoneSource().named(zone))
    self.now = 0
    self.now = try instant(now)
    consentAt = self.now
  }

  /// When the wall shows `2026-05-01 08:00` (or `…:30`, with seconds) first.
  func instant(_ text: String) throws -> Int64 {
    let date = try #require(CivilDate(iso: String(text.prefix(10))))
    let time = try #require(TimeOfDay(String(text.dropFirst(11).prefix(5))))
    let seconds = try text.count > 16 ? #require(Int64(text.suffix(2))) : 0
    return try #require(zone.instant(of: date, time)) + seconds * 1_000
  }

  /// What the wall shows.
  func wall(_ instant: Int64) -> String {
    let (date, second) = zone.civil(at: instant)
    return "\(date.iso) \(TimeOfDay(minute: second / 60)?.text ?? "")"
  }

  /// The rule for what the store would give.
  var rule: QuietRule? {
    consentAt.map {
      QuietRule(
        settings, consentAt: $0, shown: shown.map(\.kept),
        letters: letters.filter { $0.changedAt > now - QuietRule.longestRest }, hasPro: hasPro, zone: zone, now: now)
    }
  }

  /// What was shown of a type, as the wall showed it.
  func times(_ type: QuietType? = nil) -> [String] {
    shown.filter { type == nil || $0.kept.type == type }.map { wall($0.kept.at) }
  }

  var next: String? { rule?.next.map { "\($0.type.rawValue) \(wall($0.at))" } }

  mutating func look() {
    looks += 1
    guard let due = rule?.due else { return }
    dropped.formIntersection(due)
    guard let first = due.first(where: { !dropped.contains($0) }) else { return }
    if hasService {
      shown.append((first, ShownQuiet(type: first.type, date: zone.date(at: now), at: now)))
      letters.removeAll { $0.row == first.letter }
    } else {
      dropped.insert(first)
    }
    look()
  }

  /// The machine sleeps until then.
  mutating func sleep(until instant: Int64) {
    now = instant
    look()
  }

  mutating func sleep(until text: String) throws { sleep(until: try instant(text)) }

  /// The daemon is awake until then; the timer goes off as late as it says, in milliseconds.
  mutating func wake(until end: Int64, late: () -> Int64 = { 0 }) {
    look()
    while let next = rule?.next?.at, next <= end {
      #expect(next > now, "it goes round and round")
      now = max(now, next + late())
      look()
    }
    now = max(now, end)
    look()
  }

  mutating func wake(until text: String) throws { wake(until: try instant(text)) }

  mutating func leaveLetter() {
    lastRow += 1
    letters.insert(LeftLetter(row: lastRow, changedAt: now), at: 0)
    look()
  }

  mutating func choose(_ type: QuietType, _ isEnabled: Bool, _ time: String? = nil) throws {
    let time = try time.map { try #require(TimeOfDay($0)) }
    settings[type] = settings[type].edited(isEnabled: isEnabled, time: time, now: now)
    look()
  }
}
