import FakeDaemon
import JSON
import Testing

@testable import JSONRPC

/// Answers each call of a batch with the batch's size.
private func sizes(_ message: JSON) -> FakeDaemon.Answer {
  let calls = message.arrayValue ?? []
  let answers = calls.map { #"{"jsonrpc":"2.0","id":\#($0["id"]?.description ?? "null"),"result":\#(calls.count)}"# }
  // A notification in between, and an answer that nobody waits for, are no answers of the batch.
  return .line(
    #"{"jsonrpc":"2.0","method":"note","params":{}}"# + "\n" + #"{"jsonrpc":"2.0","id":999999,"result":0}"# + "\n"
      + "[\(answers.reversed().joined(separator: ","))]")
}

private func calls(_ count: Int, bytes: Int = 0) -> [(method: String, params: [UInt8]?)] {
  let params = Array(#"{"text":"\#(String(repeating: "x", count: bytes))"}"#.utf8)
  return Array(repeating: ("m", params), count: count)
}

@Suite("The client", .timeLimit(.minutes(1)))
struct ClientTests {
  @Test(
    "many calls go in batches that the daemon takes",
    arguments: [
      (0, 0, []), (1, 0, [1]), (100, 0, [100]), (101, 0, [100, 1]), (250, 0, [100, 100, 50]), (5, 400_000, [2, 2, 1]),
      (2, 1_048_000, [1, 1]),
    ] as [(Int, Int, [Int])])
  func batches(_ count: Int, _ bytes: Int, _ parts: [Int]) throws {
    let daemon = FakeDaemon { sizes($0) }
    let client = try Client(path: daemon.path)
    let replies = try client.call(calls(count, bytes: bytes), timeoutMilliseconds: 20_000)
    #expect(replies == parts.flatMap { Array(repeating: Reply.result(.number(JSONNumber($0))), count: $0) })
    for _ in parts { #expect(try client.notification(timeoutMilliseconds: 0).method == "note") }
  }

  @Test("answers belong to their calls by the id, whatever their order")
  func order() throws {
    let daemon = FakeDaemon { message in
      let answers = (message.arrayValue ?? []).map { call in
        let id = call["id"]?.description ?? "null"
        return #"{"jsonrpc":"2.0","id":\#(id),"result":\#(id)}"#
      }
      return .line("[\(answers.reversed().joined(separator: ","))]")
    }
    let replies = try Client(path: daemon.path).call(calls(130), timeoutMilliseconds: 20_000)
    #expect(replies == (1...130).map { .result(.number(JSONNumber($0))) })
  }

  @Test("a batch that is refused as a whole is refused for every call", arguments: [true, false])
  func refusedBatch(_ namesFirst: Bool) throws {
    let daemon = FakeDaemon { .error(-32600, of: namesFirst ? $0[0] : nil) }
    let replies = try Client(path: daemon.path).call(calls(3), timeoutMilliseconds: 5_000)
    #expect(replies == Array(repeating: .error(code: -32600, message: "refused", data: [:]), count: 3))
  }

  @Test("connecting to a daemon that accepts nobody ends with the time limit")
  func connecting() throws {
    let daemon = FakeDaemon()
    let first = try Client(path: daemon.path, timeoutMilliseconds: 50)
    #expect(throws: ClientError.timedOut(milliseconds: 50)) { try Client(path: daemon.path, timeoutMilliseconds: 50) }
    withExtendedLifetime(first) {}
  }

  @Test("sending to a daemon that does not read ends with the time limit", arguments: [false, true])
  func sending(_ isBatch: Bool) throws {
    let daemon = FakeDaemon { _ in .silence }
    let client = try Client(path: daemon.path)
    #expect(throws: ClientError.timedOut(milliseconds: 50)) { try client.call("m", timeoutMilliseconds: 50) }
    #expect(throws: ClientError.timedOut(milliseconds: 50)) {
      if isBatch {
        _ = try client.call(calls(90, bytes: 10_000), timeoutMilliseconds: 50)
      } else {
        _ = try client.call("m", params: calls(1, bytes: 4 << 20)[0].params, timeoutMilliseconds: 50)
      }
    }
  }

  @Test("a daemon that refuses the connection is heard, also if it has closed before anything was sent")
  func refusedConnection() throws {
    let daemon = FakeDaemon(greeting: #"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"full","data":{}}}"#)
    for _ in 0..<200 {
      let client = try Client(path: daemon.path)
      let reply = try client.call("m", params: calls(1, bytes: 300_000)[0].params, timeoutMilliseconds: 5_000)
      #expect(reply == .error(code: -32001, message: "full", data: [:]))
    }
  }
}
