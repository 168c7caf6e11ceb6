import CivilTime
import KindVerbAPI
import SQLite
import Storage

/// What a person said and chose of quiet notifications, and which were shown, in the store. Every method runs inside the caller's
/// transaction; changes are noted in the change log.
public struct QuietStore {
  /// So many that were shown are kept: more than a year of them. By number and not by age, so that a clock that runs ahead takes
  /// nothing away.
  public static let kept = 400
  /// So many letters are looked at, the newest.
  static let letters = 200
  static let consentName = "notification.consent"

  private let store: Store
  private var database: Connection { store.connection }

  /// Those of this store.
  public init(_ store: Store) { self.store = store }

  private func record(_ id: String, _ op: String) throws(SQLiteError) {
    try store.record(topic: Topic.notification.rawValue, id: id, op: op)
  }

  // MARK: Consent

  /// What the person said, and when; 0 before anything happened.
  public func consent() throws -> (state: ConsentState, at: Int64) {
    guard let parts = try parts(of: Self.consentName) else { return (.notAsked, 0) }
    guard parts.count == 2, let state = ConsentState(rawValue: parts[0]), let at = Int64(parts[1]) else { throw Self.damage }
    return (state, at)
  }

  /// Keeps what the person said; the same again changes nothing.
  public func setConsent(_ state: ConsentState) throws {
    if try consent().state == state { return }
    try store.keepSetting(Self.consentName, "\(state.rawValue) \(store.now())")
    try record("consent", state.rawValue)
  }

  /// A journal was completed: a client may ask, if nobody has and the person has not decided by themselves.
  func offer() throws {
    if try consent().state == .notAsked { try setConsent(.offered) }
  }

  // MARK: Settings

  /// What was chosen, and when something was changed last; 0 for never.
  public func settings() throws -> (settings: QuietSettings, updatedAt: Int64) {
    var settings = QuietSettings()
    for type in QuietType.allCases {
      guard let parts = try parts(of: Self.name(of: type)) else { continue }
      guard parts.count == 3, let time = TimeOfDay(parts[1]), let since = Int64(parts[2]) else { throw Self.damage }
      settings[type] = QuietChoice(isEnabled: parts[0] == "on", time: time, since: since)
    }
    return (settings, QuietType.allCases.map { settings[$0].since }.max() ?? 0)
  }

  /// Keeps what was chosen, if anything is another than before.
  public func setSettings(_ settings: QuietSettings) throws {
    let before = try self.settings().settings
    if settings == before { return }
    for type in QuietType.allCases where settings[type] != before[type] {
      let choice = settings[type]
      try store.keepSetting(Self.name(of: type), "\(choice.isEnabled ? "on" : "off") \(choice.time.text) \(choice.since)")
    }
    try record("settings", "updated")
  }

  private static func name(of type: QuietType) -> String { "notification.\(type.rawValue)" }

  private func parts(of name: String) throws -> [String]? {
    try store.setting(name)?.split(separator: " ").map(String.init)
  }

  private static var damage: SQLiteError { SQLiteError(extendedCode: 11, message: "a setting of notifications is none") }

  // MARK: What is due

  /// The rule for what is stored, at an instant in a zone; nil where nothing is shown, because the person has not agreed.
  public func rule(at now: Int64, in zone: Zone, _ entitlement: Entitlement) throws -> QuietRule? {
    let consent = try consent()
    guard consent.state == .granted else { return nil }
    let settings = try settings().settings
    return QuietRule(
      settings, consentAt: consent.at, shown: try shown(), letters: settings.draftFollowUp.isEnabled ? try left(now) : [],
      hasPro: entitlement.hasPro, zone: zone, now: now)
  }

  private func shown() throws -> [ShownQuiet] {
    try database.all("SELECT type, day, at FROM quietNotification ORDER BY id") { (row) throws(SQLiteError) in
      ShownQuiet(type: try row.choice(0), date: CivilDate(day: row.int(1)), at: row.int64(2))
    }
  }

  /// The letters that were left as they were drafted: the newest of their journal, of which no letter was edited or finalized.
  private func left(_ now: Int64) throws -> [LeftLetter] {
    try database.all(
      """
      SELECT id, updatedAt FROM letter WHERE status = 'drafted' AND updatedAt > ?
        AND NOT EXISTS (SELECT 1 FROM quietNotification WHERE letterId = letter.id)
        AND NOT EXISTS (SELECT 1 FROM letter AS later WHERE later.journalId = letter.journalId AND later.id > letter.id)
        AND NOT EXISTS (SELECT 1 FROM letter AS other WHERE other.journalId = letter.journalId AND other.status <> 'drafted')
      ORDER BY updatedAt DESC LIMIT ?
      """, now - QuietRule.longestRest, Int64(Self.letters)
    ) { (row) throws(SQLiteError) in LeftLetter(row: row.int64(0), changedAt: row.int64(1)) }
  }

  // MARK: What was shown

  /// Keeps that one is shown, on that date on the wall; its row.
  public func keep(_ occurrence: QuietOccurrence, at now: Int64, on date: CivilDate) throws -> Int64 {
    try database.run(
      "INSERT INTO quietNotification (type, day, at, letterId) VALUES (?, ?, ?, ?)", occurrence.type.rawValue, date.day, now,
      occurrence.letter)
    let row = database.lastInsertedRow
    try database.run("DELETE FROM quietNotification WHERE id <= ?", row - Int64(Self.kept))
    try record(occurrence.type.rawValue, "shown")
    return row
  }

  /// Forgets one that nobody could show after all: it does not count.
  public func forget(_ row: Int64, _ type: QuietType) throws {
    try database.run("DELETE FROM quietNotification WHERE id = ?", row)
    try record(type.rawValue, "notShown")
  }

  /// Tells that one was clicked.
  public func activate(_ type: QuietType) throws { try record(type.rawValue, "activated") }
}
