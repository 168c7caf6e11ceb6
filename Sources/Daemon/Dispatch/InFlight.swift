import EventLoop
import JSON
import JSONRPC
import RPCServer

/// The calls that are still running, by connection.
@DaemonActor
final class InFlight {
  /// A running call.
  @DaemonActor
  final class Entry {
    let id: RequestID?
    var task: Task<Void, Never>?
    var timer: TimerSource?
    var onCancel: (@DaemonActor () -> Void)?

    init(id: RequestID?) { self.id = id }
  }

  private var entries: [Int: [Entry]] = [:]

  init() {}

  /// How many calls of a connection are running.
  func count(on connection: Connection) -> Int { entries[connection.id]?.count ?? 0 }

  /// A new entry; nil if a call with the same id is running.
  func add(_ id: RequestID?, on connection: Connection) -> Entry? {
    if let id, entries[connection.id]?.contains(where: { $0.id == id }) == true { return nil }
    let entry = Entry(id: id)
    entries[connection.id, default: []].append(entry)
    return entry
  }

  /// Takes an entry out; false if it was out already, when somebody else has answered the call.
  func remove(_ entry: Entry, on connection: Connection) -> Bool {
    guard var list = entries[connection.id], let index = list.firstIndex(where: { $0 === entry }) else { return false }
    list.remove(at: index)
    entries[connection.id] = list.isEmpty ? nil : list
    entry.timer?.cancel()
    entry.timer = nil
    entry.onCancel = nil
    return true
  }

  /// Cancels the call with this id; false if none is running.
  func cancel(_ id: JSON, on connection: Connection) -> Bool {
    let wanted = RequestID(bytes: Array(id.description.utf8))
    let found = entries[connection.id]?.first { entry in
      guard let own = entry.id else { return false }
      return own == wanted || (try? JSON(parsing: own.bytes)) == id
    }
    guard let found else { return false }
    found.task?.cancel()
    found.onCancel?()
    return true
  }

  /// Cancels whatever a connection that is gone was waiting for.
  func cancelAll(on connection: Connection) {
    for entry in entries.removeValue(forKey: connection.id) ?? [] {
      entry.task?.cancel()
      entry.timer?.cancel()
      entry.timer = nil
      entry.onCancel = nil
    }
  }
}
