import CivilTime
import KindVerbAPI

/// What is known of time: the wall's clock, which can be set, and the clock since the machine was started, which cannot.
public struct AIClock: Equatable, Sendable {
  /// The wall's, in milliseconds since 1970.
  public let wall: Int64
  /// Since the machine was started, with the time that it slept, in milliseconds.
  public let sinceBoot: Int64
  /// Which start that was.
  public let boot: String

  /// A moment.
  public init(wall: Int64, sinceBoot: Int64, boot: String) {
    self.wall = wall
    self.sinceBoot = sinceBoot
    self.boot = boot
  }
}

/// A call of the AI, as it is remembered for the limits.
struct AICall: Equatable, Sendable {
  /// What became of it.
  enum State: String, Sendable {
    /// It is on its way: it counts like a draft, so that two at once are not one too many.
    case running
    /// It made a draft.
    case drafted
    /// It did not: it counts for the machine, and not against the person.
    case failed
  }

  let id: Int64
  /// When it began.
  let at: AIClock
  /// How far east of UTC the wall was then, in minutes.
  let offsetMinutes: Int
  let state: State

  private static let day: Int64 = 86_400_000

  /// When it began by the present clock. Since the machine's last start that is reckoned back from now, whatever the wall showed then;
  /// before it is what the wall showed, but never later than now: what seems to lie ahead counts as of today.
  func instant(by now: AIClock) -> Int64 { elapsed(until: now).map { now.wall - $0 } ?? min(at.wall, now.wall) }

  /// How long ago it began, in milliseconds; nil where the machine was started in between.
  private func elapsed(until now: AIClock) -> Int64? { at.boot == now.boot ? max(0, now.sinceBoot - at.sinceBoot) : nil }

  /// How long it still counts for the day, in milliseconds; 0 once it does not. A day is over when it is over by the present clock and by
  /// the clock of then: a clock that was set in between, or a zone that is another, cannot end it.
  func counts(at now: AIClock, _ zone: Zone) -> Int64 {
    var rest: Int64 = 0
    let today = zone.date(at: now.wall)
    if zone.date(at: instant(by: now)) >= today {
      rest = (AIAllowance.midnight(after: today, zone) ?? now.wall + Self.day) - now.wall
    }
    if let elapsed = elapsed(until: now) { rest = max(rest, untilMidnight(zone) - elapsed) }
    return max(0, rest)
  }

  /// How long the day of then still was, by the wall of then. Where the zone is still the same it knows how long that day is.
  private func untilMidnight(_ zone: Zone) -> Int64 {
    if zone.offset(at: at.wall) == offsetMinutes * 60, let end = AIAllowance.midnight(after: zone.date(at: at.wall), zone) {
      return end - at.wall
    }
    let local = at.wall + Int64(offsetMinutes) * 60_000
    return Self.day - ((local % Self.day) + Self.day) % Self.day
  }
}

/// How many drafts of an AI's there may be (product.md 6). Values in, values out.
public struct AIAllowance: Equatable, Sendable {
  /// Calls that the machine makes in a day, whoever asks and whatever comes of them.
  public static let machinePerDay = 20
  /// Calls that it makes in a minute.
  public static let machinePerMinute = 6
  private static let minute: Int64 = 60_000

  /// Drafts that count today.
  let used: Int
  /// Drafts that there may be in a day.
  let limit: Int
  /// Calls of today.
  let calls: Int
  /// Calls of the last minute.
  let recent: Int
  /// When the day ends, in milliseconds since 1970.
  let renewsAt: Int64
  /// When the minute has room again, in milliseconds from now; 0 if it has.
  let waitForMinute: Int

  /// What is left by a clock and in a zone.
  init(_ made: [AICall], now: AIClock, zone: Zone, limit: Int) {
    let todays = made.map { (state: $0.state, rest: $0.counts(at: now, zone)) }.filter { $0.rest > 0 }
    let drafts = todays.filter { $0.state != .failed }
    let recents = made.map { now.wall - $0.instant(by: now) }.filter { $0 < Self.minute }
    used = drafts.count
    self.limit = limit
    calls = todays.count
    recent = recents.count
    // Where there is none left, when the first of them ends; else at midnight.
    let ends = used >= limit ? drafts : calls >= Self.machinePerDay ? todays : []
    let midnight = AIAllowance.midnight(after: zone.date(at: now.wall), zone) ?? now.wall + 86_400_000
    renewsAt = ends.map(\.rest).min().map { now.wall + $0 } ?? midnight
    let oldest = recents.sorted(by: >).dropFirst(max(0, recents.count - Self.machinePerMinute)).first ?? 0
    waitForMinute = recents.count < Self.machinePerMinute ? 0 : Int(Self.minute - oldest)
  }

  static func midnight(after date: CivilDate, _ zone: Zone) -> Int64? {
    TimeOfDay(minute: 0).flatMap { zone.instant(of: CivilDate(day: date.day + 1), $0) }
  }

  /// Drafts left today.
  var left: Int { max(0, min(limit - used, Self.machinePerDay - calls)) }

  /// Refuses one more call: `error.ai.limit_reached`, `error.ai.machine_limit`, `error.ai.too_fast`.
  func check(now: Int64) throws(APIError) {
    let untilMidnight = Int(max(0, renewsAt - now))
    if used >= limit { throw Self.refusal(.aiLimitReached, limit, "per day", untilMidnight) }
    if calls >= Self.machinePerDay { throw Self.refusal(.aiMachineLimit, Self.machinePerDay, "per day", untilMidnight) }
    if waitForMinute > 0 { throw Self.refusal(.aiTooFast, Self.machinePerMinute, "per minute", waitForMinute) }
  }

  private static func refusal(_ key: ErrorKey, _ limit: Int, _ unit: String, _ wait: Int) -> APIError {
    var failure = APIError(key)
    failure.limit = limit
    failure.unit = unit
    failure.retryAfterMs = wait
    return failure
  }
}
