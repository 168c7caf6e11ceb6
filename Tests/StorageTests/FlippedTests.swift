import Glibc
import SQLite
import Testing

@testable import Storage

private func insertJournal(_ store: Store, _ text: String) throws {
  try store.begin()
  try store.connection.run(
    """
    INSERT INTO journal (uuid, conflictType, status, situationText, createdAt, updatedAt, folded, sum)
    VALUES (?1, 'friends', 'draft', ?2, 1, 1, '', rowsum(?1, 'friends', 'draft', ?2, '[]', NULL, NULL, NULL, NULL, 1, 1, NULL))
    """, store.newID(), text)
  _ = try store.commit()
}

@Suite("Bytes that changed on the disk")
struct FlippedTests {
  @Test("one flipped bit in a person's words is found, and told without the words")
  func word() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    for number in 0..<20 { try insertJournal(store, "the rain fell on evening number \(number) of that autumn") }
    store.close()
    try sandbox.open().close()
    var bytes = sandbox.bytes(sandbox.database)
    let place = try #require(bytes.firstRange(of: Array("evening number 7".utf8))).lowerBound
    bytes[place + 3] ^= 0x01
    sandbox.write(bytes, to: sandbox.database)
    #expect(damage { try sandbox.open() } == "row 8 of journal is not as it was written")
    bytes[place + 3] ^= 0x01
    sandbox.write(bytes, to: sandbox.database)
    #expect(damage { try sandbox.open() } == nil)
  }

  @Test("a flipped bit in an id is found in the table and in its index")
  func index() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    try insertJournal(store, "x")
    let uuid = try #require(
      try store.connection.first("SELECT uuid FROM journal") { (row) throws(SQLiteError) in try row.text(0) })
    store.close()
    var bytes = sandbox.bytes(sandbox.database)
    let places = bytes.ranges(of: Array(uuid.utf8)).map(\.lowerBound)
    #expect(places.count == 2)
    for place in places {
      bytes[place] ^= 0x01
      sandbox.write(bytes, to: sandbox.database)
      #expect(damage { try sandbox.open() } != nil)
      bytes[place] ^= 0x01
    }
  }

  @Test("a file of some size is looked through away from the loop, unless its seal fits")
  func aside() throws {
    let sandbox = try Sandbox()
    var store = try sandbox.open()
    try insertJournal(store, String(repeating: "x", count: 3 << 20))
    store.close()
    #expect(try !StoreOpening(directory: sandbox.data).mustCheck)
    store = try sandbox.open()
    try commit(store, "a")
    crash(store)
    #expect(try StoreOpening(directory: sandbox.data).mustCheck)
    try sandbox.open().close()
    #expect(try !StoreOpening(directory: sandbox.data).mustCheck)
  }

  @Test("what was deleted is gone from the log as well after a scrub")
  func scrubbed() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    let word = Array("Quetzalcoatlus".utf8)
    try commit(store, "Quetzalcoatlus")
    store.scrubLog()
    #expect(!store.logHoldsDeletions && sandbox.bytes(sandbox.database + "-wal").firstRange(of: word) != nil)
    try store.begin()
    try store.connection.run("DELETE FROM change")
    try store.record(topic: "journal", id: "x", op: "deleted")
    _ = try store.commit()
    #expect(store.logHoldsDeletions)
    store.scrubLog()
    #expect(!store.logHoldsDeletions)
    for file in [sandbox.database, sandbox.database + "-wal"] { #expect(sandbox.bytes(file).firstRange(of: word) == nil) }
    try commit(store, "y")
    crash(store)
    let again = try sandbox.open()
    #expect(again.committedSeq == 2)
    again.close()
  }

  @Test("damage that comes while the store is open is found by the stop: no seal, so the next start refuses the file")
  func damagedInUse() throws {
    let sandbox = try Sandbox()
    let store = try sandbox.open()
    for number in 0..<400 { try turn(store, "id-\(number)") }
    try store.connection.checkpoint(.passive)
    var bytes = sandbox.bytes(sandbox.database)
    for page in stride(from: 8_192, to: bytes.count, by: 4_096) { bytes[page] ^= 0xFF }
    // In place, as a failing disk would.
    let descriptor = Glibc.open(sandbox.database, O_WRONLY)
    #expect(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
    Glibc.close(descriptor)
    #expect(store.close()?.kind == .damaged)
    #expect(access(store.directory.seal, F_OK) != 0)
    #expect(refusal { try sandbox.open() } == "damaged")
  }

  @Test("a bit that turns in the header is damage, whichever", arguments: [(63, 0), (18, 3), (18, 130), (19, 3), (18, 1)])
  func header(_ place: Int, _ value: UInt8) throws {
    let sandbox = try Sandbox()
    try sandbox.open().close()
    var bytes = sandbox.bytes(sandbox.database)
    bytes[place] = value
    sandbox.write(bytes, to: sandbox.database)
    #expect(refusal { try sandbox.open() } == "damaged")
    #expect(sandbox.bytes(sandbox.database) == bytes)
  }
}
