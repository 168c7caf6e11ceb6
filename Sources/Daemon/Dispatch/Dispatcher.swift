import EventLoop
import JSON
import JSONRPC
import KindVerbAPI
import RPCServer
import Storage
import Systemd

/// Turns lines into answers: it reads the envelope, finds the route, runs it in the turn's transaction, and answers after the
/// commit. What a client reads as done is on disk.
@DaemonActor
final class Dispatcher {
  let router: Router
  let events: EventHub
  var counters = Counters()
  /// What the daemon is doing; decides which methods can run.
  var state = DaemonState.starting
  /// The language where a call names none.
  var language = Language.en
  let limits: DispatchLimits
  /// Called at the end of a turn in which so much has gone through, since the last time, that memory may have been left behind.
  var onBurst: (@DaemonActor () -> Void)?
  /// Bytes that have gone through since ``onBurst`` was called.
  private var throughput = 0
  private static let burstBytes = 1 << 20
  /// Called with the changes of every commit, after the answers.
  var onCommit: (@DaemonActor ([ChangeRecord]) -> Void)?
  private let log = Log("rpc")
  private var turn: TurnEngine
  private var inFlight = InFlight()
  private let keys = KeyGate()
  private var waitingAnswers: [Answer] = []

  init(router: Router, events: EventHub, turn: TurnEngine, limits: DispatchLimits) {
    self.router = router
    self.events = events
    self.turn = turn
    self.limits = limits
    registerCancel()
  }

  private func registerCancel() {
    router.onConnection(Methods.RpcCancel.self) { [unowned self] params, _, connection in
      Cancellation(cancelled: self.inFlight.cancel(params.id, on: connection))
    }
  }
}

/// Limits of the dispatcher.
struct DispatchLimits: Sendable {
  var batchCalls = 100
  var callsInFlight = 32
  var replyBytes = 8 << 20
}

/// Counters since the start.
struct Counters: Sendable {
  var requests = 0
  var errors = 0
  var turns = 0
}

extension Dispatcher: LineProcessor {
  func line(_ bytes: [UInt8], _ range: Range<Int>, from connection: Connection) {
    throughput += range.count
    do {
      switch try Envelope(parsing: bytes, in: range) {
      case .single(let request):
        let answer = newAnswer(to: connection, isBatch: false)
        run(request, answer, request.id.map { answer.reserve(for: $0) })
      case .invalid(let failure):
        let answer = newAnswer(to: connection, isBatch: false)
        refuse(failure, answer, answer.reserve(for: failure.id))
      case .batch(let items) where items.count <= limits.batchCalls:
        connection.unfinished = BatchRun(items, Answer(to: connection, isBatch: true, limit: limits.replyBytes), self)
      case .batch(let items): refuseBatch(items, connection)
      }
    } catch {
      var failure = APIError(.rpcParseError)
      failure.reason = error.kind.rawValue
      failure.offset = error.offset
      fail(failure, .null, newAnswer(to: connection, isBatch: false))
    }
  }

  func oversizedLine(from connection: Connection) {
    var failure = APIError(.rpcTooLarge)
    failure.limit = connection.requestLimit
    failure.unit = "bytes"
    fail(failure, .null, newAnswer(to: connection, isBatch: false))
  }

  var turnWillSync: Bool { turn.hasWritten }

  func endTurn() {
    guard !waitingAnswers.isEmpty || turn.isOpen else { return }
    counters.turns += 1
    let changes = turn.finish { [unowned self] call, failure in
      guard let slot = call.slot else { return }
      self.counters.errors += 1
      call.answer.replace(slot, self.errorReply(failure, call.id, call.language))
    }
    let answers = waitingAnswers
    waitingAnswers.removeAll(keepingCapacity: true)
    for answer in answers {
      answer.seal()
      throughput += answer.size
    }
    if throughput > Self.burstBytes {
      throughput = 0
      onBurst?()
    }
    guard !changes.isEmpty else { return }
    events.publish(changes)
    onCommit?(changes)
  }

  func refusalOfConnection() -> [UInt8] {
    var failure = APIError(.rpcOverloaded)
    failure.limit = connectionLimit
    failure.unit = "connections"
    failure.retryAfterMs = 1_000
    return errorReply(failure, .null, language)
  }

  func answerToHTTP() -> [UInt8] {
    var failure = APIError(.rpcInvalidRequest)
    failure.expected = "JSON-RPC 2.0, one JSON text a line"
    failure.got = "HTTP"
    let body = errorReply(failure, .null, language) + [UInt8(ascii: "\n")]
    let head =
      "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + body
  }

  func closed(_ connection: Connection) {
    inFlight.cancelAll(on: connection)
    events.unsubscribeAll(connection)
  }

  func note(_ event: ConnectionEvent) { ConnectionLog.write(event) }

  private var connectionLimit: Int { ServerLimits().connections }

  /// No more calls belong to this answer: it may leave when the turn is committed.
  func isRun(_ answer: Answer) { waitingAnswers.append(answer) }

  private func newAnswer(to connection: Connection, isBatch: Bool) -> Answer {
    let answer = Answer(to: connection, isBatch: isBatch, limit: limits.replyBytes)
    waitingAnswers.append(answer)
    return answer
  }
}

// MARK: - Calls

extension Dispatcher {
  private func refuseBatch(_ items: [Result<Request, InvalidRequest>], _ connection: Connection) {
    var failure = APIError(.rpcBatchTooLarge)
    failure.limit = limits.batchCalls
    failure.unit = "calls"
    // The answer carries the first call's id, so that a client finds out whose batch it was.
    let first = items.lazy.compactMap { (try? $0.get())?.id }.first
    fail(failure, first ?? .null, newAnswer(to: connection, isBatch: false))
  }

  func refuse(_ invalid: InvalidRequest, _ answer: Answer, _ slot: Int) {
    var failure = APIError(.rpcInvalidRequest)
    failure.field = invalid.member
    failure.expected = invalid.expected
    failure.got = invalid.got
    fail(failure, invalid.id, answer, slot)
  }

  /// The one error that a line is answered with.
  private func fail(_ failure: APIError, _ id: RequestID, _ answer: Answer) { fail(failure, id, answer, answer.reserve(for: id)) }

  func fail(_ failure: APIError, _ id: RequestID, _ answer: Answer, _ slot: Int) {
    counters.errors += 1
    answer.fill(slot, errorReply(failure, id, language))
  }

  func run(_ request: Request, _ answer: Answer, _ slot: Int?) {
    counters.requests += 1
    let number = counters.requests
    var language = language
    do {
      guard let route = router.route(request.method) else {
        // The language of a call to nowhere is still the one it asks for.
        if let options = try? Parameters.options(of: request.params) { language = options.language ?? language }
        var failure = APIError(.rpcMethodNotFound)
        failure.nearest = MethodCatalogue.nearest(to: request.method)
        throw failure
      }
      let options = try Parameters.options(of: request.params)
      language = options.language ?? language
      let params = try Parameters.named(request.params, by: route.descriptor)
      let call = Call(
        number: number, id: request.id ?? .null, route: route, params: params, options: options, language: language,
        answer: answer, slot: slot)
      try execute(call)
    } catch {
      let failure = apiError(error, number, router.route(request.method)?.descriptor)
      finish(slot, answer, request.id ?? .null, language, .failure(failure))
    }
  }

  private func execute(_ call: Call) throws {
    if call.route.descriptor.needsStore { try checkReady(isWrite: call.route.descriptor.effect == .write) }
    if let deadline = call.options.deadlineMs, call.answer.connection.waitedMilliseconds > deadline {
      throw APIError(.rpcDeadline)
    }
    switch call.route.handler {
    case .waiting(let prepare):
      let work = try prepare(call.params)
      try start(call) { call in (try await work(call.context), []) }
    case .either(let prepare):
      switch try prepare(call.params) {
      case .immediate(let work): finish(call, .success(try turn.write(call, work)))
      case .waiting(let work): try startWriting(call, work)
      }
    case .connection(let body):
      var writer = JSONWriter()
      if call.route.descriptor.effect != .none { try turn.begin() }
      try body(call.params, call.context, call.answer.connection, &writer)
      finish(call, .success(writer.bytes))
    case .immediate(let prepare):
      let work = try prepare(call.params)
      switch call.route.descriptor.effect {
      case .none:
        var writer = JSONWriter()
        try work.run(call.context, &writer)
        finish(call, .success(writer.bytes))
      case .read: finish(call, .success(try turn.read(call, work)))
      case .write: finish(call, .success(try turn.write(call, work)))
      }
    }
  }

  private func checkReady(isWrite: Bool) throws(APIError) {
    switch state {
    case .ready, .storageFull: return
    case .readOnly where isWrite: throw APIError(.storageReadOnly)
    case .readOnly: return
    case .starting, .migrating, .stopping:
      var failure = APIError(.rpcNotReady)
      failure.retryAfterMs = 250
      failure.reason = state.name
      throw failure
    }
  }

  private func finish(_ call: Call, _ result: Result<[UInt8], APIError>) {
    finish(call.slot, call.answer, call.id, call.language, result)
  }

  private func finish(_ slot: Int?, _ answer: Answer, _ id: RequestID, _ language: Language, _ result: Result<[UInt8], APIError>)
  {
    var result = result
    var reply: [UInt8] = []
    if let slot, case .success(let bytes) = result {
      reply = ReplyText.result(id, bytes)
      if reply.count > answer.room(for: slot) { result = .failure(answer.tooLarge) }
    }
    if case .failure(let failure) = result {
      counters.errors += 1
      if failure.key == .rpcTooLarge { answer.isFull = true }
      if slot != nil { reply = errorReply(failure, id, language) }
    }
    if let slot { answer.fill(slot, reply) }
  }

  func errorReply(_ failure: APIError, _ id: RequestID, _ language: Language) -> [UInt8] {
    ReplyText.error(id) { failure.write(to: &$0, language: language) }
  }

  /// The wire's error for whatever a handler threw. What is no error of the contract goes into the log, under the number of the
  /// request, which the client is told: the type of the error and its codes, never its text.
  private func apiError(_ error: any Error, _ number: Int, _ method: MethodDescriptor?) -> APIError {
    var failure = StoreFaults.apiError(error)
    if error is APIError || error is CancellationError { return failure }
    failure.reason = "request-\(number)"
    log.error("request-\(number), \(public: method?.name ?? "no method"), failed: \(public: StoreFaults.detail(error))")
    return failure
  }
}

// MARK: - Calls that wait

extension Dispatcher {
  /// A call that waits before it writes. Its key is asked for first, and again with the writing, since another call under it may have been
  /// faster.
  private func startWriting(_ call: Call, _ work: WaitingWrite) throws {
    let fingerprint = Fingerprint.of(call.route.descriptor.name, work.spelling())
    if call.options.dryRun {
      var failure = APIError(.rpcInvalidParams, field: "_meta.dryRun")
      failure.expected = "false: what is sent cannot be taken back"
      throw failure
    }
    if let reply = try turn.earlierReply(call, fingerprint, in: turn.begin()) { return finish(call, .success(reply)) }
    try start(call) { [weak self] call in
      let key = call.options.idempotencyKey
      if let key { try await self?.keys.enter(key) }
      defer { if let key { self?.keys.leave(key) } }
      try Task.checkCancellation()
      guard let self else { throw CancellationError() }
      if let reply = try turn.alone({ try self.turn.earlierReply(call, fingerprint, in: $0) }) { return (reply, []) }
      let last = try await work.run(call.context)
      // Whoever has been told that it was cancelled, or too late, must not find it done.
      try Task.checkCancellation()
      return try self.turn.writeLast(call, fingerprint, last)
    }
  }

  private func start(
    _ call: Call, _ work: @escaping @DaemonActor (Call) async throws -> (reply: [UInt8], changes: [ChangeRecord])
  ) throws(APIError) {
    let connection = call.answer.connection
    if inFlight.count(on: connection) >= limits.callsInFlight {
      var failure = APIError(.rpcOverloaded)
      failure.limit = limits.callsInFlight
      failure.unit = "calls"
      failure.retryAfterMs = 100
      throw failure
    }
    guard let entry = inFlight.add(call.slot == nil ? nil : call.id, on: connection) else { throw APIError(.rpcDuplicateId) }
    connection.unanswered += 1
    entry.task = Task { @DaemonActor [weak self] in
      let result: Result<[UInt8], APIError>
      var changes: [ChangeRecord] = []
      do {
        // It may be over before it begins: cancelled in the turn in which it came.
        try Task.checkCancellation()
        let done = try await work(call)
        changes = done.changes
        result = .success(done.reply)
      } catch {
        result = .failure(self?.apiError(error, call.number, call.route.descriptor) ?? APIError(.rpcInternal))
      }
      self?.complete(call, entry, result)
      if let self, !changes.isEmpty {
        self.events.publish(changes)
        self.onCommit?(changes)
      }
    }
    entry.onCancel = { [weak self] in self?.complete(call, entry, .failure(APIError(.rpcCancelled))) }
    if let deadline = call.options.deadlineMs {
      entry.timer = try? TimerSource { [weak self] in
        entry.task?.cancel()
        self?.complete(call, entry, .failure(APIError(.rpcDeadline)))
      }
      entry.timer?.arm(afterMilliseconds: deadline - connection.waitedMilliseconds)
    }
  }

  private func complete(_ call: Call, _ entry: InFlight.Entry, _ result: Result<[UInt8], APIError>) {
    guard inFlight.remove(entry, on: call.answer.connection) else { return }
    finish(call, result)
    call.answer.connection.unanswered -= 1
  }
}
