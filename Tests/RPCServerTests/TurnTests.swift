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
}
