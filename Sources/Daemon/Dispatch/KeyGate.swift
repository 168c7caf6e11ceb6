import EventLoop

/// Lets tasks that wait for the same thing through one after the other: the second finds what the first has done.
@DaemonActor
final class KeyGate {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private var queues: [String: [Waiter]] = [:]
  private var lastNumber = 0

  init() {}

  /// Returns when nobody else is inside; ``leave(_:)`` must follow. Throws when the task is cancelled before that, and then it must not.
  func enter(_ key: String) async throws(CancellationError) {
    guard queues[key] != nil else {
      queues[key] = []
      return
    }
    lastNumber += 1
    let number = lastNumber
    let isInside = await withTaskCancellationHandler {
      await withCheckedContinuation { queues[key, default: []].append(Waiter(number: number, continuation: $0)) }
    } onCancel: {
      Task { @DaemonActor in self.giveUp(number, key) }
    }
    if !isInside { throw CancellationError() }
  }

  private func giveUp(_ number: Int, _ key: String) {
    // Whoever was let in meanwhile finds out by himself.
    guard let index = queues[key]?.firstIndex(where: { $0.number == number }) else { return }
    queues[key]?.remove(at: index).continuation.resume(returning: false)
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
    next.continuation.resume(returning: true)
  }
}
