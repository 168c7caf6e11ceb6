import EventLoop
import JSON
import JSONRPC
import RPCServer

/// The answer to one line: one reply, or the replies of a batch in the order of its calls. It leaves when all are there.
@DaemonActor
final class Answer {
  let connection: Connection
  private let isBatch: Bool
  private var replies: [[UInt8]?] = []
  private var open = 0
  private var isSealed = false
  /// The bytes of the replies that are there.
  private(set) var size = 0

  init(to connection: Connection, isBatch: Bool) {
    self.connection = connection
    self.isBatch = isBatch
  }

  /// Makes room for one more reply; its number is what ``fill(_:_:)`` takes.
  func reserve() -> Int {
    replies.append(nil)
    open += 1
    return replies.count - 1
  }

  /// Puts a reply in its place.
  func fill(_ slot: Int, _ reply: [UInt8]) {
    guard replies[slot] == nil else { return }
    replies[slot] = reply
    size += reply.count
    open -= 1
    sendIfComplete()
  }

  /// Replaces a reply that has not left: what it said did not come true.
  func replace(_ slot: Int, _ reply: [UInt8]) { replies[slot] = reply }

  /// No more calls belong to this answer, and what is there may leave.
  func seal() {
    isSealed = true
    sendIfComplete()
  }

  private func sendIfComplete() {
    guard isSealed, open == 0 else { return }
    isSealed = false
    if isBatch {
      // A batch of notifications alone gets no answer at all.
      if replies.isEmpty { return }
      var line: [UInt8] = [UInt8(ascii: "[")]
      for (index, reply) in replies.enumerated() {
        if index > 0 { line.append(UInt8(ascii: ",")) }
        line += reply ?? []
      }
      line.append(UInt8(ascii: "]"))
      connection.send(line)
    } else if let reply = replies.first ?? nil {
      connection.send(reply)
    }
  }
}

/// The text of replies.
enum ReplyText {
  /// A result that is JSON text already.
  static func result(_ id: RequestID, _ result: [UInt8]) -> [UInt8] {
    var writer = JSONWriter(reserving: result.count + 64)
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("id")
    writer.raw(id.bytes)
    writer.name("result")
    writer.raw(result)
    writer.endObject()
    return writer.bytes
  }

  /// An error object that is JSON text already.
  static func error(_ id: RequestID, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("id")
    writer.raw(id.bytes)
    writer.name("error")
    body(&writer)
    writer.endObject()
    return writer.bytes
  }
}
