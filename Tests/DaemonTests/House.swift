import CivilTime
import EventLoop
import Glibc
import JSON
import JSONRPC
import KindVerb
import KindVerbAPI
import Storage
import TestLoop
import Testing

@testable import Daemon
@testable import RPCServer

/// A method that waits and whose end a test decides: never, but for its cancellation.
@DaemonActor
func waitForever() async throws -> Never {
  let (stream, continuation) = AsyncStream<Void>.makeStream()
  for await _ in stream {}
  continuation.finish()
  throw CancellationError()
}

/// A daemon's inside without its outside: dispatcher, store and one client, whose lines come at the times that a test says.
@DaemonActor
final class House {
  let path: String
  let store: Store
  let turn = TurnEngine()
  let lane = SlowLane()
  let router = Router()
  let events: EventHub
  let dispatcher: Dispatcher
  let server: Server
  let connection: Connection
  private let peer: Int32
  private var received = LineBuffer(limit: 1 << 30)

  /// `replacing` puts handlers of its own in place of all others.
  init(_ limits: DispatchLimits = DispatchLimits(), replacing: ((Router) -> Void)? = nil) throws {
    path = try temporaryDirectory()
    store = try StoreOpening(directory: path + "/data").open()
    turn.store = store
    events = EventHub(turn: turn, lane: lane)
    dispatcher = Dispatcher(router: router, events: events, turn: turn, limits: limits)
    dispatcher.state = .ready
    server = try Server(processor: dispatcher)
    (connection, peer) = try Self.connect(1, server)
    if let replacing {
      replacing(router)
    } else {
      router.on(Methods.SystemPing.self) { _, _ in Pong(pong: true) }
      router.onConnection(Methods.EventsSubscribe.self) { [events] params, _, connection in
        try events.subscribe(params, connection)
      }
      DomainRoutes(
        turn: turn, lane: lane, entitling: Entitling(turn: turn), zones: ZoneKeeper(ZoneSource()), defaultLanguage: { .en }
      ).register(on: router)
    }
  }

  static func connect(_ id: Int, _ server: Server) throws -> (Connection, peer: Int32) {
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
    return (Connection(id: id, descriptor: pair[0], peerPID: 0, limits: ServerLimits(), server: server), pair[1])
  }

  isolated deinit {
    close(peer)
    connection.markClosed()
    store.close()
    removeTree(path)
  }

  /// Lines that came together, and the turn that runs them. They came so many milliseconds ago.
  func send(_ lines: String..., ago milliseconds: Int = 0) {
    for line in lines { arrive(line, ago: milliseconds) }
    run()
  }

  /// A line that waits for the next turn.
  func arrive(_ line: String, ago milliseconds: Int = 0) {
    connection.take(ArraySlice(line.utf8) + [UInt8(ascii: "\n")], at: Server.now() - milliseconds)
  }

  /// One turn, of so many calls of batches if a number is given.
  func run(calls: Int = .max) {
    var left = calls
    repeat {
      while connection.unfinished != nil, left > 0 {
        left -= 1
        _ = connection.runPiece()
      }
      guard connection.unfinished == nil, case .line(let range)? = connection.input.next() else { break }
      dispatcher.line(connection.input.bytes, range, from: connection)
    } while true
    dispatcher.endTurn()
  }

  /// The bytes of the next line that the client reads.
  func line() async throws -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if case .line(let range)? = received.next() { return Array(received.bytes[range]) }
      let count = recv(peer, &chunk, chunk.count, 0)
      if count > 0 {
        received.append(chunk[..<count])
      } else {
        // No group watches this connection's descriptor: what did not fit is sent on in a turn of the server's own.
        server.touch(connection)
        try await somethingToRead()
      }
    }
  }

  private func somethingToRead() async throws {
    var source: DescriptorSource?
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    source = try DescriptorSource(peer, events: .readable) { _ in continuation.yield() }
    for await _ in stream { break }
    source?.cancel()
  }

  /// The next line that the client reads.
  func reply() async throws -> JSON { try JSON(parsing: await line()) }

  /// The answer to one line.
  func ask(_ line: String) async throws -> JSON {
    send(line)
    return try await reply()
  }

  /// The ids of all journals, as the client is told.
  func journals() async throws -> [String] {
    let answer = try await ask(#"{"jsonrpc":"2.0","id":"list","method":"journal.list","params":{"limit":200}}"#)
    return try #require(answer["result"]?["items"]?.arrayValue).compactMap { $0["id"]?.stringValue }
  }
}

/// A call as a line.
func call(_ id: Int, _ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
}

/// The number of an answer's error; nil for a result.
func code(_ answer: JSON?) -> Int? { answer?["error"]?["code"]?.intValue }

func temporaryDirectory() throws -> String {
  var template = Array("/tmp/kindverb-house-XXXXXX".utf8CString)
  return try #require(
    template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    })
}

func entries(_ directory: String) -> [String] {
  guard let handle = opendir(directory) else { return [] }
  defer { closedir(handle) }
  var names: [String] = []
  while let entry = readdir(handle) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

func removeTree(_ path: String) {
  for name in entries(path) {
    let inner = "\(path)/\(name)"
    if unlink(inner) != 0 { removeTree(inner) }
  }
  rmdir(path)
}
