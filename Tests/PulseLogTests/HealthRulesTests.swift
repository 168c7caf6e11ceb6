import CivilTime
import KindVerbAPI
import Testing

@testable import PulseLog

private func refusal(_ body: () throws -> Void) -> APIError? {
  do {
    try body()
    return nil
  } catch { return error as? APIError }
}

@Suite("Rules of readings")
struct HealthRulesTests {
  @Test("the upper pressure is above the lower, or both are refused as they are")
  func above() {
    for (systolic, diastolic) in [(80, 120), (120, 120), (50, 200), (90, 91)] {
      let failure = refusal { try HealthRules.requireAbove(systolic: systolic, diastolic: diastolic) }
      #expect(failure?.key == .healthSystolicNotAboveDiastolic && failure?.field == "systolic")
    }
    #expect(refusal { try HealthRules.requireAbove(systolic: 91, diastolic: 90) } == nil)
  }

  @Test("every weight of one place after the point is kept exactly, and every other refused")
  func weight() throws {
    for tenths in 200...3_000 {
      let text = "\(tenths / 10).\(tenths % 10)"
      #expect(try HealthRules.tenths(ofWeight: #require(Double(text))) == tenths)
      for more in 1...9 {
        let precise = try #require(Double(text + "\(more)"))
        #expect(refusal { _ = try HealthRules.tenths(ofWeight: precise) }?.key == .healthWeightTooPrecise)
      }
    }
  }

  @Test("weight is not asked for")
  func status() {
    #expect(HealthRules.status(morning: true, evening: true, weight: false) == .complete)
    #expect(HealthRules.status(morning: true, evening: false, weight: true) == .partial)
    #expect(HealthRules.status(morning: false, evening: false, weight: true) == .partial)
    #expect(HealthRules.status(morning: false, evening: false, weight: false) == .none)
  }

  @Test(
    "what is no date of the calendar, or lies before 1900, is refused by its field",
    arguments: ["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "20260101", "", "1899-12-31", "2026-03-01 ", "２０２６-03-01"])
  func dates(_ text: String) {
    let failure = refusal { _ = try HealthRules.date(text, field: "until") }
    #expect(failure?.key == .healthDateInvalid && failure?.field == "until" && failure?.expected == "YYYY-MM-DD")
  }

  @Test("the earliest date and month there are")
  func earliest() throws {
    #expect(try HealthRules.date("1900-01-01", field: "dateIso").iso == "1900-01-01")
    #expect(try HealthRules.date("2028-02-29", field: "dateIso").iso == "2028-02-29")
    #expect(try HealthRules.month("1900-01").iso == "1900-01")
    for text in ["1899-12", "2026-13", "2026-3", "2026", "2026-03-01"] {
      #expect(refusal { _ = try HealthRules.month(text) }?.field == "month")
    }
  }
}

@Suite("Means")
struct HealthMathTests {
  @Test("to one place, a half up; a gap counts as nothing")
  func means() {
    #expect(HealthMath.mean([1, 2], scale: 10) == 15)
    #expect(HealthMath.mean([1, 1, 2], scale: 10) == 13)
    #expect(HealthMath.mean([1, 2, 2], scale: 10) == 17)
    #expect(HealthMath.mean([684, 685], scale: 1) == 685)
    var first = DayRecord(CivilDate(day: 0), createdAt: 0)
    first.morning = .pressure(128, 82)
    first.evening = .pressure(130, 85)
    var second = DayRecord(CivilDate(day: 9), createdAt: 0)
    second.morning = .pressure(121, 79)
    let means = HealthMath.means([first, second])
    #expect(means.morning == PressureMean(systolic: 124.5, diastolic: 80.5, count: 2))
    #expect(means.evening == PressureMean(systolic: 130, diastolic: 85, count: 1))
    #expect(means.all == PressureMean(systolic: 126.3, diastolic: 82, count: 3))
    #expect(means.weight == nil)
  }
}
