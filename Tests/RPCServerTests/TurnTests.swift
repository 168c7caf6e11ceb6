import EventLoop
import Glibc
import TestLoop
import Testing

@testable import RPCServer

/// Notes what happens in which order; while it runs the first client's line, the second client sends its own.
@DaemonActor
private final class Company: LineProcessor {
  var happened: [String] = []
  let turnWillSync: Bool
  var onLine: ((Int) -> Void)?
  var onEnd: (([String]) -> Void)?

  init(turnWillSync: Bool) { self.turnWillSync = turnWillSync }

  func line(_ bytes: [UInt8], _ range: Range<Int>, from connection: Connection) {
    happened.append(String(decoding: bytes[range], as: UTF8.self))
    onLine?(happened.count)
  }

  func endTurn() {
    if happened.isEmpty || happened.last == "end" { return }
    happened.append("end")
    if happened.filter({ $0.hasPrefix("line") }).count == 2 { onEnd?(happened) }
  }

  func oversizedLine(from connection: Connection) {}
  func refusalOfConnection() -> [UInt8] { [] }
  func answerToHTTP() -> [UInt8] { [] }
  func closed(_ connection: Connection) {}
  func note(_ event: ConnectionEvent) {}
}

@Suite("Turns", .serialized, .timeLimit(.minutes(1)))
struct TurnTests {
  init() { precondition(loopThread) }

  @Test("a turn that will wait for the disk takes along what came while it ran; another ends at once", arguments: [true, false])
  @DaemonActor
  func company(_ turnWillSync: Bool) async throws {
    let socket = try SocketPath(try temporaryDirectory() + "/s")
    defer { socket.remove() }
    let company = Company(turnWillSync: turnWillSync)
    let server = try Server(processor: company)
    server.limits.turnMilliseconds = 60_000
    try server.listen(on: socket.descriptor)
    let clients = try (0..<2).map { _ in try #require(client(of: socket.path)) }
    defer { for client in clients { close(client) } }
    let (stream, continuation) = AsyncStream<[String]>.makeStream()
    company.onLine = { count in if count == 1 { write(clients[1], "line 2\n", 7) } }
    company.onEnd = { continuation.yield($0) }
    write(clients[0], "line 1\n", 7)
    var order: [String] = []
    for await happened in stream {
      order = happened
      break
    }
    #expect(order == (turnWillSync ? ["line 1", "line 2", "end"] : ["line 1", "end", "line 2", "end"]))
    server.closeAll()
    server.stopListening()
  }
}

private func client(of path: String) -> Int32? {
  let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let result = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  return result == 0 ? descriptor : nil
}

/// Runs lines of the form `A5` as batches of five calls, answered at their end, and others at once. Each turn takes one line or call.
@DaemonActor
private final class Kitchen: LineProcessor {
  /// A line that is run in pieces.
  final class Batch: UnfinishedLine {
    let isAnswered: Bool
    let size = 10
    let piece: () -> Bool

    init(isAnswered: Bool, _ piece: @escaping () -> Bool) {
      self.isAnswered = isAnswered
      self.piece = piece
    }

    func runPiece() -> Bool { piece() }
  }

  var happened: [String] = []
  var onEvent: ((String) -> Void)?
  /// What a batch answers.
  var answer: [UInt8]? = Array("done".utf8)
  let turnWillSync = false
  private let path: SocketPath
  private(set) var server: Server?

  init(_ change: (inout ServerLimits) -> Void = { _ in }) throws {
    path = try SocketPath(try temporaryDirectory() + "/s")
    var limits = ServerLimits()
    limits.turnMilliseconds = 0
    change(&limits)
    server = try Server(limits: limits, processor: self)
    try server?.listen(on: path.descriptor)
  }

  func connect() throws -> Int32 { try #require(client(of: path.path)) }

  func close() {
    server?.closeAll()
    server?.stopListening()
    path.remove()
  }

  /// Waits for an event, which may have happened.
  func wait(for event: String) async {
    if happened.contains(event) { return }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let before = onEvent
    onEvent = { happening in
      before?(happening)
      if happening == event { continuation.yield() }
    }
    for await _ in stream { break }
    onEvent = before
  }

  private func note(_ event: String) {
    happened.append(event)
    onEvent?(event)
  }

  func line(_ bytes: [UInt8], _ range: Range<Int>, from connection: Connection) {
    let line = String(decoding: bytes[range], as: UTF8.self)
    guard let count = Int(line.dropFirst()) else {
      note(line)
      return connection.send(Array(line.utf8))
    }
    var done = 0
    connection.unfinished = Batch(isAnswered: answer != nil) { [unowned self] in
      done += 1
      note("\(line.prefix(1)).\(done)")
      if done == count, let answer { connection.send(answer) }
      return done < count
    }
  }

  func endTurn() { note("end") }
  func oversizedLine(from connection: Connection) {}
  func refusalOfConnection() -> [UInt8] { [] }
  func answerToHTTP() -> [UInt8] { [] }
  func closed(_ connection: Connection) { note("closed") }
  func note(_ event: ConnectionEvent) {}
}

@Suite("Batches in pieces", .serialized, .timeLimit(.minutes(1)))
struct PieceTests {
  init() { precondition(loopThread) }

  private func text(_ client: Int32) -> String {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while case let count = recv(client, &chunk, chunk.count, Int32(MSG_DONTWAIT)), count > 0 { all += chunk[..<count] }
    return String(decoding: all, as: UTF8.self)
  }

  @Test("who asks for little is served in the next turn, however many batches wait")
  @DaemonActor func newcomer() async throws {
    let kitchen = try Kitchen()
    let clients = try (0..<20).map { _ in try kitchen.connect() }
    defer { for client in clients { close(client) } }
    var begun = 0
    kitchen.onEvent = { event in
      if event == "A.1" { begun += 1 }
      if event == "A.1", begun == 19 { write(clients[19], "small\n", 6) }
    }
    for client in clients[..<19] { write(client, "A10\n", 4) }
    await kitchen.wait(for: "small")
    let events = kitchen.happened
    let since = try #require(events.lastIndex(of: "small")) - (try #require(events.lastIndex(of: "A.1")))
    // The turn in which it was sent ends; in the next it comes first.
    #expect(since <= 3)
    kitchen.close()
  }

  @Test("a batch goes on however much others ask for")
  @DaemonActor func notStarved() async throws {
    let kitchen = try Kitchen()
    let clients = try (0..<3).map { _ in try kitchen.connect() }
    defer { for client in clients { close(client) } }
    // There are always two that have had nothing yet.
    let names = ["", "one", "two"]
    kitchen.onEvent = { event in if let index = names.firstIndex(of: event) { write(clients[index], event + "\n", 4) } }
    for index in 1...2 { write(clients[index], names[index] + "\n", 4) }
    write(clients[0], "A50\n", 4)
    await kitchen.wait(for: "A.50")
    #expect(kitchen.happened.prefix { $0 != "A.50" }.filter { $0 == "end" }.count < 70)
    kitchen.close()
  }

  @Test("batches take turns call by call")
  @DaemonActor func fair() async throws {
    let kitchen = try Kitchen { $0.turnMilliseconds = 60_000 }
    let clients = try (0..<2).map { _ in try kitchen.connect() }
    defer { for client in clients { close(client) } }
    write(clients[0], "A3\n", 3)
    write(clients[1], "B3\n", 3)
    await kitchen.wait(for: "A.3")
    await kitchen.wait(for: "B.3")
    let calls = kitchen.happened.filter { $0.contains(".") }.map { String($0.prefix(1)) }.joined()
    #expect(calls == "ABABAB" || calls == "BABABA")
    kitchen.close()
  }

  @Test("where much waits to be read, batches are run one after the other")
  @DaemonActor func full() async throws {
    let kitchen = try Kitchen { $0.waitingBytes = 5 }
    let clients = try (0..<2).map { _ in try kitchen.connect() }
    defer { for client in clients { close(client) } }
    kitchen.onEvent = { event in if event == "A.1" { write(clients[1], "B3\n", 3) } }
    write(clients[0], "A9\n", 3)
    await kitchen.wait(for: "B.3")
    #expect(kitchen.happened.filter { $0.contains(".") } == (1...9).map { "A.\($0)" } + (1...3).map { "B.\($0)" })
    kitchen.close()
  }

  @Test("the lines behind a batch wait for it, and a half-closed connection stays until it is answered")
  @DaemonActor func order() async throws {
    let kitchen = try Kitchen()
    let client = try kitchen.connect()
    defer { close(client) }
    write(client, "A3\nafter\nB2", 11)
    shutdown(client, Int32(SHUT_WR))
    await kitchen.wait(for: "closed")
    #expect(kitchen.happened.filter { $0 != "end" } == ["A.1", "A.2", "A.3", "after", "B.1", "B.2", "closed"])
    #expect(text(client) == "done\nafter\ndone\n")
    kitchen.close()
  }

  @Test("what is left of a batch nobody is there to hear of is not run; notifications are", arguments: [true, false])
  @DaemonActor func gone(_ isAnswered: Bool) async throws {
    let kitchen = try Kitchen()
    if !isAnswered { kitchen.answer = nil }
    let client = try kitchen.connect()
    kitchen.onEvent = { event in if event == "A.2" { close(client) } }
    write(client, "A9\n", 3)
    await kitchen.wait(for: "closed")
    #expect(kitchen.happened.contains("A.9") != isAnswered)
    kitchen.close()
  }

  @Test("a batch waits while the output of its connection is over the limit")
  @DaemonActor func output() async throws {
    let kitchen = try Kitchen { $0.outputBytes = 1_000 }
    kitchen.answer = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    let client = try kitchen.connect()
    defer { close(client) }
    write(client, "A1\nB2\n", 6)
    await kitchen.wait(for: "A.1")
    let other = try kitchen.connect()
    defer { close(other) }
    write(other, "small\n", 6)
    await kitchen.wait(for: "small")
    #expect(!kitchen.happened.contains("B.1"))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !kitchen.happened.contains("B.2") {
      _ = recv(client, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      await Task.yield()
    }
    kitchen.close()
  }

  @Test("a server that ends runs batches to their end and answers them")
  @DaemonActor func end() async throws {
    let kitchen = try Kitchen()
    let client = try kitchen.connect()
    defer { close(client) }
    // So many that it is still on its way when the test hears of its beginning.
    write(client, "A99999\nB1\n", 10)
    await kitchen.wait(for: "A.2")
    kitchen.close()
    #expect(kitchen.happened.filter { $0 != "end" }.suffix(2) == ["A.99999", "closed"])
    #expect(text(client) == "done\n")
  }
}
