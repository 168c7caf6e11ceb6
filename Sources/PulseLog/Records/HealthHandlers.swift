import CivilTime
import KindVerbAPI
import Storage

/// The `health.` methods: from the wire to the rules to the store and back. Each runs inside the caller's transaction.
public struct HealthHandlers {
  private let store: Store
  private let records: HealthStore
  private let zone: () -> Zone

  /// Handlers on a store. The zone is asked for afresh by each call that needs one.
  public init(_ store: Store, zone: @escaping () -> Zone) {
    self.store = store
    self.zone = zone
    records = HealthStore(store)
  }

  private var today: CivilDate { zone().date(at: store.now()) }

  /// `health.record.set`
  public func setRecord(_ params: Methods.HealthRecordSet.Params) throws -> HealthChange {
    try HealthRules.requireAbove(systolic: params.systolic, diastolic: params.diastolic)
    let part = params.slot.part
    let place = try HealthRules.place(
      part, dateIso: params.dateIso, measuredAt: params.measuredAtEpochMs, now: store.now(), in: zone())
    let value = Measurement.pressure(params.systolic, params.diastolic, measured: place.measured)
    return try set(
      part, to: value, at: place, hasTime: params.measuredAtEpochMs != nil, replace: params.replace ?? false, slot: params.slot)
  }

  /// `health.weight.set`
  public func setWeight(_ params: Methods.HealthWeightSet.Params) throws -> HealthChange {
    let tenths = try HealthRules.tenths(ofWeight: params.weightKg)
    let place = try HealthRules.place(
      .weight, dateIso: params.dateIso, measuredAt: params.measuredAtEpochMs, now: store.now(), in: zone())
    let value = Measurement.weight(tenths: tenths, measured: place.measured)
    return try set(
      .weight, to: value, at: place, hasTime: params.measuredAtEpochMs != nil, replace: params.replace ?? false, slot: nil)
  }

  private func set(
    _ part: HealthPart, to value: Measurement, at place: HealthRules.Place, hasTime: Bool, replace: Bool, slot: Slot?
  ) throws -> HealthChange {
    let before = try records.day(place.date)
    let former = before?[part]
    if let former {
      let isSame = former.hasSameValue(as: value) && !(replace && hasTime && former.measured != value.measured)
      if isSame { return change(place, slot, replaced: false, before) }
      if !replace { throw APIError(.healthSlotTaken, field: "replace") }
    }
    let after = try records.set(part, of: place.date, to: value)
    return change(place, slot, replaced: former != nil, after)
  }

  private func change(_ place: HealthRules.Place, _ slot: Slot?, replaced: Bool, _ record: DayRecord?) -> HealthChange {
    HealthChange(
      dateIso: place.date.iso, slot: slot, countsForYesterday: place.countsForYesterday, replaced: replaced,
      record: record.map(HealthShape.record))
  }

  /// `health.record.clear`
  public func clearRecord(_ params: Methods.HealthRecordClear.Params) throws -> HealthChange {
    try clear(params.slot.part, params.dateIso, slot: params.slot)
  }

  /// `health.weight.clear`
  public func clearWeight(_ params: Methods.HealthWeightClear.Params) throws -> HealthChange {
    try clear(.weight, params.dateIso, slot: nil)
  }

  private func clear(_ part: HealthPart, _ dateIso: String, slot: Slot?) throws -> HealthChange {
    let date = try HealthRules.date(dateIso, field: "dateIso")
    guard try records.day(date)?[part] != nil else { throw APIError(.healthNotRecorded) }
    let after = try records.set(part, of: date, to: nil)
    return HealthChange(
      dateIso: date.iso, slot: slot, countsForYesterday: false, replaced: false, record: after.map(HealthShape.record))
  }

  /// `health.undo`
  public func undo() throws -> HealthUndo {
    guard let undone = try records.undo() else { throw APIError(.healthNothingToUndo) }
    return HealthUndo(dateIso: undone.date.iso, part: undone.part, record: undone.record.map(HealthShape.record))
  }

  /// `health.day.get`
  public func day(_ params: Methods.HealthDayGet.Params) throws -> HealthDay {
    let today = today
    let date = try params.dateIso.map { (text) throws(APIError) in try HealthRules.date(text, field: "dateIso") } ?? today
    let record = try records.day(date)
    return HealthDay(
      dateIso: date.iso, isToday: date == today, status: record?.status ?? .none, record: record.map(HealthShape.record))
  }

  /// `health.calendar.get`
  public func calendar(_ params: Methods.HealthCalendarGet.Params) throws -> HealthCalendar {
    let today = today
    let month = try params.month.map { (text) throws(APIError) in try HealthRules.month(text) } ?? CivilMonth(of: today)
    let first = month.first
    let marks = try records.marks(from: first, to: first.adding(days: month.days - 1))
    return HealthShape.calendar(marks, of: month, today: today)
  }

  /// `health.series.get`
  public func series(_ params: Methods.HealthSeriesGet.Params) throws -> HealthSeries {
    let until = try params.until.map { (text) throws(APIError) in try HealthRules.date(text, field: "until") } ?? today
    let first = until.adding(days: 1 - params.days)
    let days = try records.days(from: first, to: until)
    return HealthSeries(
      from: first.iso, until: until.iso, days: HealthShape.series(days, from: first, count: params.days),
      means: HealthMath.means(days), referenceLine: HealthRules.referenceLine)
  }
}
