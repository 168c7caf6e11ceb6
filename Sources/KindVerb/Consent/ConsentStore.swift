import SQLite
import Storage

/// What the person has agreed to. Every method runs inside the caller's transaction.
public struct ConsentStore {
  /// What needs an agreement of its own.
  public enum Subject: String, Sendable {
    /// Drafts by an AI.
    case ai
    /// Letters as links.
    case share
  }

  /// What was decided, and when.
  public struct Decision: Equatable, Sendable {
    /// Whether the person agreed.
    public let isGranted: Bool
    /// Milliseconds since 1970.
    public let at: Int64
  }

  private let store: Store

  /// The agreements in this store.
  public init(_ store: Store) { self.store = store }

  /// What was decided; nil while nothing was.
  public func decision(on subject: Subject) throws -> Decision? {
    try store.connection.first("SELECT granted, at FROM consent WHERE name = ?", subject.rawValue) { (row) throws(SQLiteError) in
      Decision(isGranted: row.int(0) != 0, at: row.int64(1))
    }
  }

  /// Whether the person agreed. Nobody has before they say so.
  public func isGranted(_ subject: Subject) throws -> Bool { try decision(on: subject)?.isGranted ?? false }

  /// Keeps a decision. The same one again keeps the time of the first.
  public func decide(_ subject: Subject, _ isGranted: Bool) throws {
    guard try decision(on: subject)?.isGranted != isGranted else { return }
    try store.connection.run(
      "INSERT INTO consent (name, granted, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET granted = excluded.granted, at = excluded.at",
      subject.rawValue, isGranted ? 1 : 0, store.now())
    try store.record(topic: subject.rawValue, id: "consent", op: isGranted ? "granted" : "declined")
  }
}
