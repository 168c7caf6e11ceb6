import Foundation
import Glibc
import JSON

/// A socket at which a closure answers in the daemon's place, for tests of what talks to it.
public final class FakeDaemon: Sendable {
  /// What becomes of a connection after a line.
  public enum Answer: Sendable {
    /// This text and a line feed; the next line is read.
    case line(String)
    /// Nothing more is read, and nothing sent; the connection stays open.
    case silence
  }

  /// Where it listens.
  public let path: String
  private let listener: Int32

  /// Listens, and answers every line of every connection, one connection after the other.
  ///
  /// - Parameters:
  ///   - greeting: a line that is sent to whoever connects, before the connection is closed unread.
  public init(greeting: String? = nil, _ answer: (@Sendable (JSON) -> Answer)? = nil) {
    path = "/tmp/fake-\(UUID().uuidString.prefix(13))"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let listener = listener
    withUnsafePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // Without an answer nobody is ever accepted, and one waits.
    listen(listener, answer == nil && greeting == nil ? 0 : 16)
    guard answer != nil || greeting != nil else { return }
    Thread.detachNewThread {
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        if let greeting { Self.send(greeting, to: connection) } else if let answer { Self.serve(connection, answer) }
        close(connection)
      }
      close(listener)
    }
  }

  deinit {
    // Closing alone would not wake the thread that accepts.
    shutdown(listener, Int32(SHUT_RDWR))
    unlink(path)
  }

  private static func serve(_ connection: Int32, _ answer: (JSON) -> Answer) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = recv(connection, &chunk, chunk.count, 0), count > 0 {
      bytes += chunk[..<count]
      while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        guard let message = try? JSON(parsing: Array(bytes[..<end])) else { return }
        bytes.removeSubrange(...end)
        switch answer(message) {
        case .line(let text): send(text, to: connection)
        case .silence:
          // Until the other end is closed, without reading what it sent.
          var waiting = pollfd(fd: connection, events: 0, revents: 0)
          poll(&waiting, 1, -1)
          return
        }
      }
    }
  }

  private static func send(_ text: String, to connection: Int32) {
    let bytes = Array((text + "\n").utf8)
    _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}

extension FakeDaemon.Answer {
  /// A result for a request.
  public static func result(_ result: String, of request: JSON) -> Self {
    .line(#"{"jsonrpc":"2.0","id":\#(request["id"]?.description ?? "null"),"result":\#(result)}"#)
  }

  /// An error for a request, or for nobody in particular.
  public static func error(_ code: Int, of request: JSON? = nil, data: String = "{}") -> Self {
    let id = request?["id"]?.description ?? "null"
    return .line(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"refused","data":\#(data)}}"#)
  }
}
