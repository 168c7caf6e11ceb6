import EventLoop
import Glibc

/// The loop of a test process, on a thread of its own, started once for the tests of all rooms. A suite that uses ``DaemonActor``
/// touches this before anything is awaited.
public let loopThread: Bool = {
  var thread = pthread_t()
  EventLoop.main.stop()
  let made = pthread_create(
    &thread, nil,
    { _ in
      EventLoop.main.adoptThread()
      EventLoop.main.run()
      return nil
    }, nil)
  return made == 0
}()
