import Testing

@testable import SQLite

private func memory() throws -> Connection {
  let connection = try Connection(path: ":memory:")
  try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT, number REAL, data BLOB) STRICT")
  return connection
}

@Suite("Sums of rows")
struct RowSumTests {
  @Test("SQL and a row that was read come to the same sum, whatever the values")
  func agree() throws {
    let connection = try memory()
    try connection.run("INSERT INTO t (id, word, number, data) VALUES (1, 'twelve bytes', 0.5, x'00FF')")
    try connection.run("INSERT INTO t (id, word) VALUES (-1, '')")
    try connection.run("INSERT INTO t (id, data) VALUES (3, zeroblob(0))")
    let sums = try connection.all("SELECT *, rowsum(id, word, number, data) FROM t") { (row) throws(SQLiteError) in
      (row.sum(of: 0..<4), row.int64(4))
    }
    #expect(sums.allSatisfy { $0 == $1 } && Set(sums.map(\.0)).count == 3)
  }

  @Test("the sum is part of the file's format and stays as it is")
  func frozen() throws {
    let connection = try memory()
    #expect(try connection.integer("SELECT rowsum()") == 0x6B69_6E64_7665_7262)
    #expect(
      try connection.integer("SELECT rowsum('friends', 7, NULL, 'a word of more than eight bytes')") == -3216081603906153398)
  }

  @Test("every single flipped bit, moved border and swapped value changes the sum")
  func sensitive() throws {
    let connection = try memory()
    let bytes = Array("something that was written down".utf8)
    var sums: Set<Int64> = [try #require(try connection.integer("SELECT rowsum(?)", bytes))]
    for bit in 0..<(bytes.count * 8) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      sums.insert(try #require(try connection.integer("SELECT rowsum(?)", flipped)))
    }
    #expect(sums.count == bytes.count * 8 + 1)
    let others = [
      "('ab', 'c')", "('a', 'bc')", "('c', 'ab')", "('abc', NULL)", "(NULL, 'abc')", "('abc', '')", "('abc', 0)", "('abc', x'')",
    ]
    let different = try others.map { (values) throws in
      let statement = try connection.statement(dynamic: "SELECT rowsum\(values)")
      #expect(try statement.step())
      return statement.row.int64(0)
    }
    #expect(Set(different).count == others.count)
  }

  @Test("a row whose sum does not fit is damage, and so is one without a sum")
  func checked() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE s (word TEXT, sum INTEGER) STRICT")
    try connection.execute("INSERT INTO s VALUES ('good', rowsum('good')), ('none', NULL), ('changed', rowsum('other'))")
    var damaged: [String] = []
    try connection.all("SELECT word, sum FROM s") { (row) throws(SQLiteError) in
      do throws(SQLiteError) { try row.checkSum(of: 0..<1, keptIn: 1) } catch {
        #expect(error.kind == .damaged)
        damaged.append(try row.text(0))
      }
    }
    .forEach { _ in }
    #expect(damaged == ["none", "changed"])
  }
}
