import Glibc
import Testing

@testable import SQLite

@Suite("Statements and values")
struct StatementTests {
  private func table() throws -> Connection {
    let connection = try Connection(path: ":memory:", mode: .create)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v ANY) STRICT")
    return connection
  }

  @Test(
    "text comes back as it was, whatever is in it",
    arguments: ["", "\u{0}", "a\u{0}b", "각", "\u{1112}\u{1161}\u{11ab}", "👩‍👩‍👧", String(repeating: "한", count: 400_000)])
  func text(_ text: String) throws {
    let connection = try table()
    try connection.run("INSERT INTO t (v) VALUES (?)", text)
    let found = try connection.first("SELECT v, typeof(v) FROM t") { (row) throws(SQLiteError) in
      [try row.text(0), try row.text(1)]
    }
    // By scalars: composed and decomposed text is equal as strings, and must not be mixed up here.
    #expect(found?.map { Array($0.utf8) } == [Array(text.utf8), Array("text".utf8)])
    let utf8 = try connection.first("SELECT v FROM t") { (row) throws(SQLiteError) in row.withUTF8(0) { Array($0) } }
    #expect(utf8 == Array(text.utf8))
  }

  @Test("every kind of value binds as its own type")
  func kinds() throws {
    let connection = try table()
    try connection.run(
      "INSERT INTO t (v) VALUES (?), (?), (?), (?), (?), (?)", Int64.min, 7, 1.5, "x", [UInt8](), String?.none)
    let types = try connection.all("SELECT typeof(v) FROM t ORDER BY id") { (row) throws(SQLiteError) in try row.text(0) }
    #expect(types == ["integer", "integer", "real", "text", "blob", "null"])
    #expect(try connection.integer("SELECT v FROM t WHERE id = 1") == Int64.min)
    #expect(try connection.first("SELECT v FROM t WHERE id = 3") { (row) throws(SQLiteError) in row.double(0) } == 1.5)
    let empty = try connection.first("SELECT v FROM t WHERE id = 5") { (row) throws(SQLiteError) in row.optionalBytes(0) }
    #expect(empty == .some([]))
    let null = try connection.first("SELECT v FROM t WHERE id = 6") { (row) throws(SQLiteError) in try row.optionalText(0) }
    #expect(null == .some(nil))
  }

  @Test("a number of nothing is nil, and so is no row")
  func nothing() throws {
    let connection = try table()
    #expect(try connection.integer("SELECT max(id) FROM t") == nil)
    #expect(try connection.integer("SELECT id FROM t") == nil)
  }

  @Test("bytes that are no UTF-8 are damage")
  func invalidText() throws {
    let connection = try table()
    try connection.execute("INSERT INTO t (v) VALUES (CAST(x'ff41' AS TEXT))")
    let error = #expect(throws: SQLiteError.self) {
      try connection.first("SELECT v FROM t") { (row) throws(SQLiteError) in try row.text(0) }
    }
    #expect(error?.kind == .damaged)
  }

  @Test("a statement is kept, and nothing that was bound stays in it")
  func reuse() throws {
    let connection = try table()
    let sql: StaticString = "SELECT ?"
    var first: OpaquePointer?
    do {
      let statement = try connection.statement(sql)
      first = statement.handle
      try statement.bind("words", at: 1)
      #expect(try statement.step())
    }
    let again = try connection.statement(sql)
    #expect(again.handle == first)
    #expect(try again.step())
    let isCleared = again.row.isNull(0)
    #expect(isCleared)
    // A second loan at the same time is another statement, so neither disturbs the other.
    let other = try connection.statement(sql)
    #expect(other.handle != first)
  }

  @Test("a read ends with its scope: a writer is not held up by a statement that was left in the middle")
  func readEnds() throws {
    let connection = try table()
    try connection.execute("INSERT INTO t (v) VALUES (1), (2)")
    #expect(try connection.first("SELECT v FROM t") { (row) throws(SQLiteError) in row.int(0) } == 1)
    try connection.execute("DROP TABLE t")
  }

  @Test("a refused statement leaves the connection and the cached statement usable")
  func afterRefusal() throws {
    let connection = try table()
    let insert: StaticString = "INSERT INTO t (id, v) VALUES (?, 'secret')"
    try connection.run(insert, 1)
    let error = #expect(throws: SQLiteError.self) { try connection.run(insert, 1) }
    #expect(error?.kind == .constraint)
    #expect(error?.isUniqueViolation == true)
    #expect(error?.description.contains("secret") == false)
    try connection.run(insert, 2)
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
  }

  @Test("an empty statement and a wrong place are errors, not crashes")
  func misuse() throws {
    let connection = try table()
    #expect(throws: SQLiteError.self) { _ = try connection.statement(dynamic: " -- nothing").handle }
    #expect(throws: SQLiteError.self) { try connection.run("SELECT 1", 5) }
  }
}

@Suite("Errors and transactions")
struct TransactionTests {
  @Test(
    "each code is its kind",
    arguments: [
      (5, SQLiteError.Kind.busy), (6, .busy), (13, .full), (11, .damaged), (26, .damaged), (522, .damaged), (10, .inputOutput),
      (266, .inputOutput), (8, .readOnly), (3, .readOnly), (2_067, .constraint), (9, .interrupted), (4, .interrupted),
      (7, .outOfMemory), (14, .cannotOpen), (1, .other),
    ])
  func kinds(_ code: Int, _ kind: SQLiteError.Kind) {
    let error = SQLiteError(extendedCode: Int32(code), message: "")
    #expect(error.kind == kind)
    #expect(error.code == Int32(code & 0xff))
  }

  @Test("a body that throws undoes its transaction, and tells its own error")
  func undone() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let thrown = SQLiteError(extendedCode: 1, message: "mine")
    #expect(throws: thrown) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.run("INSERT INTO t VALUES (1)")
        throw thrown
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("savepoints nest; the innermost is undone alone")
  func savepoints() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    try connection.begin()
    try connection.beginSavepoint()
    try connection.run("INSERT INTO t VALUES (1)")
    try connection.beginSavepoint()
    try connection.run("INSERT INTO t VALUES (2)")
    try connection.rollbackSavepoint()
    try connection.releaseSavepoint()
    try connection.commit()
    #expect(try connection.integer("SELECT sum(id) FROM t") == 1)
  }

  @Test("a progress closure that says stop ends a statement as interrupted; without it the same one runs on")
  func interrupted() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let long = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT sum(i) FROM n"
    connection.onProgress(every: 1_000) { true }
    let error = #expect(throws: SQLiteError.self) { try connection.execute(long) }
    #expect(error?.kind == .interrupted)
    connection.onProgress(every: 1_000, nil)
    try connection.execute(long)
  }
}

@Suite("Files")
struct FileTests {
  private func directory() throws -> String {
    var template = Array("/tmp/kindverb-sqlite-XXXXXX".utf8CString)
    return try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
  }

  private func remove(_ directory: String, _ names: [String]) {
    for name in names { for suffix in ["", "-wal", "-shm"] { unlink("\(directory)/\(name)\(suffix)") } }
    rmdir(directory)
  }

  @Test("a file that is not there is not made; one behind a linked directory is found")
  func missing() throws {
    let directory = try directory()
    defer { remove(directory, ["a", "link"]) }
    let error = #expect(throws: SQLiteError.self) { try Connection(path: directory + "/a") }
    #expect(error?.kind == .cannotOpen)
    #expect(access(directory + "/a", F_OK) != 0)
    try Connection(path: directory + "/a", mode: .create).execute("CREATE TABLE t (v)")
    symlink(directory, directory + "/link")
    #expect(try Connection(path: directory + "/link/a").integer("SELECT count(*) FROM t") == 0)
  }

  @Test("a lock of another connection is busy")
  func locked() throws {
    let directory = try directory()
    defer { remove(directory, ["a", "b"]) }
    let first = try Connection(path: directory + "/a", mode: .create)
    try first.execute("CREATE TABLE t (v)")
    let second = try Connection(path: directory + "/a")
    try first.begin()
    let error = #expect(throws: SQLiteError.self) { try second.begin() }
    #expect(error?.kind == .busy)
    try first.rollback()
  }

  @Test("what is written during a backup gets into it")
  func backup() throws {
    let directory = try directory()
    defer { remove(directory, ["a", "b"]) }
    let source = try Connection(path: directory + "/a", mode: .create)
    try source.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (v TEXT)")
    try source.transaction { () throws(SQLiteError) in
      for _ in 0..<200 { try source.run("INSERT INTO t VALUES (?)", String(repeating: "x", count: 2_000)) }
    }
    let target = try Connection(path: directory + "/b", mode: .create)
    var steps = 0
    do {
      let backup = try Backup(from: source, to: target)
      while try !backup.step(pages: 5) {
        steps += 1
        #expect(backup.remainingPages < backup.totalPages)
        if steps <= 3 { try source.run("INSERT INTO t VALUES ('late')") }
      }
      #expect(backup.remainingPages == 0)
    }
    #expect(steps > 10)
    #expect(try target.integer("SELECT count(*) FROM t") == 203)
    #expect(try target.first("PRAGMA quick_check") { (row) throws(SQLiteError) in try row.text(0) } == "ok")
  }
}
