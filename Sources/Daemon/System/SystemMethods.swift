import EventLoop
import Glibc
import JSON
import KindVerb
import KindVerbAPI
import Outbox
import PulseLog
import RPCServer
import Reminders
import Storage

/// The `system.` and `rpc.` methods.
@DaemonActor
final class SystemMethods {
  private unowned let daemon: DaemonProcess
  private let instance: String
  private let startedAt = ContinuousClock.now

  init(_ daemon: DaemonProcess) {
    self.daemon = daemon
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    instance = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  func register(on router: Router) {
    router.on(Methods.SystemPing.self) { _, _ in Pong(pong: true) }
    router.on(Methods.SystemInfo.self) { [unowned self] _, _ in self.info() }
    router.on(Methods.SystemStats.self) { [unowned self] _, _ in self.stats() }
    router.onWaiting(Methods.SystemBackup.self) { [unowned self] params, context in
      try await self.daemon.backups.make(at: params.path, isDryRun: context.isDryRun)
    }
    router.onRaw(Methods.RpcDiscover.self) {
      let text = OpenRPCDocument.text
      return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
  }

  private func info() -> SystemInfo {
    var progress: Double?
    if case .migrating(let done) = daemon.dispatcher.state { progress = done }
    return SystemInfo(
      version: Version.program, protocolVersion: Version.contract, instance: instance, state: daemon.dispatcher.state.systemState,
      progress: progress, schema: daemon.turn.store?.schemaVersion(), languages: Language.allCases.map(\.rawValue),
      activation: daemon.isActivated ? .activated : .bound, limits: limits(),
      capabilities: ["batch", "cancel", "dryRun", "events", "idempotency", "deadline", "discover"])
  }

  private func limits() -> Limits {
    let server = daemon.server.limits
    let dispatch = daemon.dispatcher.limits
    return Limits(
      connections: server.connections, requestBytes: server.requestBytes, replyBytes: dispatch.replyBytes,
      outputBytes: server.outputBytes, waitingBytes: server.waitingBytes, inputBytes: server.inputBytes,
      batchCalls: dispatch.batchCalls, callsInFlight: dispatch.callsInFlight,
      jsonDepth: JSONParser.standardDepth,
      partialLineMs: server.partialLineMilliseconds, stalledOutputMs: server.stalledOutputMilliseconds,
      subscriptions: EventHub.perConnection, eventHistory: Store.changesKept, eventHistoryDays: Store.changeDaysKept,
      idempotencyHours: Store.idempotencyHours, backupsKept: BackupFiles.kept,
      answerCharacters: ContractLimits.AnswerText.maxLength, letterCharacters: ContractLimits.LetterText.maxLength,
      pageItems: ContractLimits.PageLimit.maximum, undoChanges: HealthStore.undoSteps, undoHours: HealthStore.undoHours,
      reminderHistory: ReminderStore.kept, quietHistory: QuietStore.kept,
      outboxItems: OutboxRule.capacity, outboxFailedDays: OutboxRule.failedDays, keptNames: PeopleStore.capacity,
      aiCallsPerDay: AIAllowance.machinePerDay, aiCallsPerMinute: AIAllowance.machinePerMinute)
  }

  private func stats() -> SystemStats {
    let elapsed = ContinuousClock.now - startedAt
    let counters = daemon.dispatcher.counters
    var status = stat()
    let size = stat(daemon.databasePath, &status) == 0 ? Int(status.st_size) : 0
    return SystemStats(
      uptimeMs: Int(elapsed / .milliseconds(1)), connections: daemon.server.connectionCount,
      subscriptions: daemon.events.count, requests: counters.requests, errors: counters.errors, turns: counters.turns,
      commits: daemon.turn.commits, eventsPublished: daemon.events.published, memory: ProcessMemory.now(of: daemon.turn.store),
      storeBytes: size,
      lastBackupAt: daemon.backups.newest.map(Instant.text))
  }
}

/// Versions.
public enum Version {
  /// The program's.
  public static let program = ContractVersion.program
  /// The contract's: a client of another major version does not fit.
  public static let contract = ContractVersion.contract
}

/// The process's memory, as the kernel counts it.
enum ProcessMemory {
  static func now(of store: Store?) -> Memory {
    var rss = 0
    var anonymous = 0
    for line in read("/proc/self/status").split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.count >= 2, let kibibytes = Int(words[1]) else { continue }
      if words[0] == "VmRSS:" { rss = kibibytes << 10 }
      if words[0] == "RssAnon:" { anonymous = kibibytes << 10 }
    }
    return Memory(rssBytes: rss, anonymousBytes: anonymous, sqliteBytes: store?.memoryUsed ?? 0)
  }

  private static func read(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}
