import KindVerbAPI
import Outbox
import Testing

@Suite("When something is tried again") struct OutboxRuleTests {
  @Test("1, 2, 4, 8, 16 s, up to half as long again, and then it is given up")
  func waits() {
    let lost = Delivery.unconfirmed(.networkUnavailable, mayHaveArrived: true)
    for (tries, wait) in [1_000, 2_000, 4_000, 8_000, 16_000].enumerated() {
      #expect(
        OutboxRule.step(after: lost, tries: tries, misses: 0, jitter: 0) == .again(.networkUnavailable, afterMilliseconds: wait))
      let late = OutboxRule.step(after: lost, tries: tries, misses: 0, jitter: 0.999_999)
      guard case .again(_, let longest) = late else {
        Issue.record("\(late)")
        continue
      }
      #expect(longest > wait && longest <= wait + wait / 2)
    }
    #expect(OutboxRule.step(after: lost, tries: 5, misses: 0, jitter: 0) == .giveUp(.networkUnavailable))
  }

  @Test("the other side's wish is kept, as long as it is no longer than an hour; a shorter one does not shorten the wait")
  func wishes() {
    for (wish, wait) in [(0, 1_000), (37_500, 37_500), (3_600_000, 3_600_000), (Int.max, 3_600_000), (-5, 1_000)] {
      let busy = Delivery.unconfirmed(.linkRateLimited, mayHaveArrived: false, retryAfterMs: wish)
      #expect(OutboxRule.step(after: busy, tries: 0, misses: 0, jitter: 0) == .again(.linkRateLimited, afterMilliseconds: wait))
    }
  }

  @Test("without a network it waits as long as it takes, and never longer than a quarter of an hour at once")
  func search() {
    for (misses, wait) in [(0, 1_000), (1, 2_000), (5, 32_000), (10, 900_000), (63, 900_000), (Int.max, 900_000)] {
      let step = OutboxRule.step(after: .notReached(.networkUnavailable), tries: 5, misses: misses, jitter: 0)
      #expect(step == .again(.networkUnavailable, afterMilliseconds: wait))
    }
  }

  @Test("what is there is done, what is refused is given up at once")
  func ends() {
    #expect(OutboxRule.step(after: .delivered(), tries: 0, misses: 0, jitter: 0.5) == .done)
    #expect(
      OutboxRule.step(after: .refused(.linkInvalidContent), tries: 0, misses: 0, jitter: 0.5) == .giveUp(.linkInvalidContent))
  }
}
