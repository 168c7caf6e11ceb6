import CivilTime
import EventLoop
import HTTP
import KindVerb
import KindVerbAPI
import Storage
import Systemd

/// Drafts by an AI put together: what may be asked, the service, and what comes of it.
@DaemonActor
final class Drafting {
  /// How long an attempt may take, in milliseconds (product.md 6).
  static let limits = HTTPLimits(connect: 4_000, firstByte: 8_000, idle: 4_000, total: 8_000, responseBytes: 512 << 10)
  /// The shortest and the longest wait after the service failed, in milliseconds; twice as long after each failure in a row (PRD 11.5).
  private static let pauses = 1_000...32_000
  /// The longest that it is left alone because it asked for that, in milliseconds: a service that errs must not silence itself for a day.
  private static let longestPause = 3_600_000

  /// The least time between two words of how far a draft is, in milliseconds.
  private static let progressMilliseconds = 100

  /// The AI, by the configuration.
  var service = AIService() {
    didSet { if service != oldValue { noteSuccess() } }
  }
  /// Where its key is kept.
  var key: KeyFile
  /// Tells those who follow drafts how far one is; whether there is anybody is asked first.
  var progress: (isFollowed: @DaemonActor () -> Bool, tell: @DaemonActor (String, Int) -> Void) = ({ false }, { _, _ in })

  private let network: Network
  private let turn: TurnEngine
  private let write: @DaemonActor ((Store) throws -> Void) throws -> Void
  private let clock: WallClock
  private let zones: ZoneKeeper
  private let entitlement: @DaemonActor (Store) throws -> Entitlement
  private let isCounted: Bool
  private let gate = KeyGate()
  private let boot = BootClock.identity()
  /// Until when the service is not asked, on the boot clock, and why.
  private var pause: (until: Int, failure: AIFailure, secret: Secret)?
  private var failures = 0
  /// The calls that have not come to an end.
  private(set) var underway: Set<Int64> = []
  /// The requests that are on their way, by their calls.
  private var flights: [Int64: Task<Result<HTTPResponse, HTTPFailure>, Never>] = [:]
  private let log = Log("ai")

  /// Drafts over a network; `write` runs something in a transaction of its own and tells of what it changed.
  init(
    network: Network, key: KeyFile, turn: TurnEngine, clock: WallClock, zones: ZoneKeeper,
    entitlement: @escaping @DaemonActor (Store) throws -> Entitlement, isCounted: Bool,
    write: @escaping @DaemonActor ((Store) throws -> Void) throws -> Void
  ) {
    self.network = network
    self.key = key
    self.turn = turn
    self.clock = clock
    self.zones = zones
    self.entitlement = entitlement
    self.isCounted = isCounted
    self.write = write
  }

  /// Something was committed: whoever takes the agreement back ends what is on its way.
  func committed(_ changes: [ChangeRecord]) {
    guard !flights.isEmpty, changes.contains(where: { $0.topic == Topic.ai.rawValue && $0.id == "consent" }) else { return }
    let isGranted = (try? turn.alone { store in try ConsentStore(store).isGranted(.ai) }) ?? false
    if !isGranted { for flight in flights.values { flight.cancel() } }
  }

  /// The present by both clocks.
  var now: AIClock { AIClock(wall: clock.now(), sinceBoot: Int64(BootClock.milliseconds()), boot: boot) }
  var zone: Zone { zones.read().zone }
  var hasKey: Bool { if case .key = key.read() { true } else { false } }
  /// How long the service is left alone, in milliseconds.
  var pauseMs: Int { pause.map { max(0, $0.until - BootClock.milliseconds()) } ?? 0 }

  /// What is done of an order in the end, in the transaction that answers it.
  typealias Ending = @DaemonActor (Store, CallContext) throws -> LetterDraft

  /// Has a draft written. `isStrict`: where the AI may not be asked it is an error, and no template takes its place.
  func draft(_ order: DraftOrder, isStrict: Bool) async throws -> Ending {
    let plan = try await enter(order)
    defer { gate.leave(plan.input) }
    do {
      if try isStored(plan) { return { [self] store, context in try stored(plan, order, store, context) } }
      let secret = try ready()
      if plan.speaksOfDanger {
        // No letter of such answers urges anything on anybody, and an AI cannot be held to that: the template knows how.
        return { [self] store, context in try drafts(store).template(order, because: AIFailure(.aiNotForThis), context.language) }
      }
      if let pause, pauseMs > 0, pause.secret == secret {
        let failure = AIFailure(pause.failure.key, retryAfterMs: pauseMs)
        return { [self] store, context in try drafts(store).template(order, because: failure, context.language) }
      }
      let call = try begin()
      return try await ask(plan, order, call, secret)
    } catch let refusal as APIError where !isStrict && refusal.key.domain == "ai" {
      // Nobody agreed to an AI: then nothing has failed.
      let failure = refusal.key == .aiConsentRequired ? nil : AIFailure(refusal.key, retryAfterMs: refusal.retryAfterMs)
      return { [self] store, context in try drafts(store).template(order, because: failure, context.language) }
    }
  }

  /// What is to be sent for an order, once nobody else asks the same. Whoever waited looks again: the answers, the names that are kept or
  /// the service may be others by then, and what was masked before is not what is to be sent now.
  private func enter(_ order: DraftOrder) async throws -> AIDraftPlan {
    while true {
      let plan = try turn.alone { store in try drafts(store).plan(order) }
      try await gate.enter(plan.input)
      do {
        try Task.checkCancellation()
        let present = try turn.alone { store in try drafts(store).plan(order) }
        if present.input == plan.input { return present }
      } catch {
        gate.leave(plan.input)
        throw error
      }
      gate.leave(plan.input)
    }
  }

  func drafts(_ store: Store) -> AIDrafts { AIDrafts(store, service: service) }

  private func isStored(_ plan: AIDraftPlan) throws -> Bool {
    try turn.alone { store in
      try drafts(store).requireConsent()
      return try drafts(store).earlier(plan, .en) != nil
    }
  }

  private func stored(_ plan: AIDraftPlan, _ order: DraftOrder, _ store: Store, _ context: CallContext) throws -> LetterDraft {
    // It may have been deleted since it was found.
    try drafts(store).earlier(plan, context.language) ?? drafts(store).template(order, because: nil, context.language)
  }

  /// The key, if the service may be asked at all.
  private func ready() throws(APIError) -> Secret {
    switch key.read() {
    case .key(let secret): return secret
    case .absent: throw APIError(.aiKeyMissing)
    case .refused(let why):
      log.error("the key in \(public: key.path) is not used: \(public: why.rawValue)")
      var failure = APIError(.aiKeyRefused)
      failure.reason = why.rawValue
      throw failure
    }
  }

  private func begin() throws -> Call {
    var number: Int64 = 0
    try write { store in
      number = try drafts(store).begin(now, zone, isCounted ? entitlement(store) : nil, underway: underway)
    }
    return Call(number, of: self)
  }

  /// A call from its beginning to its end, however it ends: answered, called off, or lost on the way to the store. It is under way as
  /// long as anybody holds this.
  @DaemonActor
  private final class Call {
    let number: Int64
    private weak var drafting: Drafting?

    init(_ number: Int64, of drafting: Drafting) {
      self.number = number
      self.drafting = drafting
      drafting.underway.insert(number)
    }

    isolated deinit { drafting?.underway.remove(number) }
  }

  // MARK: Asking

  private func ask(_ plan: AIDraftPlan, _ order: DraftOrder, _ call: Call, _ secret: Secret) async throws -> Ending {
    do {
      let answer = try await answer(plan, call.number, secret)
      try Task.checkCancellation()
      try AIDrafts.check(answer, of: plan)
      noteSuccess()
      // From here to the end nothing comes in between.
      try turn.alone { store in try drafts(store).requireConsent() }
      return { [self] store, context in try drafts(store).keep(answer, of: plan, call: call.number, context.language) }
    } catch let failure as AIFailure {
      note(failure, secret)
      return { [self] store, context in
        try drafts(store).failed(call.number)
        return try drafts(store).template(order, because: failure, context.language)
      }
    }
  }

  private func answer(_ plan: AIDraftPlan, _ call: Int64, _ secret: Secret) async throws -> GeminiAnswer {
    let isFollowed = progress.isFollowed()
    let request = HTTPRequest(
      .post, isFollowed ? plan.request.streamURL : plan.request.url, headers: [("Content-Type", "application/json")],
      secretHeaders: [("x-goog-api-key", secret)], body: plan.request.body, limits: Self.limits)
    let stream = Box(GeminiStream())
    let response = try await send(request, call) { [progress] bytes in
      guard isFollowed else { return }
      stream.value.take(bytes)
      // Told some times a second, however it comes.
      let now = BootClock.milliseconds()
      guard now >= stream.toldAt + Self.progressMilliseconds, stream.value.answer.hasText else { return }
      stream.toldAt = now
      progress.tell(plan.journalID, stream.value.answer.characters)
    }
    guard response.status == 200 else {
      throw AIFailure(
        status: response.status, body: response.body,
        retryAfterMs: response.retryAfter(now: clock.now(), cap: AIFailure.longestWish))
    }
    guard isFollowed else { return GeminiAnswer(body: response.body) }
    stream.value.end()
    return stream.value.answer
  }

  /// What is collected while an answer comes.
  @DaemonActor
  private final class Box {
    var value: GeminiStream
    /// When it was last told how far it is, on the boot clock; never yet.
    var toldAt = Int.min / 2
    init(_ value: GeminiStream) { self.value = value }
  }

  /// Sends a request, as something that ends when the agreement to it is taken back.
  private func send(
    _ request: HTTPRequest, _ call: Int64, onBody: @escaping @DaemonActor ([UInt8]) -> Void
  ) async throws -> HTTPResponse {
    let flight = Task { @DaemonActor [network] () -> Result<HTTPResponse, HTTPFailure> in
      do throws(HTTPFailure) { return .success(try await network.send(request, onBody: onBody)) } catch { return .failure(error) }
    }
    flights[call] = flight
    defer { flights[call] = nil }
    let result = await withTaskCancellationHandler {
      await flight.value
    } onCancel: {
      flight.cancel()
    }
    switch result {
    case .success(let response): return response
    case .failure(let failure):
      guard failure.reason == .cancelled, !Task.isCancelled else { throw try Self.failure(of: failure) }
      // Not the caller's doing: the agreement is gone, or the configuration is another.
      try turn.alone { store in try drafts(store).requireConsent() }
      throw AIFailure(.networkUnavailable)
    }
  }

  /// What a failure below HTTP means; cancellation is none.
  private static func failure(of failure: HTTPFailure) throws(CancellationError) -> AIFailure {
    switch failure.reason {
    case .cancelled: throw CancellationError()
    case .connectTimeout, .firstByteTimeout, .idleTimeout, .totalTimeout: AIFailure(.aiTimeout)
    case .tls: AIFailure(.networkInsecure)
    case .tooLarge: AIFailure(.aiInvalidResponse)
    case .notAllowed: AIFailure(.aiServiceUnavailable)
    case .unavailable: AIFailure(.networkNotInstalled)
    case .nameNotFound, .unreachable, .broken, .proxy: AIFailure(.networkUnavailable)
    }
  }

  // MARK: Leaving it alone

  private func noteSuccess() {
    pause = nil
    failures = 0
  }

  /// Who said "later" is asked later, by whomever; who does not answer is asked less and less often.
  private func note(_ failure: AIFailure, _ secret: Secret) {
    log.notice("no draft by the AI: \(public: failure.key.rawValue)")
    switch failure.key {
    case .aiRateLimited, .aiServiceUnavailable, .aiTimeout:
      let own = min(Self.pauses.lowerBound << min(failures, 5), Self.pauses.upperBound)
      failures += 1
      pause = (BootClock.milliseconds() + max(own, min(failure.retryAfterMs ?? 0, Self.longestPause)), failure, secret)
    default: break
    }
  }
}
