import KindVerbAPI

/// When something is tried again, and when it is given up (product.md 7; PRD 12.6.3). Values in, values out.
public enum OutboxRule {
  /// How many may wait at once.
  public static let capacity = 100
  /// How long what has failed is kept, in days.
  public static let failedDays = 7
  /// The waits between the attempts of one round, in milliseconds. One more attempt than there are waits, then it is given up.
  public static let waits = [1_000, 2_000, 4_000, 8_000, 16_000]
  /// The longest wait for a network, in milliseconds: a change of the network ends it before.
  public static let longestSearch = 900_000
  /// The longest wait that another side can ask for, in milliseconds.
  public static let longestWish = 3_600_000

  /// What follows an attempt.
  public enum Step: Equatable, Sendable {
    /// It is there.
    case done
    /// It is given up, until a person asks for it again.
    case giveUp(ErrorKey)
    /// It is tried again after so many milliseconds.
    case again(ErrorKey, afterMilliseconds: Int)
  }

  /// What follows an attempt of an item.
  ///
  /// - Parameters:
  ///   - delivery: what came of it.
  ///   - tries: the attempts of this round before it that counted.
  ///   - misses: how often in a row nothing had left the machine before it.
  ///   - jitter: 0..<1; a wait becomes up to half as long again, so that what failed together is not tried together.
  public static func step(after delivery: Delivery, tries: Int, misses: Int, jitter: Double) -> Step {
    switch delivery {
    case .delivered: return .done
    case .refused(let error, _): return .giveUp(error)
    case .notReached(let error):
      // No attempt: nobody was there to refuse it. It waits for the network for as long as it takes.
      let wait = min(longestSearch, waits[0] << min(misses, 20))
      return .again(error, afterMilliseconds: spread(wait, jitter))
    case .unconfirmed(let error, _, let wish):
      guard tries < waits.count else { return .giveUp(error) }
      let wait = spread(waits[tries], jitter)
      return .again(error, afterMilliseconds: max(wait, min(wish ?? 0, longestWish)))
    }
  }

  private static func spread(_ wait: Int, _ jitter: Double) -> Int { wait + Int(Double(wait) * 0.5 * jitter) }
}
