import CivilTime
import KindVerbAPI
import Storage

/// The `ai.` methods. Each runs inside the caller's transaction, and none sends anything.
public struct AIHandlers {
  private let store: Store
  private let consents: ConsentStore
  private let service: AIService

  /// Handlers on a store.
  public init(_ store: Store, service: AIService) {
    self.store = store
    self.service = service
    consents = ConsentStore(store)
  }

  /// `ai.consent.get`
  public func consent() throws -> AIConsent {
    let decision = try consents.decision(on: .ai)
    return AIConsent(
      enabled: decision?.isGranted ?? false, decidedAt: decision.map { Instant.text($0.at) }, host: service.host,
      model: service.model)
  }

  /// `ai.consent.set`
  public func setConsent(_ params: Methods.AiConsentSet.Params) throws -> AIConsent {
    try consents.decide(.ai, params.enabled)
    return try consent()
  }

  /// `ai.status`. `hasKey` is whether the service could be asked; `pauseMs` how long it asked to be left alone;
  /// `underway` are the calls that have not come to an end.
  public func status(
    _ now: AIClock, _ zone: Zone, entitlement: Entitlement, underway: Set<Int64>, hasKey: Bool, pauseMs: Int
  ) throws -> AIStatus {
    let allowance = try AICallStore(store).allowance(now, zone, limit: entitlement.aiDraftsPerDay, underway: underway)
    return AIStatus(
      enabled: try consents.isGranted(.ai), configured: hasKey, model: service.model, usedToday: allowance.used,
      limitPerDay: allowance.limit, leftToday: allowance.left, renewsAt: Instant.text(allowance.renewsAt),
      machineLeftToday: max(0, AIAllowance.machinePerDay - allowance.calls),
      machineLeftThisMinute: max(0, AIAllowance.machinePerMinute - allowance.recent),
      retryAfterMs: max(pauseMs, allowance.left > 0 ? allowance.waitForMinute : Int(max(0, allowance.renewsAt - now.wall))))
  }

  /// `ai.preview`: the same request that a draft would send.
  public func preview(_ params: Methods.AiPreview.Params, _ language: Language) throws -> AIPreview {
    let order = DraftOrder(
      journalID: params.journalId, tone: params.tone ?? .neutralWarm, register: params.register,
      language: params.language ?? language)
    let plan = try AIDrafts(store, service: service).plan(order)
    let masked = plan.material.masked
    return AIPreview(
      host: service.host, model: service.model, systemInstruction: plan.request.instruction,
      text: PersonalText(plan.request.notes),
      body: PersonalText(String(decoding: plan.request.body, as: UTF8.self)),
      refusal: plan.speaksOfDanger ? DraftFallback(AIFailure(.aiNotForThis), language) : nil,
      tokens: masked.tokens.map { token in
        AIToken(token: token.text, standsFor: PersonalText(masked.restore(token.text).text), occurrences: token.occurrences)
      })
  }
}
