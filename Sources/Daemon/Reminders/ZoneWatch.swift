import CivilTime
import EventLoop
import Glibc
import Systemd

/// The zone in force: read at each use, and told of when it may be another.
@DaemonActor
final class ZoneWatch {
  private let zones: ZoneKeeper
  private let changed: @DaemonActor () -> Void
  private var watches: [DirectoryWatch] = []
  /// Looks again at a zone that could not be told for a moment.
  private let doubt: TimerSource
  private var isUnwatched = false
  private var problem: ZoneSource.Problem?
  private let log = Log("reminder")

  /// The zone of a keeper; `changed` is called when it may be another one.
  init(_ zones: ZoneKeeper, changed: @escaping @DaemonActor () -> Void) throws(LoopError) {
    self.zones = zones
    self.changed = changed
    doubt = try TimerSource { changed() }
  }

  /// The zone in force, read afresh. What is wrong with it goes to the log when that changes.
  func present() -> Zone {
    let (zone, found) = zones.read()
    if zones.isInDoubt { doubt.arm(afterMilliseconds: Int(ZoneKeeper.patience / .milliseconds(1)) + 50) }
    if found != problem {
      problem = found
      switch found {
      case .unknownZone: log.warning("TZ names no zone of the database; the system's is used in its place")
      case .unreadableFile: log.warning("the system's zone cannot be read; UTC is used in its place")
      case .missingFile, nil: log.notice("the zone is told")
      }
    }
    return zone
  }

  /// Watches its files: a new zone is a new link or a new file in the place of the old one, or, after an update of the database, of what
  /// it leads to.
  func begin() {
    let places = Set(zones.watchedFiles.flatMap(Self.hops))
    let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
    watches = places.compactMap { place in
      try? DirectoryWatch(entry: place, mask: mask) { [weak self] in self?.mayHaveChanged() }
    }
    if watches.count < places.count, !isUnwatched {
      isUnwatched = true
      log.warning("the zone's file cannot be watched; another zone is noticed when something else happens")
    }
  }

  /// Watches them no more.
  func end() { watches = [] }

  /// A file and every link on the way to what it leads to.
  private static func hops(_ file: String) -> [String] {
    var hops = [file]
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    while hops.count < 8, let last = hops.last {
      let count = readlink(last, &buffer, buffer.count)
      guard count > 0 else { break }
      let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      hops.append(target.hasPrefix("/") ? target : String(last[...(last.lastIndex(of: "/") ?? last.startIndex)]) + target)
    }
    return hops
  }

  private func mayHaveChanged() {
    log.notice("the zone may have changed")
    changed()
    // It may lead elsewhere now. Not from within the watch's own call.
    Task { @DaemonActor [weak self] in
      if let self, !watches.isEmpty { begin() }
    }
  }
}
