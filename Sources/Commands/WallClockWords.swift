import CivilTime
import KindVerbAPI

/// Instants of the wire as the clock on the wall here shows them.
struct WallClockWords {
  private let clock: LocalClock
  private let language: Language

  init(_ language: Language, clock: LocalClock = .present) {
    self.clock = clock
    self.language = language
  }

  /// "tomorrow 00:00", "Monday, 7 December 16:40"; what is no instant stays as it is.
  func moment(_ instant: String) -> String { Instants.milliseconds(instant).map(moment) ?? instant }

  /// The same of milliseconds since 1970.
  func moment(_ milliseconds: Int64) -> String {
    let (date, time) = wall(milliseconds)
    return RemindWords.day(date, today: CivilDate(iso: wall(clock.now).date), language) + " " + time
  }

  /// The date alone, as lists show it.
  func date(_ instant: String) -> String { Instants.milliseconds(instant).map { wall($0).date } ?? instant }

  /// Whether it has passed.
  func isPast(_ instant: String) -> Bool { Instants.milliseconds(instant).map { $0 <= clock.now } ?? false }

  /// When something may be tried again: soon, or at a time.
  func retry(afterMilliseconds wait: Int) -> String {
    switch wait {
    case ...0: MessageKey.cliAiRetryNow.text(in: language)
    case ..<90_000: MessageKey.cliAiRetrySeconds.text(in: language, String((wait + 999) / 1_000))
    case ..<3_600_000: MessageKey.cliAiRetryMinutes.text(in: language, String((wait + 59_999) / 60_000))
    default: MessageKey.cliAiRetryAt.text(in: language, moment(clock.now + Int64(wait)))
    }
  }

  private func wall(_ milliseconds: Int64) -> (date: String, time: String) {
    Instants.wall(milliseconds, offsetMinutes: Int64(clock.zone.offset(at: milliseconds) / 60))
  }
}

extension Language {
  /// Sentences one after the other: with spaces between them, where the script has some.
  func sentences(_ texts: [String]) -> String {
    texts.joined(separator: self == .ja || self == .zhHans ? "" : " ")
  }
}
