import CivilTime
import EventLoop
import KindVerb
import Storage

/// What the daemon takes from the world, so that an upgrade, a clock and a zone can be tried out.
public struct World: Sendable {
  /// The schema's steps.
  public var migrations: [Migration]
  /// The clock on the wall.
  public var clock: WallClock
  /// Where the zone is told.
  public var zones: ZoneSource
  /// The certificates, as DER, that vouch for the App Store's signatures.
  public var purchaseRoots: [[UInt8]]
  /// Whether the drafts of a day and a minute are counted; only where many are tried out they are not.
  public var countsDrafts: Bool
  /// Is given what to call when the clock was set; the system's clock tells that by itself.
  public var whenClockIsSet: @DaemonActor (@escaping @DaemonActor () -> Void) -> Void

  /// The world as it is, but for what is given.
  public init(
    migrations: [Migration] = Schema.migrations, clock: WallClock = .system, zones: ZoneSource = ZoneSource(),
    purchaseRoots: [[UInt8]] = PurchaseRoots.apple, countsDrafts: Bool = true,
    whenClockIsSet: @escaping @DaemonActor (@escaping @DaemonActor () -> Void) -> Void = { _ in }
  ) {
    self.migrations = migrations
    self.clock = clock
    self.zones = zones
    self.purchaseRoots = purchaseRoots
    self.countsDrafts = countsDrafts
    self.whenClockIsSet = whenClockIsSet
  }
}
