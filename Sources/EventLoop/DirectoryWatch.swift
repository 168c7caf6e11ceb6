import CSystemdEvent
import Glibc

/// What happens to the entries of a directory (inotify).
///
/// Each watch has an inotify instance of its own. sd-event's sources share one for the same directory, and libsystemd 252 goes round for
/// ever on an event that only a source which has gone was interested in.
@DaemonActor
public final class DirectoryWatch {
  private let descriptor: Int32
  private var source: DescriptorSource?
  private let handler: @DaemonActor (String?) -> Void

  /// Watches the directory at `path` for `mask` (`IN_DELETE`, `IN_MOVED_FROM` …); the handler gets the entry's name, or nil when the
  /// directory itself is meant or events were lost. The watch may be thrown away in its own handler.
  public init(_ path: String, mask: UInt32, handler: @escaping @DaemonActor (String?) -> Void) throws(LoopError) {
    self.handler = handler
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw LoopError(call: "inotify_init1", errno: errno) }
    guard inotify_add_watch(descriptor, path, mask | UInt32(IN_ONLYDIR)) >= 0 else {
      throw LoopError(call: "inotify_add_watch", errno: errno)
    }
    source = try DescriptorSource(descriptor, events: .readable) { [weak self] _ in self?.read() }
  }

  isolated deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Watches it no more; the handler is not called again.
  public func cancel() {
    source?.cancel()
    source = nil
  }

  private func read() {
    // Room for one event at least, with the longest name there is.
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while source != nil {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return }
      for name in Self.names(bytes[..<count]) where source != nil { handler(name) }
    }
  }

  /// The entries that events are about: behind the fixed part, whose last word is the length of what follows, stands the name, filled up
  /// with zeros.
  private static func names(_ bytes: ArraySlice<UInt8>) -> [String?] {
    var names: [String?] = []
    var place = bytes.startIndex
    let fixed = MemoryLayout<inotify_event>.size
    while place + fixed <= bytes.endIndex {
      let length = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: place - bytes.startIndex + 12, as: UInt32.self)) }
      let name = bytes[(place + fixed)...].prefix(length).prefix { $0 != 0 }
      names.append(name.isEmpty ? nil : String(decoding: name, as: UTF8.self))
      place += fixed + length
    }
    return names
  }
}
