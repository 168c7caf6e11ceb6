import KindVerbAPI
import SQLite
import Storage

/// A name that the person keeps, so that it is never sent. It describes itself without it.
public struct PersonRecord: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Of whom or what.
  public let kind: NameKind
  /// The name.
  public let name: String
  /// Milliseconds since 1970.
  public let createdAt: Int64

  /// The kind alone.
  public var description: String { "a \(kind.rawValue)'s name" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Names in the store. Every method runs inside the caller's transaction; changes are noted in the change log, without the name.
public struct PeopleStore {
  /// How many names may be kept.
  public static let capacity = 500

  private let store: Store
  private var database: Connection { store.connection }

  /// Names of this store.
  public init(_ store: Store) { self.store = store }

  /// All of them, in the order in which they came.
  public func all() throws -> [PersonRecord] {
    try database.all("SELECT kind, name, createdAt, sum FROM person ORDER BY id") { (row) throws(SQLiteError) in
      try row.checkSum(of: 0..<3, keptIn: 3)
      return PersonRecord(kind: try row.choice(0), name: try row.text(1), createdAt: row.int64(2))
    }
  }

  /// Keeps a name; one that is there already, in whatever spelling, stays as it is.
  func add(_ name: String, _ kind: NameKind, folded: String) throws {
    guard try database.integer("SELECT 1 FROM person WHERE kind = ? AND folded = ?", kind.rawValue, folded) == nil else { return }
    guard try database.integer("SELECT count(*) FROM person") ?? 0 < Int64(Self.capacity) else {
      var failure = APIError(.peopleTooMany, field: "name")
      failure.limit = Self.capacity
      failure.unit = "items"
      throw failure
    }
    try database.run(
      "INSERT INTO person (kind, name, folded, createdAt, sum) VALUES (?1, ?2, ?3, ?4, rowsum(?1, ?2, ?4))", kind.rawValue, name,
      folded,
      store.now())
    try store.record(topic: Topic.ai.rawValue, id: "people", op: "updated")
  }

  /// Forgets a name, of whatever kind; false if there is none.
  func remove(folded: String) throws -> Bool {
    let before = database.totalChangedRows
    try database.run("DELETE FROM person WHERE folded = ?", folded)
    guard database.totalChangedRows > before else { return false }
    // `deleted`, so that the words go from the log of the store too.
    try store.record(topic: Topic.ai.rawValue, id: "people", op: "deleted")
    return true
  }
}
