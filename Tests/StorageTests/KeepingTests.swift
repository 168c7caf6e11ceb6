import Glibc
import SQLite
import Synchronization
import Testing

@testable import Storage

private final class Clock: Sendable {
  let now = Mutex<Int64>(1_000_000_000_000)
  var environment: StoreEnvironment {
    StoreEnvironment(now: { self.now.withLock { $0 } }, random: StoreEnvironment.live.random)
  }
}

@Suite("What is kept how long")
struct KeepingTests {
  private func ids(_ store: Store) throws -> [String] {
    try store.connection.all("SELECT entityId FROM change ORDER BY seq") { (row) throws(SQLiteError) in try row.text(0) }
  }

  private func trim(_ store: Store, newest: Int64, now: Int64) throws {
    try store.begin()
    try store.trimChanges(newest: newest, now: now)
    _ = try store.commit()
  }

  @Test("old changes go from the beginning only, never the newest, and leave no gap when the clock was set back")
  func trimming() throws {
    let sandbox = try Sandbox()
    let clock = Clock()
    let store = try sandbox.open(clock.environment)
    let day: Int64 = 86_400_000
    try commit(store, "1")
    clock.now.withLock { $0 -= 50 * day }
    try commit(store, "2")
    clock.now.withLock { $0 += 50 * day }
    try commit(store, "3")
    try trim(store, newest: 3, now: store.now())
    #expect(try ids(store) == ["1", "2", "3"])
    clock.now.withLock { $0 += 31 * day }
    try commit(store, "4")
    try trim(store, newest: 4, now: store.now())
    #expect(try ids(store) == ["4"])
    try trim(store, newest: 4, now: store.now() + 400 * day)
    #expect(try ids(store) == ["4"])
    try commit(store, "5")
    #expect(store.committedSeq == 5)
    store.close()
  }

  @Test("what is too old goes with the first change after a start, and once a day from then on")
  func daily() throws {
    let sandbox = try Sandbox()
    let clock = Clock()
    var store = try sandbox.open(clock.environment)
    try commit(store, "1")
    clock.now.withLock { $0 += 31 * Store.dayMilliseconds }
    try commit(store, "2")
    #expect(try ids(store) == ["2"])
    store.close()
    clock.now.withLock { $0 += 31 * Store.dayMilliseconds }
    store = try sandbox.open(clock.environment)
    try commit(store, "3")
    #expect(try ids(store) == ["3"])
    store.close()
  }

  @Test("what is more than the most goes, a few thousand at a time")
  func most() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try store.begin()
    for number in 1...6_000 { try store.record(topic: "journal", id: "\(number)", op: "created") }
    _ = try store.commit()
    try trim(store, newest: Int64(Store.changesKept) + 5_000, now: store.now())
    let left = try store.connection.integer("SELECT count(*) FROM change") ?? 0
    #expect(left >= 1_000 && left < 2_000)
    store.close()
  }

  @Test("keys a day old are purged a few at a time, by every new one")
  func purge() throws {
    let sandbox = try Sandbox()
    let clock = Clock()
    let store = try sandbox.open(clock.environment)
    let remember = { (key: String) in
      try store.begin()
      try store.remember(key: key, method: "m", fingerprint: [1], reply: [2], subjects: [key])
      _ = try store.commit()
    }
    for number in 0..<40 { try remember("old-\(number)") }
    clock.now.withLock { $0 += 24 * 3_600_000 }
    try remember("new")
    #expect(try store.connection.integer("SELECT count(*) FROM idempotency") == 9)
    try remember("newer")
    #expect(try store.connection.integer("SELECT count(*) FROM idempotency") == 2)
    #expect(try store.connection.integer("SELECT count(*) FROM idempotencySubject") == 2)
    store.close()
  }

  @Test("a copy is a store of its own: cursors of the first do not fit it")
  func copyHasItsName() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "a")
    let cursor = store.cursor(at: 1, topics: [])
    let copy = store.directory.backups + "/kindverb-copy.db"
    let job = try BackupJob(store.connection, to: copy)
    while try !job.step(pages: 100) {}
    try job.finish()
    store.close()
    for name in ["kindverb.mark", "kindverb.seal"] { unlink("\(sandbox.data)/\(name)") }
    sandbox.write(sandbox.bytes(copy), to: sandbox.database)
    let restored = try sandbox.open()
    #expect(try restored.resume(cursor, topics: []) == .stale("other_store"))
    restored.close()
  }

  @Test("many backups of one second keep their order, and the newest is never the one that goes")
  func manyInASecond() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    let backups = store.directory.backups
    mkdir(backups, 0o700)
    for _ in 0..<20 {
      let made = BackupFiles.name(backups, .asked, at: 1_000)
      #expect(access(made, F_OK) != 0)
      sandbox.write([1], to: made)
      BackupFiles.prune(backups, now: 1_000)
      #expect(access(made, F_OK) == 0)
    }
    #expect(BackupFiles.list(backups, .asked).last?.hasSuffix("Z-019.db") == true)
    store.close()
  }

  @Test("backups of a time when the clock was ahead go first, and never push out a new one")
  func clockWasAhead() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    let backups = store.directory.backups
    mkdir(backups, 0o700)
    let now: Int64 = 1_800_000_000_000
    for hour in 0..<7 { sandbox.write([1], to: BackupFiles.name(backups, .asked, at: now + Int64(hour + 1) * 3_600_000)) }
    for hour in 0..<3 {
      let made = BackupFiles.name(backups, .asked, at: now + Int64(hour))
      sandbox.write([1], to: made)
      BackupFiles.prune(backups, now: now + Int64(hour))
      #expect(access(made, F_OK) == 0)
    }
    #expect(BackupFiles.list(backups, .asked).count == BackupFiles.kept)
    store.close()
  }

  @Test("a backup that is given up leaves nothing behind; of automatic ones the newest seven stay")
  func givenUp() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    for number in 0..<500 { try commit(store, "id-\(number)") }
    let backups = store.directory.backups
    do {
      let job = try BackupJob(store.connection, to: backups + "/kindverb-x.db")
      #expect(try !job.step(pages: 1))
    }
    #expect(rmdir(backups) == 0)
    mkdir(backups, 0o700)
    for second in 0..<9 { sandbox.write([1], to: BackupFiles.name(backups, .daily, at: Int64(second) * 1_000)) }
    sandbox.write([1], to: backups + "/mine.db")
    BackupFiles.prune(backups, now: 3_600_000)
    #expect(BackupFiles.list(backups) == (2..<9).map { "kindverb-19700101T00000\($0)Z.db" })
    #expect(access(backups + "/mine.db", F_OK) == 0)
    store.close()
  }

  @Test("a file that bears the name of a backup in the making is left alone")
  func partOfSomeoneElse() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    let target = sandbox.path + "/copy.db"
    sandbox.write([7], to: target + ".part")
    let job = try BackupJob(store.connection, to: target)
    while try !job.step(pages: 100) {}
    try job.finish()
    #expect(sandbox.bytes(target + ".part") == [7])
    store.close()
  }

  @Test("backups of one kind push out none of another, and the last daily one is told by its own")
  func kinds() throws {
    let sandbox = try Sandbox()
    mkdir(sandbox.data, 0o700)
    let backups = sandbox.data + "/backups"
    mkdir(backups, 0o700)
    for (number, kind) in BackupKind.allCases.enumerated() {
      for second in 0..<9 { sandbox.write([1], to: BackupFiles.name(backups, kind, at: Int64(second + number * 10) * 1_000)) }
    }
    sandbox.write([1], to: backups + "/kindverb-mine.db")
    #expect(BackupFiles.list(backups, .asked).first == "kindverb-asked-19700101T000010Z.db")
    BackupFiles.prune(backups, now: 3_600_000)
    for kind in BackupKind.allCases { #expect(BackupFiles.list(backups, kind).count == BackupFiles.kept) }
    #expect(BackupFiles.list(backups).count == 3 * BackupFiles.kept + 1)
    let daily = try #require(BackupFiles.list(backups, .daily).last)
    var times = [timespec(tv_sec: 7, tv_nsec: 250_000_000), timespec(tv_sec: 7, tv_nsec: 250_000_000)]
    #expect(utimensat(AT_FDCWD, "\(backups)/\(daily)", &times, 0) == 0)
    #expect(BackupFiles.newest(backups, now: 3_600_000) == 7_250)
  }

  @Test("of one second the first is the oldest")
  func sameSecond() throws {
    let sandbox = try Sandbox()
    mkdir(sandbox.data, 0o700)
    let backups = sandbox.data + "/backups"
    mkdir(backups, 0o700)
    for _ in 0..<3 { sandbox.write([1], to: BackupFiles.name(backups, .asked, at: 0)) }
    let stem = "kindverb-asked-19700101T000000Z"
    #expect(BackupFiles.list(backups, .asked) == ["\(stem).db", "\(stem)-001.db", "\(stem)-002.db"])
  }

  @Test("an upgrade that builds a table anew loses nothing that refers to it; one that leaves orphans is undone")
  func rebuild() throws {
    let sandbox = try Sandbox()
    let tables = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE) STRICT;
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1);
      """
    let old = [Migration(version: 1, sql: Schema.migrations[0].sql + tables)]
    try sandbox.open(migrations: old).close()
    let anew = """
      CREATE TABLE parent2 (id INTEGER PRIMARY KEY, more TEXT) STRICT; INSERT INTO parent2 (id) SELECT id FROM parent;
      DROP TABLE parent; ALTER TABLE parent2 RENAME TO parent;
      """
    let rebuilt = old + [Migration(version: 2, sql: anew)]
    let store = try sandbox.open(migrations: rebuilt)
    #expect(try store.connection.integer("SELECT count(*) FROM child") == 1)
    #expect(try store.connection.integer("PRAGMA foreign_keys") == 1)
    store.close()
    let orphaning = rebuilt + [Migration(version: 3, sql: "DELETE FROM parent")]
    #expect(throws: StoreError.self) { try sandbox.open(migrations: orphaning) }
    let again = try sandbox.open(migrations: rebuilt)
    #expect(try again.connection.integer("SELECT count(*) FROM parent") == 1)
    again.close()
  }
}
