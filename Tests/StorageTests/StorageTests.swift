import Glibc
import SQLite
import Synchronization
import Testing

@testable import Storage

/// A directory of a test's own, taken away with it.
final class Sandbox {
  let path: String

  init() throws {
    var template = Array("/tmp/kindverb-store-XXXXXX".utf8CString)
    path = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
  }

  deinit {
    for directory in ["/data/backups", "/data", ""] {
      guard let handle = opendir(path + directory) else { continue }
      while let entry = readdir(handle) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        unlink("\(path)\(directory)/\(name)")
      }
      closedir(handle)
      rmdir(path + directory)
    }
  }

  var data: String { path + "/data" }
  var database: String { data + "/kindverb.db" }

  func open(_ environment: StoreEnvironment = .live, migrations: [Migration] = Schema.migrations) throws -> Store {
    try StoreOpening(directory: data, environment: environment, migrations: migrations, patienceMilliseconds: 100).open()
  }

  func bytes(_ file: String) -> [UInt8] {
    let descriptor = Glibc.open(file, O_RDONLY)
    defer { close(descriptor) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { all += chunk[..<count] }
    return all
  }

  func write(_ bytes: [UInt8], to file: String) {
    let descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }
}

/// A clock that a test turns.
private final class TestClock: Sendable {
  let now = Mutex<Int64>(1_000_000_000_000)
}

/// What opening refuses with, as the name of the case.
func refusal(_ body: () throws -> Store) -> String {
  do {
    _ = try body()
    return "opened"
  } catch { return String(String(describing: error).prefix { $0 != "(" }) }
}

func turn(_ store: Store, _ ids: String...) throws {
  try store.begin()
  for id in ids { try store.record(topic: "journal", id: id, op: "created") }
  _ = try store.commit()
}

/// All that a subscriber of these topics missed after a number, read in pieces of so many rows.
private func allMissed(
  _ store: Store, after seq: Int64, topics: [String] = ["journal"], limit: Int, rows: Int = 1_000
) throws -> MissedChanges {
  var missed = MissedChanges(after: seq, topics: topics, limit: limit)
  while try !store.readOn(&missed, rows: rows) {}
  return missed
}

@Suite("Opening the store")
struct OpeningTests {
  @Test("a fresh directory is 0700, its files 0600, and nothing is left over")
  func fresh() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    var status = stat()
    #expect(stat(sandbox.data, &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(sandbox.database, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(access(sandbox.database + ".new", F_OK) != 0)
    #expect(store.schemaVersion() == Schema.migrations.last?.version)
    store.close()
  }

  @Test("a second daemon is refused while the first lives")
  func second() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    #expect(throws: StoreError.alreadyRunning(path: sandbox.data, pid: getpid())) { try sandbox.open() }
    store.close()
  }

  @Test("a directory that others may enter is refused")
  func openToOthers() throws {
    let sandbox = try Sandbox()
    mkdir(sandbox.data, 0o755)
    chmod(sandbox.data, 0o755)
    #expect(throws: StoreError.openToOthers(path: sandbox.data, mode: 0o755)) { try sandbox.open() }
  }

  @Test("a directory that cannot be made is told by why it cannot", .enabled(if: access("/sys/kernel", F_OK) == 0))
  func cannotBeMade() throws {
    // Nobody, not even root, makes a directory there.
    #expect(throws: StoreError.readOnly(path: "/sys/kindverb")) { try DataDirectory("/sys/kindverb/data") }
  }

  @Test("damage is told and touched by nobody", arguments: ["empty", "text", "missing", "cut", "flipped", "foreign", "newer"])
  func damage(_ kind: String) throws {
    let sandbox = try Sandbox()
    do {
      let store = try sandbox.open()
      for number in 0..<400 { try turn(store, "id-\(number)") }
      store.close()
    }
    var bytes = sandbox.bytes(sandbox.database)
    switch kind {
    case "empty": bytes = []
    case "text":
      bytes =
        Array("not a database, and longer than a header of one hundred bytes would be, which is what is read first".utf8) + bytes
    case "cut": bytes.removeLast(bytes.count / 2 / 4_096 * 4_096)
    case "flipped": for page in stride(from: 4_096, to: bytes.count, by: 4_096) { bytes[page] ^= 0xFF }
    case "foreign": bytes[68] ^= 0xFF
    case "newer": bytes[63] = 99
    default: break
    }
    if kind == "missing" { unlink(sandbox.database) } else { sandbox.write(bytes, to: sandbox.database) }
    let expected = kind == "foreign" ? "foreign" : kind == "newer" ? "newerSchema" : "damaged"
    #expect(refusal { try sandbox.open() } == expected)
    if kind != "missing" { #expect(sandbox.bytes(sandbox.database) == bytes) }
  }

  @Test("acknowledged changes that are gone from the file are found out, although SQLite sees nothing wrong")
  func lostLog() throws {
    let sandbox = try Sandbox()
    do {
      let store = try sandbox.open()
      try turn(store, "a")
      store.close()
    }
    let old = sandbox.bytes(sandbox.database)
    do {
      let store = try sandbox.open()
      try turn(store, "b")
      store.close()
    }
    sandbox.write(old, to: sandbox.database)
    #expect(refusal { try sandbox.open() } == "damaged")
    #expect(sandbox.bytes(sandbox.database) == old)
  }

  @Test("another program's lock is waited for a little, then named")
  func locked() throws {
    let sandbox = try Sandbox()
    do { try sandbox.open().close() }
    let other = try Connection(path: sandbox.database)
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    #expect(throws: StoreError.busy(path: sandbox.database)) { try sandbox.open() }
    other.close()
    try sandbox.open().close()
  }

  @Test("an upgrade keeps the data and a copy of before; one that fails changes nothing")
  func migration() throws {
    let sandbox = try Sandbox()
    do {
      let store = try sandbox.open()
      try turn(store, "a")
      store.close()
    }
    let newest = try #require(Schema.migrations.last?.version)
    let broken =
      Schema.migrations + [
        Migration(version: newest + 1, sql: "CREATE TABLE more (id INTEGER) STRICT; CREATE TABLE more (id INTEGER)")
      ]
    #expect(refusal { try sandbox.open(migrations: broken) } != "opened")
    let good = Schema.migrations + [Migration(version: newest + 1, sql: "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT")]
    do {
      let store = try sandbox.open(migrations: good)
      #expect(store.schemaVersion() == newest + 1)
      #expect(store.committedSeq == 1)
      #expect(BackupFiles.list(store.directory.backups).count == 2)
      store.close()
    }
    #expect(refusal { try sandbox.open() } == "newerSchema")
  }
}

@Suite("The store at work")
struct StoreTests {
  @Test("a store that is closed a second time, or whose connection is, asks nothing of what has ended")
  func closedTwice() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    store.close()
    #expect(store.close() == nil)
    let other = try sandbox.open()
    other.connection.close()
    #expect(other.close() == nil)
    try sandbox.open().close()
  }

  @Test("a call's savepoint is undone alone, and a turn tells just what it committed")
  func savepoints() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try store.begin()
    try store.record(topic: "journal", id: "kept", op: "created")
    try store.beginSavepoint()
    try store.record(topic: "journal", id: "undone", op: "created")
    try store.rollbackSavepoint()
    try store.beginSavepoint()
    try store.record(topic: "letter", id: "kept too", op: "created")
    try store.releaseSavepoint()
    #expect(try store.commit().map(\.id) == ["kept", "kept too"])
    try store.begin()
    try store.record(topic: "journal", id: "rolled back", op: "created")
    store.rollback()
    #expect(try allMissed(store, after: 0, topics: ["journal", "letter"], limit: 10).changes.map(\.id) == ["kept", "kept too"])
    store.close()
  }

  @Test("a cursor resumes; one that cannot says why")
  func cursors() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try turn(store, "a", "b")
    let cursor = store.cursor(at: 1, topics: ["letter", "journal"])
    #expect(try store.resume(cursor, topics: ["journal", "letter"]) == .at(1))
    #expect(try store.resume(cursor, topics: ["journal"]) == .stale("other_topics"))
    #expect(try store.resume(store.cursor(at: 9, topics: []), topics: []) == .stale("ahead"))
    #expect(try store.resume("x", topics: []) == .stale("malformed"))
    #expect(try store.resume("1-0000-0", topics: []) == .stale("other_store"))
    try store.connection.run("DELETE FROM change WHERE seq = 1")
    #expect(try store.resume(store.cursor(at: 0, topics: []), topics: []) == .stale("history_trimmed"))
    store.close()
  }

  @Test("few missed changes come one by one, more merged, too many as a gap")
  func missed() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try turn(store, "a", "b", "a", "c")
    for rows in [1, 2, 3, 4, 100] {
      #expect(try allMissed(store, after: 0, limit: 4, rows: rows).changes.map(\.seq) == [1, 2, 3, 4])
      #expect(try allMissed(store, after: 0, limit: 3, rows: rows).changes.map(\.seq) == [2, 3, 4])
      #expect(try allMissed(store, after: 2, limit: 3, rows: rows).changes.map(\.seq) == [3, 4])
      let gap = try allMissed(store, after: 0, limit: 2, rows: rows)
      #expect(!gap.isComplete && gap.changes.isEmpty && gap.total == 4 && gap.newest == 4)
      #expect(try allMissed(store, after: 0, topics: ["letter"], limit: 2, rows: rows).total == 0)
    }
    let none = try allMissed(store, after: 4, limit: 2)
    #expect(none.isComplete && none.changes.isEmpty && none.newest == 4)
    store.close()
  }

  @Test("what was missed is read in pieces, and what is committed between them belongs to it; other topics count for nothing")
  func missedInPieces() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try turn(store, "a", "b", "c")
    var part = MissedChanges(after: 0, topics: ["journal"], limit: 5)
    #expect(try !store.readOn(&part, rows: 2) && part.newest == 2)
    try store.begin()
    for number in 0..<10 { try store.record(topic: "letter", id: "\(number)", op: "created") }
    try store.record(topic: "journal", id: "d", op: "created")
    _ = try store.commit()
    #expect(try !store.readOn(&part, rows: 10))
    #expect(try store.readOn(&part, rows: 10))
    #expect(part.changes.map(\.id) == ["a", "b", "c", "d"] && part.newest == 14)
    store.close()
  }

  @Test("what was trimmed meanwhile is a gap, and nothing is silently left out")
  func missedAndTrimmed() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try turn(store, "a", "b", "c", "d")
    try store.connection.run("DELETE FROM change WHERE seq <= 2")
    let gap = try allMissed(store, after: 0, limit: 100, rows: 1)
    #expect(!gap.isComplete && gap.changes.isEmpty && gap.total == 4 && gap.newest == 4)
    #expect(try allMissed(store, after: 2, limit: 100).changes.map(\.id) == ["c", "d"])
    store.close()
  }

  @Test("a key is remembered for a day, and its words go with what they speak of")
  func idempotency() throws {
    let sandbox = try Sandbox()
    let clock = TestClock()
    let store = try sandbox.open(StoreEnvironment(now: { clock.now.withLock { $0 } }, random: StoreEnvironment.live.random))
    try store.begin()
    try store.remember(key: "k", method: "m", fingerprint: [1], reply: Array("words".utf8), subjects: ["a"])
    _ = try store.commit()
    #expect(try store.reply(forKey: "k") == RememberedReply(fingerprint: [1], reply: Array("words".utf8)))
    try store.begin()
    try store.forgetReplies(about: "a")
    _ = try store.commit()
    #expect(try store.reply(forKey: "k") == RememberedReply(fingerprint: [1], reply: nil))
    clock.now.withLock { $0 += 24 * 3_600_000 }
    #expect(try store.reply(forKey: "k") == nil)
    store.close()
  }

  @Test("a backup is whole, private, and never takes the place of a file")
  func backup() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    for number in 0..<300 { try turn(store, "id-\(number)") }
    let target = store.directory.backups + "/kindverb-copy.db"
    let job = try BackupJob(store.connection, to: target)
    while try !job.step(pages: 1) { try turn(store, "meanwhile") }
    #expect(try job.finish() > 0)
    var status = stat()
    #expect(stat(target, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let copy = try Connection(path: target, mode: .readOnly)
    let findings = try copy.all("PRAGMA quick_check") { (row) throws(SQLiteError) in try row.text(0) }
    #expect(findings == ["ok"])
    #expect(try copy.integer("SELECT count(*) FROM change") ?? 0 >= 300)
    copy.close()
    let again = try BackupJob(store.connection, to: target)
    while try !again.step(pages: 100) {}
    #expect(throws: SQLiteError.self) { try again.finish() }
    store.close()
  }

  @Test("a copy that was never finished goes at the next start and before the next copy; one that is being made stays")
  func unfinished() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    let backups = store.directory.backups
    let job = try BackupJob(store.connection, to: backups + "/kindverb-1.db")
    let left = backups + "/.kindverb-0123456789abcdef.part"
    close(creat(left, 0o600))
    _ = try BackupJob(store.connection, to: backups + "/kindverb-2.db").step(pages: 1)
    #expect(access(left, F_OK) != 0)
    while try !job.step(pages: 64) {}
    #expect(try job.finish() > 0)
    store.close()
    close(creat(left, 0o600))
    try sandbox.open().close()
    #expect(access(left, F_OK) != 0)
    #expect(BackupFiles.list(backups) == ["kindverb-1.db"])
  }

  @Test("a backup is due a day after the last, and at once when the clock was set back")
  func due() {
    #expect(BackupFiles.wait(now: 100, newest: nil) == 0)
    #expect(BackupFiles.wait(now: 100, newest: 40) == BackupFiles.interval - 60)
    #expect(BackupFiles.wait(now: BackupFiles.interval + 50, newest: 40) == 0)
    #expect(BackupFiles.wait(now: 100, newest: 200) == 0)
  }

  @Test("the first call of a turn is undone without a savepoint, and what another call then does stays")
  func firstUndone() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try store.begin()
    try store.beginSavepoint()
    try store.record(topic: "journal", id: "undone", op: "created")
    #expect(store.turnHasWritten)
    try store.rollbackSavepoint()
    #expect(store.isInTransaction && !store.turnHasWritten)
    for id in ["kept", "kept too"] {
      try store.beginSavepoint()
      try store.record(topic: "journal", id: id, op: "created")
      try store.releaseSavepoint()
    }
    try store.beginSavepoint()
    try store.record(topic: "journal", id: "undone too", op: "created")
    try store.rollbackSavepoint()
    #expect(try store.commit().map(\.id) == ["kept", "kept too"])
    #expect(!store.turnHasWritten)
    #expect(try allMissed(store, after: 0, limit: 10).changes.map(\.id) == ["kept", "kept too"])
    store.close()
  }

  @Test("ids are UUIDs of version 7: the time, and random bits")
  func ids() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open(StoreEnvironment(now: { 0x0123_4567_89AB }, random: StoreEnvironment.live.random))
    let ids = Set((0..<100).map { _ in store.newID() })
    #expect(ids.count == 100)
    for id in ids { #expect(id.wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#) != nil) }
    #expect(ids.allSatisfy { $0.hasPrefix("01234567-89ab-7") })
    store.close()
  }
}
