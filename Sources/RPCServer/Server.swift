import EventLoop
import Glibc
import JSONRPC

/// What reads the lines and answers them.
@DaemonActor
public protocol LineProcessor: AnyObject {
  /// One complete line, at `range` in `bytes`; answers may be given at once or at ``endTurn()``.
  func line(_ bytes: [UInt8], _ range: Range<Int>, from connection: Connection)
  /// A line over the limit was dropped.
  func oversizedLine(from connection: Connection)
  /// Whether ending the turn means a wait for the disk, so that more lines in it are a gain for everyone.
  var turnWillSync: Bool { get }
  /// No more lines come in this turn: time to commit and to answer.
  func endTurn()
  /// What a connection over the limit is told before it is closed: a line.
  func refusalOfConnection() -> [UInt8]
  /// What a peer that speaks HTTP is told before it is closed: a whole HTTP answer.
  func answerToHTTP() -> [UInt8]
  /// A connection is gone; nobody is left to answer on it.
  func closed(_ connection: Connection)
  /// Something about connections worth a line in the log.
  func note(_ event: ConnectionEvent)
}

/// What a server tells about its connections; nothing of it holds what was sent.
public enum ConnectionEvent: Equatable, Sendable {
  /// A peer of another user was turned away.
  case foreignUser(uid: uid_t, pid: pid_t)
  /// One connection too many was turned away.
  case tooMany(limit: Int)
  /// A peer that took nothing for too long was dropped, with so many bytes pending.
  case stalled(connection: Int, pid: pid_t, pendingBytes: Int)
  /// A peer that sent half a line and then nothing was dropped.
  case partialLine(connection: Int, pid: pid_t)
  /// No descriptor is left for a new connection.
  case outOfDescriptors
}

/// The socket's server: it accepts, reads lines in fair turns, and sends answers, without a thread and without waiting on anyone.
///
/// A turn of the loop gives each ready connection one line after the other, round by round, until nobody has a line, the turn
/// has lasted ``ServerLimits/turnMilliseconds``, or each has had ``ServerLimits/linesPerTurn``. A batch counts as many lines, one
/// for each call: what the turn has no time for waits, and so do the lines behind it. Before a commit it looks once more who has
/// sent something meanwhile, so that clients who take turns share one wait for the disk. Then the processor commits and answers,
/// and the next turn goes on where this one stopped: first with those that have had nothing yet, so that however much the others
/// have sent, who asks for little waits for about one turn.
@DaemonActor
public final class Server {
  /// The limits in force.
  public var limits: ServerLimits
  /// How many connections are open.
  public var connectionCount: Int { connections.count }

  weak var processor: (any LineProcessor)?
  var connections: [Int: Connection] = [:]
  private var group: DescriptorGroup?
  private var listener: DescriptorSource?
  private var again: DeferredSource?
  private var housekeeping: TimerSource?
  /// Those that have sent something and have had nothing run since; they come first.
  private var fresh: [Connection] = []
  /// Those that have had a line or a call run and have more, in the order of their next.
  private var served: [Connection] = []
  /// Those that have had all the lines of this turn.
  private var held: [Connection] = []
  private var turnNumber = 0
  private var lastBatch = 0
  /// Whether more than ``ServerLimits/waitingBytes`` wait; found out once a turn, when it matters.
  private var isFull: Bool?
  /// Whether one of those that have more has had its next in this turn.
  private var hasGoneOn = false
  private var touched: [Connection] = []
  private var isInTurn = false
  /// When the turn stops taking lines, in milliseconds of the monotonic clock.
  private var turnEnd = 0
  private var scratch = [UInt8](repeating: 0, count: 65_536)
  private var lastID = 0
  private var resume: TimerSource?
  /// The listening socket that is not listened on for the moment, since no descriptor is left for a connection.
  private var paused: Int32?

  /// A server that hands lines to `processor`, which must outlive it.
  public init(limits: ServerLimits = ServerLimits(), processor: any LineProcessor) throws(LoopError) {
    self.limits = limits
    self.processor = processor
    group = try DescriptorGroup { [weak self] ready in self?.turn(ready) }
    again = try DeferredSource { [weak self] in self?.turn(self?.group?.poll() ?? []) }
    housekeeping = try TimerSource { [weak self] in self?.dropTheIdle() }
    resume = try TimerSource { [weak self] in self?.listenAgain() }
  }

  /// Accepts connections from a listening socket, which stays the caller's.
  public func listen(on descriptor: Int32) throws(LoopError) {
    listener?.cancel()
    listener = nil
    paused = nil
    listener = try DescriptorSource(descriptor, events: .readable) { [weak self] _ in self?.accept(descriptor) }
  }

  /// Takes no more connections; those that are open go on.
  public func stopListening() {
    paused = nil
    listener?.cancel()
    listener = nil
  }

  /// Ends every connection after one last try to send what waits. Batches are run to their end, so that what has been done of
  /// them is answered: a processor that stops refuses the rest.
  public func closeAll() {
    for connection in connections.values {
      while connection.runPiece() {}
    }
    processor?.endTurn()
    for connection in connections.values {
      _ = connection.flush(now: 0)
      drop(connection)
    }
  }

  private func accept(_ listening: Int32) {
    // A burst of clients must not keep those that are connected waiting.
    for _ in 0..<32 {
      guard let descriptor = acceptConnection(listening) else {
        if errno == EMFILE || errno == ENFILE {
          processor?.note(.outOfDescriptors)
          pauseListening(listening)
        }
        return
      }
      admit(descriptor)
    }
  }

  private func admit(_ descriptor: Int32) {
    let peer = PeerCredentials(of: descriptor)
    guard let peer, peer.uid == geteuid() else {
      processor?.note(.foreignUser(uid: peer?.uid ?? uid_t.max, pid: peer?.pid ?? 0))
      close(descriptor)
      return
    }
    guard connections.count < limits.connections, let group else {
      processor?.note(.tooMany(limit: limits.connections))
      let line = (processor?.refusalOfConnection() ?? []) + [UInt8(ascii: "\n")]
      _ = send(descriptor, line, line.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      close(descriptor)
      return
    }
    lastID += 1
    let connection = Connection(id: lastID, descriptor: descriptor, peerPID: peer.pid, limits: limits, server: self)
    do {
      connection.interest = .readable
      try group.add(descriptor, token: lastID, events: connection.interest)
      connections[lastID] = connection
    } catch { close(descriptor) }
  }

  private func pauseListening(_ descriptor: Int32) {
    stopListening()
    paused = descriptor
    resume?.arm(afterMilliseconds: 1_000)
  }

  private func listenAgain() {
    guard let paused else { return }
    do { try listen(on: paused) } catch {
      processor?.note(.outOfDescriptors)
      pauseListening(paused)
    }
  }
}

// MARK: - Turns

extension Server {
  private func turn(_ ready: [DescriptorGroup.Ready]) {
    isInTurn = true
    turnEnd = Self.now() + limits.turnMilliseconds
    turnNumber &+= 1
    hasGoneOn = false
    isFull = nil
    serve(ready)
    var looks = limits.looksBeforeCommit
    while looks > 0, connections.count > 1, !someoneIsQueued, processor?.turnWillSync ?? false, Self.now() < turnEnd {
      guard let more = group?.poll(), !more.isEmpty else { break }
      serve(more)
      looks -= 1
    }
    // New arrivals, however many there are, must not keep those that have more waiting for ever.
    if !hasGoneOn, !served.isEmpty { step(nextServed()) }
    processor?.endTurn()
    served += held
    held.removeAll(keepingCapacity: true)
    settle()
    isInTurn = false
    if someoneIsQueued { again?.enable() }
  }

  private var someoneIsQueued: Bool { !fresh.isEmpty || !served.isEmpty || !held.isEmpty }

  /// Reads from those that are ready, and runs what lines there are.
  private func serve(_ ready: [DescriptorGroup.Ready]) {
    for member in ready {
      guard let connection = connections[member.token] else { continue }
      if member.events.contains(.writable) { touch(connection) }
      let isGone = !member.events.isDisjoint(with: .gone)
      if isGone, connection.unfinished?.isAnswered ?? (connection.inputHasEnded && !connection.isQueued) {
        // The peer has closed both ways. Either everything it sent has been run, or it is a batch that nobody is left to hear of.
        drop(connection)
      } else if isGone || member.events.contains(.readable) {
        read(connection)
      }
    }
    runRounds()
  }

  private func read(_ connection: Connection) {
    guard connection.receive(&scratch) else { return drop(connection) }
    enqueue(connection)
    touch(connection)
  }

  private func enqueue(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    if connection.unfinished == nil { fresh.append(connection) } else { served.append(connection) }
  }

  private func runRounds() {
    while !fresh.isEmpty || !served.isEmpty {
      if fresh.isEmpty {
        hasGoneOn = true
        step(nextServed())
      } else {
        step(fresh.removeFirst())
      }
      if Self.now() >= turnEnd { return }
    }
  }

  /// The one whose turn it is among those that have more. Where much waits to be read already, batches are run one after the other
  /// instead of side by side: the one that has waited longest, and all lines.
  private func nextServed() -> Connection {
    guard served.contains(where: { $0.unfinished != nil }), bytesAreFull() else { return served.removeFirst() }
    let oldest = served.lazy.filter { $0.unfinished != nil }.map(\.batchNumber).min()
    return served.remove(at: served.firstIndex { $0.unfinished == nil || $0.batchNumber == oldest } ?? 0)
  }

  private func bytesAreFull() -> Bool {
    if let isFull { return isFull }
    let waiting = connections.values.reduce(0) { $0 + $1.pendingOutput + ($1.unfinished?.size ?? 0) }
    isFull = waiting > limits.waitingBytes
    return waiting > limits.waitingBytes
  }

  /// Gives a connection its next and puts it where it then belongs.
  private func step(_ connection: Connection) {
    if goOn(connection), connection.hasMore {
      let isOver = connection.unfinished == nil && connection.countLine(inTurn: turnNumber) >= limits.linesPerTurn
      if isOver { held.append(connection) } else { served.append(connection) }
    } else {
      connection.isQueued = false
      // Without a line left it may be at its end, in a turn that no event of its own began.
      touch(connection)
    }
  }

  /// Runs one call of the batch that was taken last, or else the next line; false when the connection has neither.
  private func goOn(_ connection: Connection) -> Bool {
    guard connection.isOpen, connection.pendingOutput <= limits.outputBytes else { return false }
    return connection.runPiece() || takeLine(of: connection)
  }

  private func takeLine(of connection: Connection) -> Bool {
    var item = connection.input.next()
    if item == nil, connection.inputHasEnded { item = connection.input.last() }
    // What is there of the next line is another line's beginning.
    if item != nil { connection.partialSince = nil }
    switch item {
    case .line(let range)?:
      if connection.isHTTP(range) {
        connection.sendRaw(processor?.answerToHTTP() ?? [])
        connection.inputHasEnded = true
        connection.input = LineBuffer(limit: 0)
        return false
      }
      processor?.line(connection.input.bytes, range, from: connection)
      if connection.unfinished != nil {
        lastBatch += 1
        connection.batchNumber = lastBatch
      }
      return true
    case .oversized?:
      processor?.oversizedLine(from: connection)
      return true
    case nil: return false
    }
  }

  /// Sends what the turn produced and settles what each connection waits for next.
  private func settle() {
    while let connection = touched.popLast() {
      connection.isTouched = false
      guard connection.isOpen else { continue }
      let hadOutput = connection.pendingOutput > 0
      guard connection.flush(now: Self.now()) else {
        drop(connection)
        continue
      }
      if hadOutput, connection.pendingOutput == 0 { connection.onDrained?(connection) }
      if connection.isReadyToGoOn(limits) { enqueue(connection) }
      update(connection)
    }
  }

  /// Puts a connection on the list that ``settle()`` works off; outside a turn, arranges for a turn.
  func touch(_ connection: Connection) {
    guard connection.isOpen, !connection.isTouched else { return }
    connection.isTouched = true
    touched.append(connection)
    if !isInTurn { again?.enable() }
  }

  private func update(_ connection: Connection) {
    if connection.inputHasEnded, connection.pendingOutput == 0, connection.unanswered == 0, !connection.isQueued {
      return drop(connection)
    }
    var interest: Readiness = []
    if !connection.inputHasEnded, connection.input.count < limits.inputBytes, connection.pendingOutput <= limits.outputBytes {
      interest.insert(.readable)
    }
    if connection.pendingOutput > 0 { interest.insert(.writable) }
    if interest != connection.interest {
      connection.interest = interest
      try? group?.change(connection.descriptor, token: connection.id, events: interest)
    }
    let isPartial = connection.input.hasPartialLine && !connection.isQueued
    if !isPartial {
      connection.partialSince = nil
    } else if connection.partialSince == nil {
      connection.partialSince = Self.now()
    }
    if connection.partialSince != nil || connection.stalledSince != nil { armHousekeeping() }
  }

  private func drop(_ connection: Connection) {
    guard connection.isOpen else { return }
    group?.remove(connection.descriptor)
    connections[connection.id] = nil
    connection.markClosed()
    processor?.closed(connection)
  }

  // MARK: - Time limits

  private func armHousekeeping() {
    guard let housekeeping, !housekeeping.isArmed else { return }
    housekeeping.arm(afterMilliseconds: 1_000, slack: 500)
  }

  private func dropTheIdle() {
    let now = Self.now()
    var someoneWaits = false
    for connection in connections.values {
      if let since = connection.stalledSince, now - since >= limits.stalledOutputMilliseconds {
        processor?.note(.stalled(connection: connection.id, pid: connection.peerPID, pendingBytes: connection.pendingOutput))
        drop(connection)
      } else if let since = connection.partialSince, now - since >= limits.partialLineMilliseconds {
        processor?.note(.partialLine(connection: connection.id, pid: connection.peerPID))
        drop(connection)
      } else if connection.stalledSince != nil || connection.partialSince != nil {
        someoneWaits = true
      }
    }
    if someoneWaits { armHousekeeping() }
  }

  /// Milliseconds of the monotonic clock.
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
