import CCurl
import EventLoop
import Glibc

/// libcurl's multi handle on the loop: the descriptors and the time that it wants to hear of are the loop's sources. It never waits itself.
@DaemonActor
final class Multi {
  private let handle: UnsafeMutableRawPointer
  private var sources: [Int32: DescriptorSource] = [:]
  /// Descriptors of connections that ended transfers have left. libcurl may have closed some of them since.
  private var kept: Set<Int32> = []
  private var timer: TimerSource?
  private let onDone: @DaemonActor (_ handle: UnsafeMutableRawPointer, _ code: CURLcode) -> Void
  private let onBroken: @DaemonActor () -> Void

  /// Nil where there is no library or no memory. `onDone` gets each transfer that has ended, still added; `onBroken` is called when nothing
  /// can be expected from this any more.
  init?(
    onDone: @escaping @DaemonActor (UnsafeMutableRawPointer, CURLcode) -> Void, onBroken: @escaping @DaemonActor () -> Void
  ) {
    guard kv_curl_load() == 0, let handle = kv_curlm_new() else { return nil }
    self.handle = handle
    self.onDone = onDone
    self.onBroken = onBroken
    timer = try? TimerSource { [weak self] in self?.act(CURL_SOCKET_TIMEOUT, 0) }
    // Four kept connections are more than there are hosts; a burst does not leave its own behind.
    guard timer != nil, kv_curlm_set_long(handle, CURLMOPT_MAXCONNECTS, 4) == CURLM_OK,
      kv_curlm_set_callbacks(
        handle,
        { _, socket, wanted, context, _ in
          DaemonActor.assumeIsolated { Multi.at(context).map { $0.watch(socket, wanted) ? 0 : -1 } ?? 0 }
        },
        { _, milliseconds, context in
          DaemonActor.assumeIsolated { Multi.at(context)?.wake(milliseconds) }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()) == CURLM_OK
    else { return nil }
  }

  isolated deinit {
    timer?.cancel()
    // Before their descriptors are closed.
    for source in sources.values { source.cancel() }
    _ = kv_curlm_set_callbacks(handle, nil, nil, nil)
    kv_curlm_free(handle)
  }

  /// Begins a transfer; whether it could. Nothing happens before the loop's next turn.
  func add(_ transfer: UnsafeMutableRawPointer) -> Bool { kv_curlm_add(handle, transfer) == CURLM_OK }

  /// Takes a transfer away, in whatever state it is; its connection is closed unless it is done. Not from within a callback of libcurl's.
  func remove(_ transfer: UnsafeMutableRawPointer) {
    let socket = kv_curl_get_socket(transfer)
    if socket >= 0 { kept.insert(socket) }
    _ = kv_curlm_remove(handle, transfer)
  }

  /// Whether a kept connection has something to say, which nobody asked for: most likely that it was closed. libcurl does not notice while
  /// TLS's own farewell waits to be read, and would send a request into it that nobody takes.
  var hasEndedConnection: Bool {
    kept.contains { socket in
      guard sources[socket] == nil else { return false }
      var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      // One that libcurl has closed and something else has opened again may be ready too: a new connection is made for nothing.
      return poll(&watched, 1, 0) > 0 && watched.revents & Int16(POLLNVAL) == 0
    }
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> Multi? {
    context.map { Unmanaged<Multi>.fromOpaque($0).takeUnretainedValue() }
  }

  private func act(_ socket: Int32, _ events: Int32) {
    let code = kv_curlm_act(handle, socket, events)
    var result = CURLE_OK
    while let done = kv_curlm_next_done(handle, &result) { onDone(done, result) }
    if code != CURLM_OK { onBroken() }
  }

  /// What libcurl wants to hear of a descriptor from now on.
  private func watch(_ socket: Int32, _ wanted: Int32) -> Bool {
    sources.removeValue(forKey: socket)?.cancel()
    var events: Readiness = []
    if wanted & CURL_POLL_IN != 0 { events.insert(.readable) }
    if wanted & CURL_POLL_OUT != 0 { events.insert(.writable) }
    if wanted == CURL_POLL_REMOVE || events.isEmpty { return true }
    sources[socket] = try? DescriptorSource(socket, events: events) { [weak self] ready in
      var selected: Int32 = 0
      if ready.contains(.readable) { selected |= CURL_CSELECT_IN }
      if ready.contains(.writable) { selected |= CURL_CSELECT_OUT }
      if !ready.isDisjoint(with: .gone) { selected |= CURL_CSELECT_ERR }
      self?.act(socket, selected)
    }
    return sources[socket] != nil
  }

  private func wake(_ milliseconds: Int) {
    if milliseconds < 0 { timer?.disarm() } else { timer?.arm(afterMilliseconds: milliseconds) }
  }
}
