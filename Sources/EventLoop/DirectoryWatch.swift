import CSystemdEvent
import Glibc

/// What happens to the entries of a directory (inotify).
@DaemonActor
public final class DirectoryWatch {
  fileprivate let mask: UInt32
  fileprivate let handler: @DaemonActor (String?) -> Void
  private var number: Int32?

  /// Watches the directory at `path` for `mask` (`IN_DELETE`, `IN_MOVED_FROM` …); the handler gets the entry's name, or nil when the
  /// directory itself is meant or events were lost. The watch may be thrown away in its own handler.
  public init(_ path: String, mask: UInt32, handler: @escaping @DaemonActor (String?) -> Void) throws(LoopError) {
    self.mask = mask
    self.handler = handler
    number = try Watches.shared().add(self, path)
  }

  /// Watches for what happens to the entry at `path` of the directory that it lies in, and to that directory itself. The entry need not
  /// be there.
  public convenience init(
    entry path: String, mask: UInt32, handler: @escaping @DaemonActor () -> Void
  ) throws(LoopError) {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    try self.init(directory, mask: mask) { entry in
      if entry == nil || entry == name { handler() }
    }
  }

  isolated deinit { cancel() }

  /// Watches it no more; the handler is not called again.
  public func cancel() {
    guard let number else { return }
    self.number = nil
    try? Watches.shared().remove(self, number)
  }
}

/// The one inotify instance of the process, of which a user has few. It is not sd-event's: libsystemd 252 goes round for ever on an event
/// that only a source which has gone was interested in.
@DaemonActor
private final class Watches {
  private static var made: Watches?
  private let descriptor: Int32
  private var source: DescriptorSource?
  private var watches: [Int32: [Weak]] = [:]

  private struct Weak {
    let id: ObjectIdentifier
    weak var watch: DirectoryWatch?
  }

  static func shared() throws(LoopError) -> Watches {
    if let made { return made }
    let new = try Watches()
    made = new
    return new
  }

  private init() throws(LoopError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw LoopError(call: "inotify_init1", errno: errno) }
    source = try DescriptorSource(descriptor, events: .readable) { [unowned self] _ in read() }
  }

  /// The kernel has one watch for a directory, whose number all of ours share; what it watches for only grows.
  func add(_ watch: DirectoryWatch, _ path: String) throws(LoopError) -> Int32 {
    let number = inotify_add_watch(descriptor, path, watch.mask | UInt32(IN_ONLYDIR | IN_MASK_ADD))
    guard number >= 0 else { throw LoopError(call: "inotify_add_watch", errno: errno) }
    watches[number, default: []].append(Weak(id: ObjectIdentifier(watch), watch: watch))
    return number
  }

  func remove(_ watch: DirectoryWatch, _ number: Int32) {
    let id = ObjectIdentifier(watch)
    watches[number]?.removeAll { $0.id == id }
    guard watches[number]?.isEmpty == true else { return }
    watches[number] = nil
    inotify_rm_watch(descriptor, number)
  }

  private func read() {
    // Room for one event at least, with the longest name there is.
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while case let count = Glibc.read(descriptor, &bytes, bytes.count), count > 0 {
      for event in Self.events(bytes[..<count]) { tell(event) }
    }
  }

  private func tell(_ event: Event) {
    let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
    let isGone = event.mask & UInt32(IN_IGNORED | IN_UNMOUNT) != 0
    let meant = isLost ? watches.values.flatMap { $0 } : watches[event.number] ?? []
    if event.mask & UInt32(IN_IGNORED) != 0 { watches[event.number] = nil }
    for watch in meant.compactMap(\.watch) where isLost || isGone || watch.mask & event.mask != 0 {
      watch.handler(isLost ? nil : event.name)
    }
  }

  private struct Event {
    let number: Int32
    let mask: UInt32
    let name: String?
  }

  /// What the kernel wrote: number, mask, a cookie and the length of the name that follows, filled up with zeros.
  private static func events(_ bytes: ArraySlice<UInt8>) -> [Event] {
    var events: [Event] = []
    var place = 0
    bytes.withUnsafeBytes { buffer in
      while place + 16 <= buffer.count {
        let length = Int(buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
        let name = buffer[min(place + 16, buffer.count)...].prefix(length).prefix { $0 != 0 }
        events.append(
          Event(
            number: buffer.loadUnaligned(fromByteOffset: place, as: Int32.self),
            mask: buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
            name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self)))
        place += 16 + length
      }
    }
    return events
  }
}
