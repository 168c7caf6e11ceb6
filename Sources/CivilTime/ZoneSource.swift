import Glibc

/// Where the person's zone is told: the variable `TZ`, else `/etc/localtime`. It is looked at each time; nothing is kept.
public struct ZoneSource: Sendable {
  /// Why the zone that is told cannot be used.
  public enum Problem: Error, Equatable, Sendable {
    /// `TZ` names a zone that is not in the database, and is no rule either.
    case unknownZone
    /// The file of the zone is there and is no zone's file.
    case unreadableFile
    /// The system has no file of its zone. That is UTC, and as such no fault.
    case missingFile
  }

  private let variable: @Sendable () -> String?
  private let localtime: String
  private let database: String

  /// A source: how to read the variable, the file that tells the system's zone, and the directory of all zones.
  public init(
    variable: @escaping @Sendable () -> String? = { getenv("TZ").map { String(cString: $0) } },
    localtime: String = "/etc/localtime", database: String = "/usr/share/zoneinfo"
  ) {
    self.variable = variable
    self.localtime = localtime
    self.database = database
  }

  /// The files whose change may mean another zone: the system's, and the one that the variable names.
  public var watchedFiles: [String] { [localtime] + [variable().flatMap(path)].compactMap { $0 } }

  /// The zone in force. With an unknown name in `TZ` it is the system's, and where the system has none, or a broken one, UTC, as
  /// everywhere on Linux; the problem says so.
  public func read() -> (zone: Zone, problem: Problem?) {
    guard let told = variable() else { return system() }
    if let zone = named(told) { return (zone, nil) }
    return (system().zone, .unknownZone)
  }

  private func system() -> (zone: Zone, problem: Problem?) {
    var status = stat()
    guard lstat(localtime, &status) == 0 else { return (.utc, .missingFile) }
    guard let bytes = Self.bytes(of: localtime), let zone = Zone(file: bytes) else { return (.utc, .unreadableFile) }
    return (zone, nil)
  }

  /// The zone that a value of `TZ` means: `Asia/Seoul`, `:Asia/Seoul`, an absolute path, or a rule such as `KST-9`. Empty is UTC.
  public func named(_ value: String) -> Zone? {
    let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
    if name.isEmpty { return .utc }
    if let path = path(of: value), let bytes = Self.bytes(of: path), let zone = Zone(file: bytes) { return zone }
    return PosixRule(name).map { Zone(starts: [], offsets: [], initialOffset: $0.standard, rule: $0) }
  }

  /// The file that a value of `TZ` would name; nil where it names none.
  private func path(of value: String) -> String? {
    let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
    if name.isEmpty || name.split(separator: "/").contains("..") { return nil }
    return name.hasPrefix("/") ? name : database + "/" + name
  }

  /// How the zone is told at this moment.
  func mark() -> ZoneMark {
    let told = variable()
    return ZoneMark(told: told, named: told.flatMap(path).flatMap { ZoneMark.File($0) }, system: ZoneMark.File(localtime))
  }

  /// A zone's file has a few thousand bytes; more than 256 KiB are none.
  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 256 << 10 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count == bytes.count ? bytes : nil
  }
}
