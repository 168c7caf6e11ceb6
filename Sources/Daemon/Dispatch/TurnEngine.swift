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
  /// The calls that were answered from the open transaction since something was written in it, whatever they did themselves: what
  /// they were told, an error too, comes true with the commit alone.
  private var answered: [Call] = []
  /// Whether a call of the turn has written something that stays.
  private(set) var hasWritten = false
  private let log = Log("store")

  /// Whether the store takes writes.
  enum StoreHealth: Equatable {
    case writable
    case full
    /// What is open is not what lies at its path any more.
    case lost
    /// The disk takes no writes.
    case readOnly
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

  private func note(_ call: Call) { if hasWritten, call.slot != nil { answered.append(call) } }

  /// Runs a call that only looks.
  func read(_ call: Call, _ work: Work) throws -> [UInt8] {
    try begin()
    defer { note(call) }
    var writer = JSONWriter()
    try work.run(call.context, &writer)
    return writer.bytes
  }

  /// Runs a call that may change something, in a savepoint of its own. A call with an idempotency key that was answered before
  /// gets that answer again; a dry run is undone, and so is a call whose reply there is no room for.
  func write(_ call: Call, _ work: Work) throws -> [UInt8] {
    let store = try begin()
    defer { note(call) }
    let key = call.options.idempotencyKey
    let fingerprint = key.map { _ in Fingerprint.of(call.route.descriptor.name, work.spelling()) }
    if let fingerprint, let reply = try earlierReply(call, fingerprint, in: store) { return reply }
    var writer = JSONWriter()
    try store.beginSavepoint()
    do {
      try work.run(call.context, &writer)
      if writer.bytes.count > call.room { throw call.answer.tooLarge }
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
      hasWritten = true
    }
    return writer.bytes
  }

  /// The answer that was given under the call's idempotency key; nil if it has none, or it was not used before.
  func earlierReply(_ call: Call, _ fingerprint: [UInt8], in store: Store) throws -> [UInt8]? {
    guard let key = call.options.idempotencyKey, let earlier = try store.reply(forKey: key) else { return nil }
    guard earlier.fingerprint == fingerprint else { throw APIError(.rpcIdempotencyConflict, field: "_meta.idempotencyKey") }
    guard let reply = earlier.reply else { throw APIError(.rpcIdempotencyGone, field: "_meta.idempotencyKey") }
    return reply
  }

  /// The last step of a call that has waited, in a transaction of its own, with its key: the answer, and what was changed once that is on
  /// disk.
  func writeLast(_ call: Call, _ fingerprint: [UInt8], _ last: LastStep) throws -> (reply: [UInt8], changes: [ChangeRecord]) {
    var reply: [UInt8] = []
    let changes = try writeAlone { store in
      var writer = JSONWriter()
      try last(store, call.context, &writer)
      if writer.bytes.count > call.room { throw call.answer.tooLarge }
      if let key = call.options.idempotencyKey {
        try store.remember(
          key: key, method: call.route.descriptor.name, fingerprint: fingerprint, reply: writer.bytes,
          subjects: Fingerprint.subjects(of: writer.bytes))
      }
      reply = writer.bytes
    }
    return (reply, changes)
  }

  /// Commits what the turn did. If that fails nothing of it has happened, and `failed` is called for each call that was answered
  /// as if it had.
  func finish(failed: (Call, APIError) -> Void, onError: (SQLiteError) -> Void = { _ in }) -> [ChangeRecord] {
    defer {
      answered.removeAll(keepingCapacity: answered.count <= 64)
      hasWritten = false
    }
    guard isOpen, let store else { return [] }
    isOpen = false
    do {
      let changes = try store.commit()
      // A turn that came to nothing says nothing of the disk.
      if !changes.isEmpty {
        commits += 1
        onHealth?(.writable)
      }
      return changes
    } catch {
      store.rollback()
      let error = store.cause(of: error)
      let failure = StoreFaults.apiError(error)
      let (first, last) = (answered.first?.number ?? 0, answered.last?.number ?? 0)
      log.error(
        "commit failed, \(answered.count) answers of requests \(first) to \(last) undone: \(public: StoreFaults.detail(error))")
      if failure.key == .storageFull { onHealth?(.full) }
      if !store.isInPlace() {
        onHealth?(.lost)
      } else if failure.key == .storageReadOnly {
        onHealth?(.readOnly)
      }
      for call in answered { failed(call, failure) }
      onError(error)
      return []
    }
  }

  /// Runs a piece of work that belongs to no call of this turn, such as a slice of a search, in a transaction of its own, which ends
  /// with it. Only between turns: what an open one has written may yet be undone.
  func alone<Value>(_ body: (Store) throws -> Value) throws -> Value {
    precondition(!isOpen, "the loop runs no jobs inside a turn")
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

  /// The same for a piece of work that writes: what it changed, once that is on disk. When it throws nothing has happened.
  func writeAlone(_ body: (Store) throws -> Void) throws -> [ChangeRecord] {
    precondition(!isOpen, "the loop runs no jobs inside a turn")
    let store = try begin()
    do { try body(store) } catch {
      isOpen = false
      store.rollback()
      throw error
    }
    var failure: SQLiteError?
    let changes = finish(failed: { _, _ in }, onError: { failure = $0 })
    if let failure { throw failure }
    return changes
  }
}

/// Storage errors as the wire and the log know them.
enum StoreFaults {
  /// The wire's error for anything that is thrown below a handler.
  static func apiError(_ error: any Error) -> APIError {
    if let error = error as? APIError { return error }
    if error is CancellationError { return APIError(.rpcCancelled) }
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
    if let error = error as? LoopError { return "\(error.call) \(error.errno)" }
    if let error = error as? APIError { return error.key.rawValue }
    return String(describing: type(of: error))
  }
}

/// What tells two calls under one idempotency key apart.
enum Fingerprint {
  /// The method and the parameters as the contract spells them: names in its order, nothing for what is absent or means the same.
  static func of(_ method: String, _ params: [UInt8]) -> [UInt8] {
    let text = Array(method.utf8) + [0] + params
    // Two 64-bit FNV-1a sums with different beginnings: the words themselves are not kept a second time.
    return [0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142].flatMap { (start: UInt64) -> [UInt8] in
      let sum = text.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      return (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0))) }
    }
  }

  /// The ids of what a reply speaks of, so that deleting one of them empties the reply that is kept.
  static func subjects(of reply: [UInt8]) -> [String] {
    guard let json = try? JSON(parsing: reply) else { return [] }
    let parts = [json, json["journal"] ?? .null, json["letter"] ?? .null]
    // A reading's name is its date.
    let names = ["id", "journalId", "dateIso"]
    return Array(Set(parts.flatMap { part in names.compactMap { part[$0]?.stringValue } }))
  }
}
