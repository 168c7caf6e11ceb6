import EventLoop

/// Lets calls that wait under one idempotency key through one after the other: the second finds what the first has done.
@DaemonActor
final class KeyGate {
  private var queues: [String: [CheckedContinuation<Void, Never>]] = [:]

  init() {}

  /// Returns when nobody else is inside; ``leave(_:)`` must follow.
  func enter(_ key: String) async {
    guard queues[key] != nil else {
      queues[key] = []
      return
    }
    await withCheckedContinuation { queues[key, default: []].append($0) }
  }

  /// Lets the next one in.
  func leave(_ key: String) {
    guard var queue = queues[key] else { return }
    guard !queue.isEmpty else {
      queues[key] = nil
      return
    }
    let next = queue.removeFirst()
    queues[key] = queue
    next.resume()
  }
}
