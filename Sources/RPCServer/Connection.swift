import EventLoop
import Glibc
import JSONRPC

/// What is left of a line that is run in pieces: of a batch.
@DaemonActor
public protocol UnfinishedLine: AnyObject {
  /// Whether there will be an answer, which is worth nothing once nobody is there to read it.
  var isAnswered: Bool { get }
  /// The bytes of the answer that are there already.
  var size: Int { get }
  /// Runs the next piece; false when it was the last.
  func runPiece() -> Bool
}

/// One client: what it sent and not yet was read, and what waits to be sent to it.
@DaemonActor
public final class Connection {
  /// A number that no other connection of this process had.
  public let id: Int
  /// The process at the other end when it connected.
  public let peerPID: pid_t
  /// Calls that will be answered later; while there are some, a half-closed connection stays.
  public var unanswered = 0 {
    didSet { if unanswered == 0 { server?.touch(self) } }
  }
  /// Called when all output has gone out, with nothing pending.
  public var onDrained: (@DaemonActor (Connection) -> Void)?
  /// What is left of the line that was taken last; until it is done no further line is taken.
  public var unfinished: (any UnfinishedLine)?
  /// The longest line that is taken, in bytes.
  public var requestLimit: Int { input.limit }
  /// How long ago the end of the line that was taken last was read from the socket, in milliseconds.
  public var waitedMilliseconds: Int { Server.now() - arrivals.time(waiting: input.count) }

  let descriptor: Int32
  var input: LineBuffer
  var inputHasEnded = false
  var isQueued = false
  var isTouched = false
  var interest: Readiness = []
  /// When the first byte of a line that is not complete came, in milliseconds of the monotonic clock.
  var partialSince: Int?
  /// Since when output waits without the peer taking a byte.
  var stalledSince: Int?
  weak var server: Server?
  /// The number of the batch that was taken last; a smaller one has waited longer.
  var batchNumber = 0
  private var hasSpoken = false
  private var lines = (turn: 0, count: 0)
  private var arrivals = Arrivals()
  private(set) var isOpen = true
  private var output: [UInt8] = []
  private var sent = 0

  init(id: Int, descriptor: Int32, peerPID: pid_t, limits: ServerLimits, server: Server) {
    self.id = id
    self.descriptor = descriptor
    self.peerPID = peerPID
    self.server = server
    input = LineBuffer(limit: limits.requestBytes)
  }

  /// Bytes that wait for the peer to take them.
  public var pendingOutput: Int { output.count - sent }

  /// Adds a line to the output; it leaves at the end of the turn. Nothing happens once the connection is closed.
  public func send(_ line: [UInt8]) {
    guard isOpen else { return }
    output.append(contentsOf: line)
    output.append(UInt8(ascii: "\n"))
    server?.touch(self)
  }

  /// Adds bytes that are no line, for a peer that does not speak the protocol.
  func sendRaw(_ bytes: [UInt8]) {
    output.append(contentsOf: bytes)
    server?.touch(self)
  }

  /// Reads what is there into the input; false when the peer is gone for good.
  func receive(_ scratch: inout [UInt8]) -> Bool {
    let count = recv(descriptor, &scratch, scratch.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      take(scratch[..<count], at: Server.now())
    } else if count == 0 {
      inputHasEnded = true
    } else if errno != EAGAIN && errno != EINTR {
      return false
    }
    return true
  }

  /// Takes over what came at a time of the monotonic clock, in milliseconds.
  func take(_ piece: ArraySlice<UInt8>, at time: Int) {
    arrivals.note(piece, at: time, waiting: input.count)
    input.append(piece)
  }

  /// Sends what the peer takes; false when it is gone for good.
  func flush(now: Int) -> Bool {
    while sent < output.count {
      let count = output.withUnsafeBytes { buffer in
        Glibc.send(
          descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
        stalledSince = nil
      } else if errno == EAGAIN {
        stalledSince = stalledSince ?? now
        dropSent()
        return true
      } else if errno != EINTR {
        return false
      }
    }
    stalledSince = nil
    sent = 0
    if output.capacity > 65_536 { output = [] } else { output.removeAll(keepingCapacity: true) }
    return true
  }

  /// Takes what has gone out off the front once it is much, and as much as what is left, which has to be moved.
  private func dropSent() {
    guard sent > 1 << 16, sent >= pendingOutput else { return }
    output.removeSubrange(..<sent)
    sent = 0
  }

  /// Runs the next piece of the line that was taken last; false when nothing is left of it.
  func runPiece() -> Bool {
    guard let unfinished else { return false }
    if !unfinished.runPiece() { self.unfinished = nil }
    return true
  }

  /// Counts one more line in a turn of that number, and says how many that makes.
  func countLine(inTurn number: Int) -> Int {
    lines = (number, lines.turn == number ? lines.count + 1 : 1)
    return lines.count
  }

  /// Whether lines that had to wait can be run: they are complete, and the output is not full.
  func isReadyToGoOn(_ limits: ServerLimits) -> Bool {
    !isQueued && pendingOutput <= limits.outputBytes && hasMore
  }

  /// Whether there is something to run: the rest of a batch, a complete line, or one that is too long.
  var hasMore: Bool {
    unfinished != nil || input.hasLine || input.count > (inputHasEnded ? 0 : input.limit)
  }

  /// Whether a line begins an HTTP request (`GET / HTTP/1.1`), which no JSON text can be. Only a connection's first line can: a
  /// client that has spoken the protocol has merely sent a wrong line.
  func isHTTP(_ line: Range<Int>) -> Bool {
    defer { hasSpoken = true }
    guard !hasSpoken, let first = input.bytes[line].first, (0x41...0x5A).contains(first) else { return false }
    let words = input.bytes[line].prefix(8_192).split(separator: UInt8(ascii: " "))
    guard words.count == 3, let method = words.first, let version = words.last else { return false }
    return method.allSatisfy { (0x41...0x5A).contains($0) } && version.starts(with: Array("HTTP/".utf8))
  }

  func markClosed() {
    isOpen = false
    unfinished = nil
    output = []
    sent = 0
    input = LineBuffer(limit: 0)
    close(descriptor)
  }
}
