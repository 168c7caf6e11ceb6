import CSystemd
import Glibc

/// What the service manager is told (sd_notify). Without one every call does nothing.
public enum Service {
  /// The daemon is ready; `status` is the line that `systemctl status` shows.
  public static func ready(status: String) { notify("READY=1\nSTATUS=\(status)") }

  /// A new line for `systemctl status`.
  public static func status(_ status: String) { notify("STATUS=\(status)") }

  /// The daemon begins to stop.
  public static func stopping(status: String) { notify("STOPPING=1\nSTATUS=\(status)") }

  /// Configuration is being read anew; ``ready(status:)`` must follow.
  public static func reloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    notify("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)")
  }

  /// Asks for `seconds` more, counted from now, before the start or stop counts as failed.
  public static func extendTimeout(seconds: Int) { notify("EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)") }

  private static func notify(_ state: String) { _ = sd_notify(0, state) }
}

/// Sockets that the service manager opened for us.
public enum Activation {
  /// Why what was handed over cannot be used.
  public enum Failure: Error, Equatable, Sendable {
    /// More than one descriptor, of which only one can be the socket.
    case tooMany(count: Int)
    /// The descriptor is no listening Unix stream socket.
    case notAListeningSocket(descriptor: Int32)
  }

  /// The listening socket, or nil if none was handed over to this process. The variables are gone afterwards, so that no child
  /// takes them for its own; variables that name another process are passed over.
  public static func socket() throws(Failure) -> Int32? {
    let count = sd_listen_fds(1)
    unsetenv("LISTEN_FDNAMES")
    guard count > 0 else { return nil }
    guard count == 1 else { throw .tooMany(count: Int(count)) }
    let descriptor: Int32 = 3  // SD_LISTEN_FDS_START
    guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
      throw .notAListeningSocket(descriptor: descriptor)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    return descriptor
  }
}

/// Secrets that the service manager hands over as files (`LoadCredential=`).
public enum Credentials {
  /// The credential of that name without one trailing line feed; nil if there is none, or an empty one, which means "not set".
  public static func read(_ name: String) -> [UInt8]? {
    guard let directory = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }), !name.contains("/") else { return nil }
    let descriptor = open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // systemd allows one unit 1 MB of credentials in all.
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    bytes.removeSubrange(count...)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return bytes.isEmpty ? nil : bytes
  }
}
