import RPCServer
import Systemd

/// Events of connections as lines of the log.
enum ConnectionLog {
  private static let log = Log("socket")

  static func write(_ event: ConnectionEvent) {
    switch event {
    case .foreignUser(let uid, let pid): log.warning("turned away process \(pid) of user \(uid)")
    case .tooMany(let limit): log.warning("turned a connection away: \(limit) are open")
    case .stalled(let connection, let pid, let pending):
      log.notice("dropped connection \(connection) of process \(pid), which took nothing: \(pending) bytes pending")
    case .partialLine(let connection, let pid):
      log.notice("dropped connection \(connection) of process \(pid), which never ended its line")
    case .outOfDescriptors: log.warning("no descriptor is left for a new connection; trying again in a second")
    }
  }
}
