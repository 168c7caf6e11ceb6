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

  private let descriptor: Int32
  private var buffer = LineBuffer(limit: 64 << 20)
  private var notifications: [ServerNotification] = []
  private var notificationsTaken = 0
  private var lastID = 0

  /// Connects to the socket at `path`.
  public init(path: String) throws(ClientError) {
    guard path.utf8.count <= Self.pathLimit else { throw .pathTooLong(path: path, limit: Self.pathLimit) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .unreachable(path: path, errno: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if connected != 0 {
      let failure = errno
      close(descriptor)
      throw .unreachable(path: path, errno: failure)
    }
  }

  deinit { close(descriptor) }

  /// Calls a method and waits for its answer.
  ///
  /// - Parameters:
  ///   - params: the parameters as JSON text, an object or an array; nil for none.
  public func call(_ method: String, params: [UInt8]? = nil, timeoutMilliseconds: Int? = nil) throws(ClientError) -> Reply {
    lastID += 1
    let id = lastID
    var writer = JSONWriter()
    Self.write(method, params, id: id, to: &writer)
    try send(writer.bytes)
    let deadline = Deadline(timeoutMilliseconds)
    while true {
      for message in try messages(before: deadline) {
        if message["id"]?.intValue == id || (message["id"]?.isNull == true && message["error"] != nil) {
          return try Self.reply(message)
        }
      }
    }
  }

  /// Calls many methods, at most ``batchLimit`` in one batch, and gives the answers in the order of the calls.
  public func call(
    _ calls: [(method: String, params: [UInt8]?)], timeoutMilliseconds: Int? = nil
  ) throws(ClientError) -> [Reply] {
    var replies: [Reply] = []
    let deadline = Deadline(timeoutMilliseconds)
    for start in stride(from: 0, to: calls.count, by: Self.batchLimit) {
      let part = calls[start..<min(start + Self.batchLimit, calls.count)]
      var writer = JSONWriter()
      writer.beginArray()
      for call in part {
        lastID += 1
        Self.write(call.method, call.params, id: lastID, to: &writer)
      }
      writer.endArray()
      try send(writer.bytes)
      var answered: [Reply] = []
      while answered.count < part.count {
        for message in try messages(before: deadline) { answered.append(try Self.reply(message)) }
      }
      replies += answered
    }
    return replies
  }

  /// The next notification, waiting for it if none is there.
  public func notification(timeoutMilliseconds: Int? = nil) throws(ClientError) -> ServerNotification {
    let deadline = Deadline(timeoutMilliseconds)
    while notificationsTaken == notifications.count { _ = try messages(before: deadline) }
    let next = notifications[notificationsTaken]
    notificationsTaken += 1
    if notificationsTaken == notifications.count {
      notifications.removeAll(keepingCapacity: true)
      notificationsTaken = 0
    }
    return next
  }

  private static func write(_ method: String, _ params: [UInt8]?, id: Int, to writer: inout JSONWriter) {
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
  }

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
  /// Answers of the next line, batches taken apart; notifications are put aside.
  private func messages(before deadline: Deadline) throws(ClientError) -> [JSON] {
    let message = try line(before: deadline)
    if let items = message.arrayValue { return items }
    if let method = message["method"]?.stringValue {
      notifications.append(ServerNotification(method: method, params: message["params"] ?? .null))
      return []
    }
    return [message]
  }

  private func line(before deadline: Deadline) throws(ClientError) -> JSON {
    while true {
      switch buffer.next() {
      case .line(let range)?:
        do { return try JSONParser.parse(buffer.bytes, in: range) } catch { throw .malformed("not JSON: \(error.kind.rawValue)") }
      case .oversized?: throw .malformed("a line over 64 MiB")
      case nil: try receive(before: deadline)
      }
    }
  }

  private func receive(before deadline: Deadline) throws(ClientError) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = poll(&waiting, 1, deadline.remaining)
    if ready == 0 { throw .timedOut(milliseconds: deadline.total) }
    if ready < 0 {
      if errno == EINTR { return }
      throw .closed
    }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 {
      buffer.append(chunk[..<count])
    } else if count == 0 || errno != EINTR {
      throw .closed
    }
  }

  private func send(_ line: [UInt8]) throws(ClientError) {
    let bytes = line + [UInt8(ascii: "\n")]
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno != EINTR {
        throw .closed
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

  /// Milliseconds left, for `poll`; −1 for ever.
  var remaining: Int32 {
    guard let end else { return -1 }
    let left = (end - ContinuousClock.now) / .milliseconds(1)
    return Int32(max(0, min(left.rounded(.up), 1_000_000_000)))
  }
}
