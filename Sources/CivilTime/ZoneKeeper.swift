import Glibc

/// The zone in force, for who asks often. Whether it is still told as it was is looked at each time; only a file that is the same
/// and has not been touched is not read once more.
public final class ZoneKeeper {
  private let source: ZoneSource
  private var kept: (mark: ZoneMark, zone: Zone, problem: ZoneSource.Problem?)?

  private let seconds: () -> Int
  /// The last zone that was told well.
  private var good: Zone?
  private var badSince: ContinuousClock.Instant?
  private let elapsed: () -> ContinuousClock.Instant

  /// How long a file that is missing or unreadable is not believed, where it was well before: in the middle of being replaced it is
  /// both for a moment.
  public static let patience = Duration.seconds(3)

  /// A keeper of what a source tells; `seconds` is the clock that files are marked by, since 1970, `elapsed` one that nobody sets.
  public init(
    _ source: ZoneSource, seconds: @escaping () -> Int = { time(nil) },
    elapsed: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.source = source
    self.seconds = seconds
    self.elapsed = elapsed
  }

  /// The files whose change may mean another zone.
  public var watchedFiles: [String] { source.watchedFiles }

  /// Whether the last answer may be out of date, because the file was missing or unreadable just then.
  public private(set) var isInDoubt = false

  /// The zone in force. What a file in the middle of being replaced seems to tell is not believed for ``patience``.
  public func read() -> (zone: Zone, problem: ZoneSource.Problem?) {
    let found = told()
    isInDoubt = false
    guard found.problem == .unreadableFile || found.problem == .missingFile else {
      good = found.zone
      badSince = nil
      return found
    }
    let now = elapsed()
    let since = badSince ?? now
    badSince = since
    guard let good, now - since < Self.patience else { return found }
    isInDoubt = true
    return (good, nil)
  }

  /// What ``ZoneSource/read()`` would tell now.
  private func told() -> (zone: Zone, problem: ZoneSource.Problem?) {
    let mark = source.mark()
    if let kept, kept.mark == mark { return (kept.zone, kept.problem) }
    let found = source.read()
    // A file that was touched just now may be touched again within the same tick of the clock that marks it.
    kept = mark.isOld(at: seconds()) && source.mark() == mark ? (mark, found.zone, found.problem) : nil
    return found
  }
}

/// How the zone is told: the variable, and the files that it may stand in.
struct ZoneMark: Equatable {
  /// A file as it lies there: which one it is, and when it was touched.
  struct File: Equatable {
    private let device: UInt
    private let number: UInt
    private let size: Int
    private let modified: (Int, Int)
    private let changed: (Int, Int)

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt(status.st_dev)
      number = UInt(status.st_ino)
      size = Int(status.st_size)
      modified = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      changed = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }

    static func == (left: File, right: File) -> Bool {
      left.device == right.device && left.number == right.number && left.size == right.size && left.modified == right.modified
        && left.changed == right.changed
    }

    /// Whether it was last touched some seconds ago; a clock that was set back cannot tell.
    func isOld(at seconds: Int) -> Bool { changed.0 < seconds - 2 }
  }

  let told: String?
  let named: File?
  let system: File?

  func isOld(at seconds: Int) -> Bool { [named, system].allSatisfy { $0?.isOld(at: seconds) ?? true } }
}
