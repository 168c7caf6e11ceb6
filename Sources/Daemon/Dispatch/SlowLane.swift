import EventLoop

/// Long work in pieces, such as searches, backups and the catching up of subscribers: in each turn of the loop at most one of them
/// all does a piece, in the order in which they asked. However many there are, what a ping waits for them is one piece.
@DaemonActor
final class SlowLane {
  /// How long a piece should last, for work that can be cut anywhere.
  static let piece = Duration.milliseconds(3)

  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isMoving = false

  init() {}

  /// Returns when the caller may do one piece, before it waits for anything again.
  func turn() async {
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      if !isMoving {
        isMoving = true
        move()
      }
    }
    // The piece is the rest of this job. Whoever is next goes ahead from a job of its own, which the loop runs in its next turn, after
    // it has looked at its sockets.
    move()
  }

  private func move() {
    Task { @DaemonActor in
      if waiting.isEmpty {
        isMoving = false
      } else {
        waiting.removeFirst().resume()
      }
    }
  }
}
