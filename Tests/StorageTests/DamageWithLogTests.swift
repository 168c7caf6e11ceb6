import Testing

@testable import Storage

@Suite("Damage beside a log")
struct DamageWithLogTests {
  @Test("a damaged file is left as it is together with its log, which may hold the last words that can be saved")
  func untouched() throws {
    let sandbox = try Sandbox()
    do {
      let store = try sandbox.open()
      try store.begin()
      for number in 1_000..<2_000 { try store.setSetting("s\(number)", String(repeating: "x", count: 100)) }
      _ = try store.commit()
      store.close()
    }
    do {
      // As kill -9 leaves it: the last change is in the log alone.
      let store = try sandbox.open()
      try store.begin()
      try store.setSetting("t", "1")
      _ = try store.commit()
      store.abandon()
      store.connection.close()
    }
    var bytes = sandbox.bytes(sandbox.database)
    let page = bytes.count / 4_096 / 2 * 4_096
    bytes.replaceSubrange(page..<page + 100, with: repeatElement(0xff, count: 100))
    sandbox.write(bytes, to: sandbox.database)
    let log = sandbox.bytes(sandbox.database + "-wal")
    #expect(!log.isEmpty)

    let error = #expect(throws: StoreError.self) { try sandbox.open() }
    if case .damaged? = error {} else { Issue.record("refused as \(String(describing: error))") }
    #expect(sandbox.bytes(sandbox.database) == bytes)
    #expect(sandbox.bytes(sandbox.database + "-wal") == log)
  }
}
