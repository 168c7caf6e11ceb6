import CivilTime
import KindVerbAPI

/// Which quiet notification is due, and which comes next (product rule 9). No clock and no store: what was chosen, what was shown, the
/// letters that were left, an instant and a zone go in.
///
/// Few is the rule: what the limits hold back is not made up for later, and what the machine slept through is gone.
public struct QuietRule: Sendable {
  /// The longest that one may come late, in milliseconds.
  public static let longestDelay: Int64 = 3_600_000
  /// How long after its last change a letter counts as left.
  public static let letterRest: Int64 = day
  /// How long after its last change a letter is still spoken of.
  public static let longestRest: Int64 = 7 * day
  /// At most so many in any seven days.
  public static let perWeek = 5
  /// A letter is spoken of between these seconds of a day.
  static let daytime = 9 * 3_600..<21 * 3_600
  /// How long one that has a time waits for the limits to leave room: one evening's milliseconds must not silence the next.
  static let patience: Int64 = 60_000
  static let day: Int64 = 86_400_000

  private let settings: QuietSettings
  private let since: Int64
  private let shown: [ShownQuiet]
  private let letters: [LeftLetter]
  private let hasPro: Bool
  private let zone: Zone
  private let now: Int64
  private let today: CivilDate

  /// The rule for a person who agreed at `consentAt`, at an instant in a zone.
  public init(
    _ settings: QuietSettings, consentAt: Int64, shown: [ShownQuiet], letters: [LeftLetter], hasPro: Bool, zone: Zone, now: Int64
  ) {
    let today = zone.date(at: now)
    self.settings = settings
    since = consentAt
    // A letter of a week ago, held back by the week before it: what is older has no say.
    self.shown = shown.filter { $0.at > now - 15 * Self.day || $0.date.day > today.day - 15 }
    self.letters = letters.sorted { $0.changedAt < $1.changedAt }
    self.hasPro = hasPro
    self.zone = zone
    self.now = now
    self.today = today
  }

  /// Whether a type is chosen and may be used.
  public func isOn(_ type: QuietType) -> Bool { settings[type].isEnabled && (type != .gratitude || hasPro) }

  /// What may be shown now, the first to be due first and one of a type: one of it, since the next is held back by the first.
  public var due: [QuietOccurrence] {
    let walls = [QuietType.gratitude, .dailyReflection].flatMap { type in
      [today.adding(days: -1), today].compactMap { wall(type, on: $0) }
    }
    return (walls + [followUps.due].compactMap(\.self)).filter { occurrence in
      occurrence.at <= now && now - occurrence.at <= Self.longestDelay && isTimely(occurrence)
        && release(occurrence.type, at: now, after: shown) == nil
    }.sorted { $0.at < $1.at }
  }

  /// What comes next if nothing changes, always later than now; nil if nothing is to come.
  public var next: QuietOccurrence? {
    // The limits hold one back for a week at most, so that the second Sunday is free.
    let walls = [(QuietType.gratitude, 22), (.dailyReflection, 10)].compactMap { type, days in
      (0...days).lazy.compactMap { wall(type, on: today.adding(days: $0)) }.first { $0.at > now }
    }
    return (walls + [followUps.next].compactMap(\.self)).min { $0.at < $1.at }
  }

  /// A letter is not spoken of at night, however late its word is.
  private func isTimely(_ occurrence: QuietOccurrence) -> Bool {
    occurrence.type != .draftFollowUp || Self.daytime.contains(zone.civil(at: now).second)
  }

  // MARK: When

  /// From when on a type counts. What was chosen in the future was chosen by a clock that ran ahead.
  private func start(of type: QuietType) -> Int64 {
    [since, settings[type].since].filter { $0 <= now + Self.day }.max() ?? 0
  }

  /// When a type that has its time is due on a date; nil if it is not.
  private func wall(_ type: QuietType, on date: CivilDate) -> QuietOccurrence? {
    let isSunday = date.weekday == 0
    // On Sundays gratitude takes the reflection's place: the earlier of the two would always silence the other.
    guard isOn(type), type == .gratitude ? isSunday : !(isSunday && isOn(.gratitude)),
      let due = zone.instant(of: date, settings[type].time), due > start(of: type),
      let at = firstFree(type, from: due, until: due + Self.patience)
    else { return nil }
    return QuietOccurrence(type: type, at: at)
  }

  /// The word about a letter that is due, and the next: a day after it was left, by day, and where the limits have no room, when they
  /// have. One speaks for all that had been left a day by then.
  private var followUps: (due: QuietOccurrence?, next: QuietOccurrence?) {
    guard isOn(.draftFollowUp) else { return (nil, nil) }
    let told = shown.filter { $0.type == .draftFollowUp && $0.at <= now }.map(\.at).max()
    var due: QuietOccurrence?
    for letter in letters {
      let rested = letter.changedAt + Self.letterRest
      if let told, rested <= told { continue }
      guard let at = firstFree(.draftFollowUp, from: rested, until: letter.changedAt + Self.longestRest),
        at > start(of: .draftFollowUp)
      else { continue }
      let occurrence = QuietOccurrence(type: .draftFollowUp, at: at, letter: letter.row)
      // Who was left later is not spoken of earlier.
      if at > now { return (due, occurrence) }
      if due == nil, now - at <= Self.longestDelay { due = occurrence }
    }
    return (due, nil)
  }

  private func firstFree(_ type: QuietType, from start: Int64, until end: Int64) -> Int64? {
    var at = byDay(type, start)
    while at <= end {
      // What is past is judged by what was known then: what was shown later would move it to where it is not late any more.
      let known = at > now ? shown : shown.filter { $0.at <= at }
      guard let free = release(type, at: at, after: known) else { return at }
      at = byDay(type, free)
    }
    return nil
  }

  /// The instant, or for a letter the first by day from it on.
  private func byDay(_ type: QuietType, _ at: Int64) -> Int64 {
    let (date, second) = zone.civil(at: at)
    if type != .draftFollowUp || Self.daytime.contains(second) { return at }
    let first = second < Self.daytime.lowerBound ? 0 : 1
    let morning = TimeOfDay.at(Self.daytime.lowerBound / 3_600, 0)
    // A date may be left out by the zone.
    return (first..<first + 3).lazy.compactMap { zone.instant(of: date.adding(days: $0), morning) }.first { $0 > at } ?? at
  }

  // MARK: The limits

  /// When the limits leave room for a type if not at an instant, always later; nil if they do. An instant that lies more than a day
  /// ahead was stored by a clock that ran ahead and holds nothing back; its date does, since a date never comes twice.
  private func release(_ type: QuietType, at instant: Int64, after shown: [ShownQuiet]) -> Int64? {
    let date = zone.date(at: instant)
    var free = instant
    if shown.contains(where: { $0.date == date || zone.date(at: $0.at) == date }) {
      free = max(free, beginning(after: date, instant))
    }
    let counted = shown.filter { $0.at <= now + Self.day }
    if let last = counted.filter({ $0.type == type }).map(\.at).max() { free = max(free, last + Self.day) }
    let week = counted.map(\.at).filter { $0 > instant - 7 * Self.day }.sorted()
    // One of the five is kept for Sunday.
    let limit = type != .gratitude && isOn(.gratitude) ? Self.perWeek - 1 : Self.perWeek
    if week.count >= limit { free = max(free, week[week.count - limit] + 7 * Self.day) }
    return free > instant ? free : nil
  }

  /// When the next date begins.
  private func beginning(after date: CivilDate, _ instant: Int64) -> Int64 {
    let midnight = TimeOfDay.at(0, 0)
    return (1...3).lazy.compactMap { zone.instant(of: date.adding(days: $0), midnight) }.first { $0 > instant }
      ?? instant + Self.day
  }
}
