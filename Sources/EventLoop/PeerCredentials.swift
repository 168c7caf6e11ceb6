import CLinux
import Glibc

/// Who is at the other end of a connected Unix socket, as the kernel noted it when the connection was made.
public struct PeerCredentials: Equatable, Sendable {
  /// The user.
  public let uid: uid_t
  /// The process; it may have ended since.
  public let pid: pid_t

  /// Asks the kernel; nil if the descriptor is no connected Unix socket.
  public init?(of descriptor: Int32) {
    var uid = uid_t()
    var pid = pid_t()
    guard kv_peer_uid(descriptor, &uid, &pid) == 0 else { return nil }
    self.uid = uid
    self.pid = pid
  }
}

/// Takes the next connection off a listening socket, non-blocking and closed in children; nil with `errno` when there is none.
public func acceptConnection(_ listening: Int32) -> Int32? {
  let descriptor = kv_accept(listening)
  return descriptor < 0 ? nil : descriptor
}

/// Gives memory that the allocator keeps for later back to the system.
public func releaseFreeMemory() { kv_release_free_memory() }
