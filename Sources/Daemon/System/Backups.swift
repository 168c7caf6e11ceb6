import EventLoop
import Glibc
import KindVerb
import KindVerbAPI
import SQLite
import Storage
import Systemd

/// Backups: those that are asked for, and one a day on its own while something changes.
@DaemonActor
final class Backups {
  private let turn: TurnEngine
  private let lane: SlowLane
  private let directory: String
  private let log = Log("backup")
  private var timer: TimerSource?
  /// Called when a copy turned out to be damaged.
  var onDamage: (@DaemonActor () -> Void)?
  /// Whether a backup is made each day; from the configuration.
  var isAutomatic = true
  /// When the newest automatic backup was made, in milliseconds since 1970.
  private(set) var newest: Int64?
  /// Whether an automatic backup is due some time.
  var isDue: Bool { timer?.isArmed ?? false }
  /// Pages of 4 KiB between two turns of the loop.
  private static let pagesPerStep = 256

  init(turn: TurnEngine, lane: SlowLane, directory: String) throws(LoopError) {
    self.turn = turn
    self.lane = lane
    self.directory = directory
    newest = BackupFiles.newest(directory, now: StoreEnvironment.live.now())
    timer = try TimerSource { [weak self] in self?.makeAutomatic() }
  }

  /// Something was committed: a backup becomes due a day after the last. Without changes no timer runs.
  func noteChange() {
    guard isAutomatic, let timer, !timer.isArmed, let store = turn.store else { return }
    // Not at once: what has just begun to change goes on changing for a while.
    let wait = max(60_000, BackupFiles.wait(now: store.now(), newest: newest))
    timer.arm(afterMilliseconds: Int(wait), slack: 60_000)
  }

  /// The store has been opened: what changed since the last backup, before this start, makes one due as well.
  func noteStart() {
    guard let store = turn.store, let changed = try? store.newestChangeTime() else { return }
    // A last backup in the future, after the clock was set back, says nothing about what it holds.
    if let newest, newest >= changed, newest <= store.now() { return }
    noteChange()
  }

  private func makeAutomatic() {
    Task { @DaemonActor [weak self] in
      guard let self, self.isAutomatic, let store = self.turn.store else { return }
      do {
        _ = try await self.copy(
          to: BackupFiles.name(self.directory, .daily, at: store.now()), makesDirectory: true)
        self.settle(now: store.now())
      } catch { self.log.error("the daily backup failed: \(public: StoreFaults.detail(error)); the next change tries again") }
    }
  }

  private func settle(now: Int64) {
    BackupFiles.prune(directory, now: now)
    newest = BackupFiles.newest(directory, now: now)
  }

  /// `system.backup`
  func make(at path: String?, isDryRun: Bool) async throws -> BackupFile {
    guard let store = turn.store else { throw APIError(.rpcNotReady) }
    if let path, !path.hasPrefix("/") || path.hasSuffix("/") {
      var failure = APIError(.rpcInvalidParams, field: "path")
      failure.expected = "an absolute path of a file"
      throw failure
    }
    let target = path ?? BackupFiles.name(directory, .asked, at: store.now())
    if access(target, F_OK) == 0 { throw APIError(.systemBackupExists, field: "path") }
    // A mistyped path makes no directory, and a trial says so as well.
    if let path, !Self.isWritable(directoryOf: path) {
      var failure = APIError(.systemBackupFailed, field: "path")
      failure.expected = "a file in a directory that is there and may be written to"
      throw failure
    }
    if isDryRun { return BackupFile(path: target, bytes: 0, at: Instant.text(store.now())) }
    do {
      let bytes = try await copy(to: target, makesDirectory: path == nil)
      if path == nil { settle(now: store.now()) }
      return BackupFile(path: target, bytes: bytes, at: Instant.text(store.now()))
    } catch let error as SQLiteError {
      if error.extendedCode == BackupJob.existsCode { throw APIError(.systemBackupExists, field: "path") }
      log.error("a backup failed: \(public: StoreFaults.detail(error))")
      throw APIError(error.kind == .full ? .storageFull : error.kind == .damaged ? .storageDamaged : .systemBackupFailed)
    }
  }

  /// Makes a copy, or throws and leaves nothing behind. After the last look at whether it is still wanted nothing waits, so that a
  /// call that was cancelled or came too late never leaves a file.
  private func copy(to path: String, makesDirectory: Bool) async throws -> Int {
    await lane.turn()
    try Task.checkCancellation()
    guard let store = turn.store else { throw APIError(.rpcNotReady) }
    let job = try BackupJob(store.connection, to: path, makesDirectory: makesDirectory)
    while try !job.step(pages: Self.pagesPerStep) {
      await lane.turn()
      try Task.checkCancellation()
    }
    do { try await StoreCheck.run(onCopy: job.endCopying()) } catch {
      // The copy holds what the file holds, so the file is to be looked at; or the disk does not give back what it was given.
      if error.kind == .damaged { onDamage?() }
      throw error
    }
    try Task.checkCancellation()
    return try job.finish()
  }

  private static func isWritable(directoryOf path: String) -> Bool {
    let directory = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
    var status = stat()
    return stat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && access(directory, W_OK | X_OK) == 0
  }
}
