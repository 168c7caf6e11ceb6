import Glibc
import SQLite
import Testing

@testable import Storage

/// What the damage is said to be; nil if the store opens (and is closed again).
func damage(_ body: () throws -> Store) -> String? {
  do {
    try body().close()
    return nil
  } catch {
    guard case StoreError.damaged(_, let detail)? = error as? StoreError else { return "\(error)" }
    return detail
  }
}

/// Commits a change for each id.
func commit(_ store: Store, _ ids: String..., op: String = "created") throws {
  try store.begin()
  for id in ids { try store.record(topic: "journal", id: id, op: op) }
  _ = try store.commit()
}

/// Leaves the store as a crash does: the log is neither merged nor removed, and there is no seal.
func crash(_ store: Store) {
  store.abandon()
  store.connection.close()
  store.directory.release()
}

extension Sandbox {
  /// All files of the data directory but the lock, by name.
  func files() -> [String: [UInt8]] {
    var all: [String: [UInt8]] = [:]
    for name in ["kindverb.db", "kindverb.db-wal", "kindverb.db-shm", "kindverb.mark", "kindverb.seal"]
    where access("\(data)/\(name)", F_OK) == 0 { all[name] = bytes("\(data)/\(name)") }
    return all
  }
}

@Suite("What a refused start finds, and leaves as it was")
struct RefusalTests {
  @Test("a damaged file with a log beside it: neither is merged, removed or made")
  func untouched() throws {
    let sandbox = try Sandbox()
    var store = try sandbox.open()
    for number in 0..<200 { try commit(store, "id-\(number)") }
    store.close()
    store = try sandbox.open()
    try commit(store, "in the log")
    crash(store)
    var bytes = sandbox.bytes(sandbox.database)
    for page in stride(from: 4_096, to: bytes.count, by: 4_096) { bytes[page] ^= 0x55 }
    sandbox.write(bytes, to: sandbox.database)
    let before = sandbox.files()
    #expect(before["kindverb.db-wal"]?.isEmpty == false)
    #expect(damage { try sandbox.open() } != nil)
    #expect(sandbox.files() == before)
  }

  @Test("a clean stop's seal outlives a refusal, and nothing is made", arguments: ["damaged", "busy", "newer"])
  func seal(_ kind: String) throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "a")
    store.close()
    let other = try Connection(path: sandbox.database)
    switch kind {
    case "damaged":
      var bytes = sandbox.bytes(sandbox.database)
      bytes[4_096] ^= 0x55
      sandbox.write(bytes, to: sandbox.database)
    case "busy": try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    default:
      try other.execute("PRAGMA user_version = 99")
      other.close()
    }
    unlink(sandbox.data + "/kindverb.mark")
    let before = sandbox.files()
    #expect(throws: StoreError.self) { try sandbox.open() }
    #expect(sandbox.files() == before && before["kindverb.seal"] != nil)
    other.close()
  }

  @Test("a log that was cut or taken away is found, whole it opens", arguments: ["half", "all", "removed"])
  func cutLog(_ kind: String) throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    for number in 0..<10 { try commit(store, "id-\(number)") }
    crash(store)
    let log = sandbox.database + "-wal"
    let bytes = sandbox.bytes(log)
    switch kind {
    case "half": sandbox.write(Array(bytes[..<(bytes.count / 2)]), to: log)
    case "all": sandbox.write([], to: log)
    default: unlink(log)
    }
    let before = sandbox.files()
    #expect(damage { try sandbox.open() } != nil)
    #expect(sandbox.files() == before)
    sandbox.write(bytes, to: log)
    let again = try sandbox.open()
    #expect(again.committedSeq == 10)
    again.close()
  }

  @Test("a log that another program merged after a crash is no damage")
  func mergedLog() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "a", "b")
    crash(store)
    let other = try Connection(path: sandbox.database)
    #expect(try other.integer("SELECT count(*) FROM change") == 2)
    other.close()
    #expect(access(sandbox.database + "-wal", F_OK) != 0)
    let again = try sandbox.open()
    #expect(again.committedSeq == 2)
    again.close()
  }

  @Test("an old seal says nothing about a log that came after it")
  func oldSeal() throws {
    let sandbox = try Sandbox()
    var store = try sandbox.open()
    for number in 0..<200 { try commit(store, "id-\(number)") }
    store.close()
    let seal = sandbox.bytes(sandbox.data + "/kindverb.seal")
    store = try sandbox.open()
    // A change of the tree itself, that only the log holds.
    try commit(store, "b")
    try store.connection.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'letterJournal'")
    crash(store)
    sandbox.write(seal, to: sandbox.data + "/kindverb.seal")
    #expect(damage { try sandbox.open() } != nil)
  }

  @Test("a backup put in the place of a file whose log still lies there is not mixed with it")
  func staleLog() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "a")
    let copy = store.directory.backups + "/kindverb-copy.db"
    let job = try BackupJob(store.connection, to: copy)
    while try !job.step(pages: 100) {}
    try job.finish()
    try commit(store, "b")
    crash(store)
    sandbox.write(sandbox.bytes(copy), to: sandbox.database)
    unlink(sandbox.data + "/kindverb.mark")
    let before = sandbox.files()
    #expect(damage { try sandbox.open() }?.contains("kindverb.db-wal") == true)
    #expect(sandbox.files() == before)
    unlink(sandbox.database + "-wal")
    let restored = try sandbox.open()
    #expect(restored.committedSeq == 1)
    restored.close()
  }

  @Test("a data directory behind a symbolic link works like any other")
  func symbolicLink() throws {
    let sandbox = try Sandbox()
    let link = sandbox.path + "/link"
    #expect(symlink(sandbox.path, link) == 0)
    let store = try StoreOpening(directory: link + "/data").open()
    try commit(store, "a")
    store.close()
    let again = try sandbox.open()
    #expect(again.committedSeq == 1)
    again.close()
  }

  @Test(
    "what is no plain file in a file's place is refused by its name, at once",
    arguments: ["kindverb.mark", "kindverb.seal", "kindverbd.lock", "kindverb.db", "kindverb.db-wal", "kindverb.db-journal"],
    ["pipe", "directory", "link", "socket"])
  func oddFile(_ name: String, _ kind: String) throws {
    let sandbox = try Sandbox()
    try sandbox.open().close()
    let path = "\(sandbox.data)/\(name)"
    let aside = sandbox.path + "/aside"
    if rename(path, aside) != 0 { sandbox.write([], to: aside) }
    switch kind {
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "directory": #expect(mkdir(path, 0o700) == 0)
    case "link": #expect(symlink(aside, path) == 0)
    default: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    }
    #expect(throws: StoreError.wrongKind(path: path)) { try sandbox.open() }
    // The lock is let go of again: put right, it opens.
    if kind == "directory" { rmdir(path) } else { unlink(path) }
    if access(aside, F_OK) == 0, name.hasPrefix("kindverb.db") || name == "kindverb.mark" { rename(aside, path) }
    if name.hasSuffix("-wal") || name.hasSuffix("-journal") { unlink(path) }
    try sandbox.open().close()
  }

  @Test("a link in the database's own place is refused")
  func linkedFile() throws {
    let sandbox = try Sandbox()
    try sandbox.open().close()
    let moved = sandbox.path + "/elsewhere.db"
    #expect(rename(sandbox.database, moved) == 0 && symlink(moved, sandbox.database) == 0)
    #expect(throws: StoreError.wrongKind(path: sandbox.database)) { try sandbox.open() }
  }
}
