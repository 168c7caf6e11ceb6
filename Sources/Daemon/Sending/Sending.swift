import CivilTime
import EventLoop
import KindVerb
import KindVerbAPI
import Reminders
import Storage

/// The two ways out of the machine put together: drafts by an AI, and letters as links.
@DaemonActor
final class Sending {
  let sharing: Sharing
  let drafting: Drafting
  private let network = Network()
  private let turn: TurnEngine
  private let entitlement: @DaemonActor (Store) throws -> Entitlement
  private let keys: String

  /// Nothing is begun. Keys lie in `keyDirectory` where the configuration names no file. `write` runs something in a transaction of its
  /// own and tells of what it changed.
  init(
    turn: TurnEngine, clock: WallClock, zones: ZoneKeeper, keyDirectory: String,
    countsDrafts: Bool, entitlement: @escaping @DaemonActor (Store) throws -> Entitlement,
    write: @escaping @DaemonActor ((Store) throws -> Void) throws -> Void
  ) {
    self.turn = turn
    self.entitlement = entitlement
    keys = keyDirectory
    sharing = Sharing(network: network, key: KeyFile(credential: "firestore-key", path: ""), now: clock.now, write: write)
    drafting = Drafting(
      network: network, key: KeyFile(credential: "gemini-key", path: ""), turn: turn, clock: clock, zones: zones,
      entitlement: entitlement, isCounted: countsDrafts, write: write)
    apply(SendingConfiguration())
  }

  func register(on router: Router) {
    ShareRoutes(turn: turn, sharing: sharing, entitlement: entitlement).register(on: router)
    AIRoutes(turn: turn, drafting: drafting, entitlement: entitlement).register(on: router)
  }

  /// Goes by another configuration, from the next request on.
  func apply(_ configuration: SendingConfiguration) {
    network.settings = Network.Settings(
      caFile: configuration.caFile, addresses: [configuration.ai.address, configuration.share.address])
    drafting.service = configuration.ai
    drafting.key = KeyFile(credential: "gemini-key", path: configuration.aiKeyFile ?? "\(keys)/gemini-key")
    sharing.service = configuration.share
    sharing.key = KeyFile(credential: "firestore-key", path: configuration.shareKeyFile ?? "\(keys)/firestore-key")
    sharing.look()
  }

  /// Begins, once the store is open.
  func start() throws(LoopError) {
    try sharing.start()
  }

  /// Ends: what is on its way is cut off.
  func stop() {
    sharing.stop()
    network.close()
  }

  /// Something was committed.
  func committed(_ changes: [ChangeRecord]) {
    sharing.committed(changes)
    drafting.committed(changes)
  }

  /// Forgets what failed or expired long ago, in time. As long as something waits the clock on the wall is watched with it: that it was set
  /// is also how a machine tells that it woke up.
  var tidying: any Scheduled { ShareTidying(sharing) }
}

/// Links whose time is over.
@DaemonActor
private final class ShareTidying: Scheduled {
  private let sharing: Sharing

  init(_ sharing: Sharing) { self.sharing = sharing }

  func look(at now: Int64, in zone: Zone) throws -> Int64? {
    // What cannot be stored now is forgotten later; no reminder waits for it.
    do { return try sharing.tidy(now) } catch { return now + 60_000 }
  }
}
