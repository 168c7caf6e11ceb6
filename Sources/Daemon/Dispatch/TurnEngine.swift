import EventLoop
import JSON
import KindVerbAPI
import RPCServer
import SQLite
import Storage
import Systemd

/// One transaction for a turn of the loop: begun by the first call that needs the store, with a savepoint for each call that
/// writes, committed once at the end. A call that fails undoes only itself.
@DaemonActor
final class TurnEngine {
  /// The store; nil while it is being opened.
  var store: Store?
  /// Called when writing turned out to be impossible, or possible again.
  var onHealth: (@DaemonActor (StoreHealth) -> Void)?
  /// Commits since the start.
  private(set) var commits = 0
  /// Whether a transaction is open.
  private(set) var isOpen = false
  private var writes: [Call] = []
  private let log = Log("store")

  /// Whether the store takes writes.
  enum StoreHealth: Equatable {
    case writable
    case full
  }

  init() {}

  /// Begins the turn's transaction unless it has begun.
  @discardableResult
  func begin() throws -> Store {
    guard let store else { throw APIError(.rpcNotReady) }
    if !isOpen {
      try store.begin()
      isOpen = true
    }
    return store
  }

  /// Runs a call that only looks.
  func read(_ call: Call, _ body: (JSONObject, CallContext, inout JSONWriter) throws -> Void) throws -> [UInt8] {
    try begin()
    var writer = JSONWriter()
    try body(call.params, call.context, &writer)
    return writer.bytes
  }

  /// Runs a call that may change something, in a savepoint of its own. A call with an idempotency key that was answered before
  /// gets that answer again; a dry run is undone.
  func write(_ call: Call, _ body: (JSONObject, CallContext, inout JSONWriter) throws -> Void) throws -> [UInt8] {
    let store = try begin()
    let key = call.options.idempotencyKey
    let fingerprint = key.map { _ in Fingerprint.of(call.route.descriptor.name, call.params) }
    if let key, let fingerprint, let earlier = try store.reply(forKey: key) {
      guard earlier.fingerprint == fingerprint else { throw APIError(.rpcIdempotencyConflict, field: "_meta.idempotencyKey") }
      guard let reply = earlier.reply else { throw APIError(.rpcIdempotencyGone, field: "_meta.idempotencyKey") }
      return reply
    }
    var writer = JSONWriter()
    try store.beginSavepoint()
    do {
      try body(call.params, call.context, &writer)
      if let key, let fingerprint, !call.options.dryRun {
        try store.remember(
          key: key, method: call.route.descriptor.name, fingerprint: fingerprint, reply: writer.bytes,
          subjects: Fingerprint.subjects(of: writer.bytes))
      }
    } catch {
      try store.rollbackSavepoint(after: error)
      throw error
    }
    if call.options.dryRun {
      try store.rollbackSavepoint()
    } else {
      try store.releaseSavepoint()
      writes.append(call)
    }
    return writer.bytes
  }

  /// Commits what the turn did. If that fails nothing of it has happened, and `failed` is called for each call that had written.
  func finish(failed: (Call, APIError) -> Void) -> [ChangeRecord] {
    defer { writes.removeAll(keepingCapacity: true) }
    guard isOpen, let store else { return [] }
    isOpen = false
    do {
      let changes = try store.commit()
      if !writes.isEmpty {
        commits += 1
        onHealth?(.writable)
      }
      return changes
    } catch {
      store.rollback()
      let failure = StoreFaults.apiError(error)
      log.error("commit failed, \(writes.count) calls undone: \(public: StoreFaults.detail(error))")
      if failure.key == .storageFull { onHealth?(.full) }
      for call in writes where call.slot != nil { failed(call, failure) }
      return []
    }
  }

  /// Runs a piece of work that belongs to no call of this turn, such as a slice of a search: inside the turn's transaction if one
  /// is open, else in one of its own, which ends with it.
  func alone<Value>(_ body: (Store) throws -> Value) throws -> Value {
    if isOpen, let store { return try body(store) }
    let store = try begin()
    isOpen = false
    do {
      let value = try body(store)
      _ = try store.commit()
      return value
    } catch {
      store.rollback()
      throw error
    }
  }
}

/// Storage errors as the wire and the log know them.
enum StoreFaults {
  /// The wire's error for anything that is thrown below a handler.
  static func apiError(_ error: any Error) -> APIError {
    if let error = error as? APIError { return error }
    guard let error = error as? SQLiteError else { return APIError(.rpcInternal) }
    switch error.kind {
    case .full: return APIError(.storageFull)
    case .busy:
      var failure = APIError(.storageBusy)
      failure.retryAfterMs = 250
      return failure
    case .readOnly: return APIError(.storageReadOnly)
    case .damaged: return APIError(.storageDamaged)
    default: return APIError(.storageFailed)
    }
  }

  /// What the log may say of an error: its type and codes, never its values.
  static func detail(_ error: any Error) -> String {
    if let error = error as? SQLiteError { return "SQLite \(error.extendedCode)" }
    if let error = error as? APIError { return error.key.rawValue }
    return String(describing: type(of: error))
  }
}

/// What tells two calls under one idempotency key apart.
enum Fingerprint {
  /// The method and the parameters as text; names in a fixed order, so that only their values matter.
  static func of(_ method: String, _ params: JSONObject) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    writer.string(method)
    writer.value(sorted(.object(params)))
    writer.endArray()
    // Two 64-bit FNV-1a sums with different beginnings: the words themselves are not kept a second time.
    return [0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142].flatMap { (start: UInt64) -> [UInt8] in
      let sum = writer.bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      return (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0))) }
    }
  }

  private static func sorted(_ value: JSON) -> JSON {
    switch value {
    case .object(let object):
      return .object(JSONObject(object.members.sorted { $0.name < $1.name }.map { ($0.name, sorted($0.value)) }))
    case .array(let items): return .array(items.map(sorted))
    default: return value
    }
  }

  /// The ids of what a reply speaks of, so that deleting one of them empties the reply that is kept.
  static func subjects(of reply: [UInt8]) -> [String] {
    guard let json = try? JSON(parsing: reply) else { return [] }
    let parts = [json, json["journal"] ?? .null, json["letter"] ?? .null]
    return Array(Set(parts.compactMap { $0["id"]?.stringValue } + parts.compactMap { $0["journalId"]?.stringValue }))
  }
}
