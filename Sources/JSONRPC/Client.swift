import Glibc
import JSON

/// Why a call got no answer.
public enum ClientError: Error, Equatable, Sendable {
  /// Nobody listens at the path: the error number of what failed.
  case unreachable(path: String, errno: Int32)
  /// The path is longer than a Unix socket's may be: 107 bytes.
  case pathTooLong(path: String, limit: Int)
  /// No answer within the time limit.
  case timedOut(milliseconds: Int)
  /// The daemon closed the connection before it answered.
  case closed
  /// What came is no JSON-RPC answer.
  case malformed(String)
}

/// An answer to one call.
public enum Reply: Equatable, Sendable {
  /// The method's result.
  case result(JSON)
  /// An error object.
  case error(code: Int, message: String, data: JSON)
}

/// A notification that the daemon sent.
public struct ServerNotification: Equatable, Sendable {
  /// Its method, such as `events.changed`.
  public let method: String
  /// Its parameters.
  public let params: JSON
}

/// A blocking client of the daemon for programs that do one thing: it writes a line and waits for the answer's line.
///
/// Notifications that arrive in between are kept for ``notification(timeoutMilliseconds:)``. A time limit of nil waits for ever.
public final class Client {
  /// The longest path a Unix socket can have here, in bytes (`sockaddr_un` less its NUL).
  public static let pathLimit = 107
  /// The most calls that are sent as one batch; the daemon's limit.
  public static let batchLimit = 100
  /// The longest batch that is sent as one line, in bytes; the daemon's limit.
  public static let lineLimit = 1 << 20

  /// How long the answer to a cancellation is waited for.
  private static let cancellingMilliseconds = 1_000

  private let descriptor: Int32
  private var buffer = LineBuffer(limit: 64 << 20)
  private var notifications: [ServerNotification] = []
  private var notificationsTaken = 0
  private var lastID = 0

  /// Connects to the socket at `path`. A daemon that is too busy to take the connection is waited for, as long as the limit allows.
  public init(path: String, timeoutMilliseconds: Int? = nil) throws(ClientError) {
    guard path.utf8.count <= Self.pathLimit else { throw .pathTooLong(path: path, limit: Self.pathLimit) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .unreachable(path: path, errno: errno) }
    if let limit = timeoutMilliseconds {
      // The kernel counts the wait for a place among those that are to be accepted as sending.
      var time = timeval(tv_sec: limit / 1_000, tv_usec: max(1, limit % 1_000 * 1_000))
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    var failure = Self.connect(descriptor, to: path)
    while failure == EINTR { failure = Self.connect(descriptor, to: path) }
    guard failure == 0 else {
      close(descriptor)
      if failure == EAGAIN, let limit = timeoutMilliseconds { throw .timedOut(milliseconds: limit) }
      throw .unreachable(path: path, errno: failure)
    }
  }

  deinit { close(descriptor) }

  /// 0, or the error number.
  private static func connect(_ descriptor: Int32, to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Parameters:
  ///   - params: the parameters as JSON text, an object or an array; nil for none.
  public func call(_ method: String, params: [UInt8]? = nil, timeoutMilliseconds: Int? = nil) throws(ClientError) -> Reply {
    lastID += 1
    let id = lastID
    let deadline = Deadline(timeoutMilliseconds)
    try send(Self.request(method, params, id: id), before: deadline)
    while true {
      for message in Self.items(of: try message(before: deadline)) where message["id"]?.intValue == id || Self.isRefusal(message)
      {
        return try Self.reply(message)
      }
    }
  }

  /// Calls a method that takes its time, while something else is looked after.
  ///
  /// - Parameters:
  ///   - tickMilliseconds: the longest time between two looks.
  ///   - goesOn: is given each notification as it comes, and nil once a tick. False cancels the call (`rpc.cancel`): what the daemon
  ///     answers to that within a second is the answer, be it the cancellation or a result that was faster.
  public func call(
    _ method: String, params: [UInt8]? = nil, timeoutMilliseconds: Int?, tickMilliseconds: Int,
    while goesOn: (ServerNotification?) -> Bool
  ) throws(ClientError) -> Reply {
    lastID += 1
    let id = lastID
    var deadline = Deadline(timeoutMilliseconds)
    var isCancelled = false
    try send(Self.request(method, params, id: id), before: deadline)
    while true {
      let message = try line(before: deadline, tick: tickMilliseconds)
      for message in message.map(Self.items) ?? [] where message["id"]?.intValue == id || Self.isRefusal(message) {
        return try Self.reply(message)
      }
      let notification = message.flatMap(Self.notification)
      if isCancelled || (message != nil && notification == nil) || goesOn(notification) { continue }
      isCancelled = true
      deadline = Deadline(Self.cancellingMilliseconds)
      lastID += 1
      try send(Self.request("rpc.cancel", Array(#"{"id":\#(id)}"#.utf8), id: lastID), before: deadline)
    }
  }

  /// Calls many methods, as many in one batch as the daemon takes, and gives the answers in the order of the calls.
  public func call(
    _ calls: [(method: String, params: [UInt8]?)], timeoutMilliseconds: Int? = nil
  ) throws(ClientError) -> [Reply] {
    let deadline = Deadline(timeoutMilliseconds)
    let first = lastID + 1
    lastID += calls.count
    let requests = calls.enumerated().map { Self.request($0.element.method, $0.element.params, id: first + $0.offset) }
    var replies: [Reply] = []
    while replies.count < requests.count {
      let part = Self.batch(of: requests[replies.count...])
      let calls = Array(part.joined(separator: [UInt8(ascii: ",")]))
      try send([UInt8(ascii: "[")] + calls + [UInt8(ascii: "]")], before: deadline)
      replies += try answers(to: first + replies.count, count: part.count, before: deadline)
    }
    return replies
  }

  /// As many of the next requests as fit into one batch; at least one.
  private static func batch(of requests: ArraySlice<[UInt8]>) -> ArraySlice<[UInt8]> {
    var bytes = 1
    var count = 0
    for request in requests.prefix(batchLimit) {
      bytes += request.count + 1
      if count > 0, bytes > lineLimit { break }
      count += 1
    }
    return requests.prefix(count)
  }

  /// The answers to a batch whose ids go up from `first`. A batch that is refused as a whole has one error, which is every call's.
  private func answers(to first: Int, count: Int, before deadline: Deadline) throws(ClientError) -> [Reply] {
    var found: [Int: Reply] = [:]
    while found.count < count {
      let message = try message(before: deadline)
      let ids = first..<(first + count)
      if message.arrayValue == nil, Self.isRefusal(message) || message["id"]?.intValue.map(ids.contains) == true {
        let refusal = try Self.reply(message)
        return Array(repeating: refusal, count: count)
      }
      for item in Self.items(of: message) {
        if let id = item["id"]?.intValue, ids.contains(id) { found[id - first] = try Self.reply(item) }
      }
    }
    return (0..<count).compactMap { found[$0] }
  }

  /// The next notification, waiting for it if none is there.
  public func notification(timeoutMilliseconds: Int? = nil) throws(ClientError) -> ServerNotification {
    let deadline = Deadline(timeoutMilliseconds)
    while notificationsTaken == notifications.count { try receiveLine(before: deadline) }
    let next = notifications[notificationsTaken]
    notificationsTaken += 1
    if notificationsTaken == notifications.count {
      notifications.removeAll(keepingCapacity: true)
      notificationsTaken = 0
    }
    return next
  }

  private static func request(_ method: String, _ params: [UInt8]?, id: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("id")
    writer.integer(id)
    writer.name("method")
    writer.string(method)
    if let params {
      writer.name("params")
      writer.raw(params)
    }
    writer.endObject()
    return writer.bytes
  }

  /// Whether a message is an error that belongs to no call: what was sent could not be read, or nobody is served.
  private static func isRefusal(_ message: JSON) -> Bool { message["id"]?.isNull == true && message["error"] != nil }

  private static func items(of message: JSON) -> [JSON] { message.arrayValue ?? [message] }

  private static func reply(_ message: JSON) throws(ClientError) -> Reply {
    switch (message["result"], message["error"]) {
    case (let result?, nil): return .result(result)
    case (nil, let error?):
      guard let code = error["code"]?.intValue, let text = error["message"]?.stringValue else {
        throw .malformed("an error without code and message")
      }
      return .error(code: code, message: text, data: error["data"] ?? .null)
    default: throw .malformed("neither result nor error, or both")
    }
  }
}

extension Client {
  /// The next message that is no notification; notifications are put aside.
  private func message(before deadline: Deadline) throws(ClientError) -> JSON {
    while true {
      if let message = try receiveLine(before: deadline) { return message }
    }
  }

  /// Reads one line: a message, or nil if it was a notification, which is put aside.
  @discardableResult
  private func receiveLine(before deadline: Deadline) throws(ClientError) -> JSON? {
    let message = try line(before: deadline)
    guard let notification = Self.notification(message) else { return message }
    notifications.append(notification)
    return nil
  }

  private static func notification(_ message: JSON) -> ServerNotification? {
    message["method"]?.stringValue.map { ServerNotification(method: $0, params: message["params"] ?? .null) }
  }

  /// Reads one line; nil after a tick without one. After the deadline it is the deadline's error.
  private func line(before deadline: Deadline, tick: Int) throws(ClientError) -> JSON? {
    do { return try line(before: deadline.sooner(tick)) } catch {
      guard case .timedOut = error, deadline.remaining != 0 else { throw error }
      return nil
    }
  }

  private func line(before deadline: Deadline) throws(ClientError) -> JSON {
    while true {
      switch buffer.next() {
      case .line(let range)?:
        do { return try JSONParser.parse(buffer.bytes, in: range) } catch { throw .malformed("not JSON: \(error.kind.rawValue)") }
      case .oversized?: throw .malformed("a line over 64 MiB")
      case nil:
        try wait(for: POLLIN, before: deadline)
        guard receive() else { throw .closed }
      }
    }
  }

  /// Waits until the socket can be read or written; answers which.
  @discardableResult
  private func wait(for events: Int32, before deadline: Deadline) throws(ClientError) -> Int32 {
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let ready = poll(&waiting, 1, deadline.remaining)
      if ready == 0 { throw .timedOut(milliseconds: deadline.total) }
      if ready > 0 { return Int32(waiting.revents) }
      if errno != EINTR { throw .closed }
    }
  }

  /// Takes over what has come; false at the end of the stream.
  private func receive() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count > 0 { buffer.append(chunk[..<count]) }
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  /// Sends a line. A daemon that has closed the connection may have said why: that is read as an answer, so it is no error here.
  private func send(_ line: [UInt8], before deadline: Deadline) throws(ClientError) {
    let bytes = line + [UInt8(ascii: "\n")]
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        // Read meanwhile: a daemon that cannot get rid of its output reads nothing more.
        let ready = try wait(for: POLLIN | POLLOUT, before: deadline)
        if ready & POLLIN != 0, !receive() { return }
      } else if errno != EINTR {
        return
      }
    }
  }
}

/// A point in time after which waiting ends.
private struct Deadline {
  let total: Int
  private let end: ContinuousClock.Instant?

  init(_ milliseconds: Int?) {
    total = milliseconds ?? 0
    end = milliseconds.map { ContinuousClock.now + .milliseconds($0) }
  }

  /// The same, or its end in so many milliseconds if that is sooner.
  func sooner(_ milliseconds: Int) -> Deadline {
    let tick = Deadline(milliseconds)
    return remaining >= 0 && remaining < tick.remaining ? self : tick
  }

  /// Milliseconds left, for `poll`; −1 for ever.
  var remaining: Int32 {
    guard let end else { return -1 }
    let left = (end - ContinuousClock.now) / .milliseconds(1)
    return Int32(max(0, min(left.rounded(.up), 1_000_000_000)))
  }
}
