import SQLite
import Storage

/// The notifications that may stand on the screen, so that they can be closed after a restart of the daemon too.
public struct StandingStore {
  private let store: Store

  /// Those of this store.
  public init(_ store: Store) { self.store = store }

  /// A notification that stands: what it is about, and its number at the service that shows it.
  public struct Standing: Equatable, Sendable {
    /// What it is about: a reminder's id, or the type of a quiet notification.
    public let subject: String
    /// Its number.
    public let number: UInt32
    /// Which bus and which owner of the service's name gave the number.
    public let service: String

    /// One of these parts.
    public init(subject: String, number: UInt32, service: String) {
      self.subject = subject
      self.number = number
      self.service = service
    }
  }

  /// All of them.
  public func all() throws -> [Standing] {
    try store.connection.all("SELECT subject, number, service FROM standingNotification ORDER BY at") {
      (row) throws(SQLiteError) in
      Standing(subject: try row.text(0), number: UInt32(clamping: row.int64(1)), service: try row.text(2))
    }
  }

  /// Keeps one; an older one about the same is forgotten.
  public func keep(_ standing: Standing) throws {
    try store.connection.run(
      "INSERT OR REPLACE INTO standingNotification (subject, number, service, at) VALUES (?, ?, ?, ?)", standing.subject,
      Int64(standing.number), standing.service, store.now())
  }

  /// Forgets one.
  public func forget(_ subject: String) throws {
    try store.connection.run("DELETE FROM standingNotification WHERE subject = ?", subject)
  }
}
