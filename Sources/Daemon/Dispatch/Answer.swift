import EventLoop
import JSON
import JSONRPC
import KindVerbAPI
import RPCServer

/// The answer to one line: one reply, or the replies of a batch in the order of its calls. It leaves when all are there, and is never
/// longer than the limit: every call has room for a reply that tells no more than that something was done or went wrong; what is
/// left over goes to those that come first.
@DaemonActor
final class Answer {
  /// The bytes that each call is sure to have beside its id.
  static let promise = 8 << 10
  /// The bytes that a reply counts for at least, since it may still be replaced by an error.
  private static let least = 1 << 10

  let connection: Connection
  private let isBatch: Bool
  private let limit: Int
  private var replies: [[UInt8]?] = []
  private var charges: [Int] = []
  private var charged = 0
  private var open = 0
  private var isSealed = false
  /// Whether a reply had no room: the calls after it are not run.
  var isFull = false
  /// The bytes of the replies that are there.
  private(set) var size = 0

  init(to connection: Connection, isBatch: Bool, limit: Int) {
    self.connection = connection
    self.isBatch = isBatch
    self.limit = limit
  }

  /// Makes room for one more reply; its number is what ``fill(_:_:)`` takes.
  func reserve(for id: RequestID) -> Int {
    replies.append(nil)
    charges.append(Self.promise + id.bytes.count)
    charged += charges[replies.count - 1]
    open += 1
    return replies.count - 1
  }

  /// How long the reply in that place may be.
  func room(for slot: Int) -> Int { limit - 2 - (charged - charges[slot]) }

  /// What a call is told whose reply has no room.
  var tooLarge: APIError {
    var failure = APIError(.rpcTooLarge)
    failure.limit = limit
    failure.unit = "bytes"
    return failure
  }

  /// Puts a reply in its place.
  func fill(_ slot: Int, _ reply: [UInt8]) {
    guard replies[slot] == nil else { return }
    put(reply, slot)
    open -= 1
    sendIfComplete()
  }

  /// Replaces a reply that has not left: what it said did not come true.
  func replace(_ slot: Int, _ reply: [UInt8]) {
    guard let before = replies[slot] else { return }
    size -= before.count
    put(reply, slot)
  }

  private func put(_ reply: [UInt8], _ slot: Int) {
    replies[slot] = reply
    size += reply.count
    // One byte more for the comma.
    let charge = max(Self.least, reply.count) + 1
    charged += charge - charges[slot]
    charges[slot] = charge
  }

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
  /// The bytes of a reply around its id and its result, and some.
  static let frame = 48

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
