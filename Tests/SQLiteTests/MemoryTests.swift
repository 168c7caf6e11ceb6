import Testing

@testable import SQLite

@Suite("Memory and loans")
struct MemoryTests {
  @Test("memory is counted and given back, and the connection goes on")
  func memoryUse() throws {
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT) STRICT; INSERT INTO t (word) VALUES ('a'), ('b')")
    func pairs() throws(SQLiteError) -> [[Int64]] {
      let all: StaticString = "SELECT id FROM t ORDER BY id"
      return try connection.all(all) { (_) throws(SQLiteError) in
        try connection.all(all) { (row) throws(SQLiteError) in row.int64(0) }
      }
    }
    #expect(try pairs() == [[1, 2], [1, 2]])
    let before = connection.schemaAndStatementBytes
    #expect(before > 0 && connection.cacheBytes > 0)
    #expect(connection.memoryUsed >= connection.cacheBytes + before)
    connection.releaseMemory()
    #expect(connection.schemaAndStatementBytes < before)
    #expect(try pairs() == [[1, 2], [1, 2]])
  }

  @Test("a backup that is dropped leaves the target as it was")
  func droppedBackup() throws {
    let source = try Connection(path: ":memory:")
    try source.execute("CREATE TABLE t (data BLOB); INSERT INTO t VALUES (randomblob(50000))")
    let target = try Connection(path: ":memory:")
    do {
      let dropped = try Backup(from: source, to: target)
      #expect(try !dropped.step(pages: 1))
    }
    #expect(try target.integer("SELECT count(*) FROM sqlite_schema") == 0)
  }
}
