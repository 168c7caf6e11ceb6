import CivilTime
import KindVerbAPI
import Reminders

/// One life in one zone, and what it should have been.
struct Proof {
  private let zone: Zone
  private var oracle: Oracle
  private let morning: TimeOfDay
  private let evening: TimeOfDay
  private let days: ClosedRange<Int>
  private let sleeps: Bool
  private var random: UInt64
  /// Stretches in which nothing goes off, in milliseconds, in order.
  private var asleep: [Range<Int64>] = []
  private var kept: [Kept?]
  private var at: [Int64]
  /// How many dates and slots were compared.
  private(set) var checked = 0

  init(
    _ zone: Zone, _ oracle: Oracle, _ morning: TimeOfDay, _ evening: TimeOfDay, days: ClosedRange<Int>, sleeps: Bool, seed: UInt64
  ) {
    self.zone = zone
    self.oracle = oracle
    self.morning = morning
    self.evening = evening
    self.days = days
    self.sleeps = sleeps
    random = seed
    kept = Array(repeating: nil, count: (days.count + 30) * 2)
    at = Array(repeating: 0, count: (days.count + 30) * 2)
  }

  private func time(of slot: Slot) -> TimeOfDay { slot == .morning ? morning : evening }

  private func place(_ date: CivilDate, _ slot: Slot) -> Int { (date.day - days.lowerBound + 2) * 2 + (slot == .morning ? 0 : 1) }

  /// Lives it; false, and a line that says where, at the first difference.
  mutating func run() -> Bool {
    if sleeps { fallAsleep() }
    guard live() else { return false }
    return compare()
  }

  private mutating func next(_ bound: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((random >> 33) % UInt64(bound))
  }

  private mutating func fallAsleep() {
    let minute: Int64 = 60_000
    var instant = Int64(days.lowerBound) * 86_400_000
    while instant < Int64(days.upperBound + 3) * 86_400_000 {
      let begin = instant + Int64(next(3_000)) * minute
      // Mostly a night, now and then some days.
      let end = begin + Int64(next(10) == 0 ? next(9_000) : next(700)) * minute + 1
      asleep.append(begin..<end)
      instant = end
    }
  }

  private mutating func live() -> Bool {
    let before = CivilDate(day: days.lowerBound - 1)
    let start = oracle.due(before.day, 720).map { Int64($0) * 1_000 } ?? 0
    var schedules = Slot.allCases.map { slot in
      SlotSchedule(slot: slot, isEnabled: true, time: time(of: slot), editedAt: start, decided: before)
    }
    var now = start
    // The longest sleep is a week, and the last days' reminders are decided after it.
    let end = Int64(days.upperBound + 15) * 86_400_000
    var sleep = asleep[...]
    while now < end {
      let verdict = ReminderRule(schedules, zone: zone).verdict(
        at: now, kept: { kept[place($0, $1)] }, isRecorded: { date, slot in date.day % 7 == 3 && slot == .evening })
      for occurrence in verdict.ring { note(.shown, occurrence, now) }
      for occurrence in verdict.miss { note(.missed, occurrence, now) }
      for occurrence in verdict.suppress { note(.suppressed, occurrence, now) }
      for index in schedules.indices {
        if let decided = verdict.decided[schedules[index].slot] { schedules[index].decided = decided }
      }
      guard let next = verdict.next, next > now else {
        print("after \(now) comes \(verdict.next ?? -1)")
        return false
      }
      now = next
      while let first = sleep.first, first.upperBound <= now { sleep.removeFirst() }
      if let first = sleep.first, first.contains(now) { now = first.upperBound }
    }
    return true
  }

  private mutating func note(_ outcome: ReminderOutcome, _ occurrence: Occurrence, _ now: Int64) {
    let place = place(occurrence.date, occurrence.slot)
    // A second word on the same date is a difference that no comparison would forgive.
    if kept[place] != nil { at[place] = -1 } else { at[place] = now }
    kept[place] = Kept(outcome: outcome, dueAt: occurrence.dueAt)
  }

  private mutating func compare() -> Bool {
    for day in days {
      for slot in Slot.allCases {
        let date = CivilDate(day: day)
        let place = place(date, slot)
        let wanted = wanted(day, slot)
        let found = kept[place].map { ($0.outcome, at[place]) }
        checked += 1
        if wanted?.0 != found?.0 || wanted?.1 != found?.1 {
          print("\(date.iso) \(slot): wanted \(String(describing: wanted)), found \(String(describing: found))")
          return false
        }
      }
    }
    return true
  }

  /// What should have become of a date's slot, and when.
  private mutating func wanted(_ day: Int, _ slot: Slot) -> (ReminderOutcome, Int64)? {
    guard let due = due(day, slot) else { return nil }
    var end = due + 4 * 3_600_000
    for other in Slot.allCases {
      for near in day - 1...day + 2 {
        if let next = self.due(near, other), next > due { end = min(end, next) }
      }
    }
    let awake = firstAwake(from: due)
    if day % 7 == 3, slot == .evening { return (.suppressed, awake) }
    return awake < end ? (.shown, awake) : (.missed, awake)
  }

  private mutating func due(_ day: Int, _ slot: Slot) -> Int64? {
    // An evening by night is the one of the date before.
    let minute = time(of: slot).minute
    return oracle.due(slot == .evening && minute < 240 ? day + 1 : day, minute).map { Int64($0) * 1_000 }
  }

  private func firstAwake(from instant: Int64) -> Int64 {
    var low = 0
    var high = asleep.count
    while low < high {
      let middle = (low + high) / 2
      if asleep[middle].upperBound <= instant { low = middle + 1 } else { high = middle }
    }
    return low < asleep.count && asleep[low].contains(instant) ? asleep[low].upperBound : instant
  }
}
