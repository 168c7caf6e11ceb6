import Glibc
import SQLite
import Testing

@testable import Storage

private func ids(_ store: Store) throws -> [String] {
  try store.connection.all("SELECT entityId FROM change ORDER BY seq") { (row) throws(SQLiteError) in try row.text(0) }
}

@Suite("Full disks, lost turns, files that go")
struct WritingTests {
  @Test("when SQLite undoes a turn, all of it is refused, also the calls that came after")
  func lostTurn() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "before")
    try store.begin()
    try store.beginSavepoint()
    try store.record(topic: "journal", id: "earlier call", op: "created")
    try store.releaseSavepoint()
    try store.connection.execute("PRAGMA max_page_count = 1")
    try store.beginSavepoint()
    var failure: SQLiteError?
    do throws(SQLiteError) {
      for _ in 0..<1_000 { try store.record(topic: "journal", id: String(repeating: "x", count: 500), op: "created") }
    } catch { failure = error }
    let full = try #require(failure)
    #expect(full.kind == .full && !store.isInTransaction)
    #expect(throws: full) { try store.rollbackSavepoint(after: full) }
    try store.connection.execute("PRAGMA max_page_count = 1000000")
    // A savepoint would now be a transaction of its own, and stay.
    #expect(throws: full) { try store.beginSavepoint() }
    #expect(throws: full) { _ = try store.commit() }
    store.rollback()
    #expect(try ids(store) == ["before"])
    try commit(store, "after")
    #expect(try ids(store) == ["before", "after"])
    #expect(store.committedSeq == 2)
    store.close()
  }

  @Test("a full disk fails the commit; with space again the same store goes on", .enabled(if: geteuid() == 0))
  func fullDisk() throws {
    let sandbox = try Sandbox()
    mkdir(sandbox.data, 0o700)
    // Where mounting is forbidden, the test from outside that fills a disk is skipped, too.
    guard mount("tmpfs", sandbox.data, "tmpfs", 0, "size=2m,mode=700") == 0 else { return }
    defer { umount2(sandbox.data, Int32(MNT_DETACH)) }
    let store = try sandbox.open()
    try commit(store, "before")
    let filler = Glibc.open(sandbox.data + "/filler", O_WRONLY | O_CREAT, 0o600)
    let page = [UInt8](repeating: 1, count: 4_096)
    while write(filler, page, page.count) > 0 {}
    close(filler)
    var committed = 1
    var failure: SQLiteError?
    for number in 0..<2_000 where failure == nil {
      do throws(SQLiteError) {
        try store.begin()
        try store.record(topic: "journal", id: "\(number)", op: "created")
        _ = try store.commit()
        committed += 1
      } catch {
        failure = error
        store.rollback()
      }
    }
    #expect(failure?.kind == .full)
    #expect(try ids(store).count == committed)
    unlink(sandbox.data + "/filler")
    try commit(store, "after")
    #expect(try ids(store).last == "after" && store.committedSeq == Int64(committed) + 1)
    store.close()
    let again = try sandbox.open()
    #expect(again.committedSeq == Int64(committed) + 1)
    again.close()
  }

  @Test("nothing is committed into a file that is not in its place")
  func replaced() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "a")
    #expect(store.isInPlace())
    #expect(rename(sandbox.database, sandbox.path + "/taken") == 0)
    #expect(!store.isInPlace())
    try store.begin()
    try store.record(topic: "journal", id: "b", op: "created")
    let refusal = #expect(throws: SQLiteError.self) { _ = try store.commit() }
    #expect(refusal?.kind == .readOnly)
    store.rollback()
    // Put back, all is well.
    #expect(rename(sandbox.path + "/taken", sandbox.database) == 0)
    try commit(store, "c")
    #expect(try ids(store) == ["a", "c"])
    store.close()
  }

  @Test("nothing is committed into a file that someone has cut, and nothing is written over what is left")
  func cut() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "a")
    #expect(truncate(sandbox.database, 4_096) == 0)
    #expect(!store.isInPlace())
    try store.begin()
    try store.record(topic: "journal", id: "b", op: "created")
    #expect(throws: SQLiteError.self) { _ = try store.commit() }
    store.close()
    #expect(sandbox.bytes(sandbox.database).count == 4_096)
    #expect(throws: StoreError.self) { try sandbox.open() }
  }

  @Test("a log that is taken away is noticed, and what it holds can be saved into the file")
  func lostLog() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "a", "b")
    unlink(sandbox.database + "-wal")
    #expect(!store.isInPlace())
    store.saveLog()
    crash(store)
    let again = try sandbox.open()
    #expect(try ids(again) == ["a", "b"])
    again.close()
  }

  @Test("closing a store whose file was replaced leaves the new file and the log alone")
  func replacedAtClose() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try commit(store, "a")
    rename(sandbox.database, sandbox.path + "/old")
    sandbox.write([1, 2, 3], to: sandbox.database)
    let log = sandbox.bytes(sandbox.database + "-wal")
    store.close()
    #expect(sandbox.bytes(sandbox.database) == [1, 2, 3])
    #expect(sandbox.bytes(sandbox.database + "-wal") == log && !log.isEmpty)
    #expect(access(sandbox.data + "/kindverb.seal", F_OK) != 0)
  }
}
