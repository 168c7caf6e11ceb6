import EventLoop
import KindVerb
import KindVerbAPI
import Storage

/// The methods of drafts by an AI and of the names that it is not told, and those of letters that it may write.
@DaemonActor
struct AIRoutes {
  let turn: TurnEngine
  let drafting: Drafting
  let entitlement: @DaemonActor (Store) throws -> Entitlement

  private func handlers() throws -> AIHandlers { AIHandlers(try turn.begin(), service: drafting.service) }
  private func people() throws -> PeopleHandlers { PeopleHandlers(try turn.begin()) }

  private func letters() throws -> LetterHandlers {
    let store = try turn.begin()
    return LetterHandlers(store, entitlement: try entitlement(store))
  }

  func register(on router: Router) {
    router.on(Methods.AiConsentGet.self) { _, _ in try self.handlers().consent() }
    router.on(Methods.AiConsentSet.self) { params, _ in try self.handlers().setConsent(params) }
    router.on(Methods.AiStatus.self) { _, _ in
      try self.handlers().status(
        self.drafting.now, self.drafting.zone, entitlement: self.entitlement(self.turn.begin()), underway: self.drafting.underway,
        hasKey: self.drafting.hasKey,
        pauseMs: self.drafting.pauseMs)
    }
    router.on(Methods.AiPreview.self) { try self.handlers().preview($0, $1.language) }
    router.on(Methods.PeopleList.self) { _, _ in try self.people().list() }
    router.on(Methods.PeopleAdd.self) { params, _ in try self.people().add(params) }
    router.on(Methods.PeopleRemove.self) { params, _ in try self.people().remove(params) }
    registerLetters(on: router)
  }

  private func registerLetters(on router: Router) {
    router.onEither(Methods.LetterDraft.self, mustWait: { $0.source == .ai || $0.source == .auto }) {
      try self.letters().draft($0, $1.language)
    } waiting: { params, context in
      let order = DraftOrder(
        journalID: params.journalId, tone: params.tone ?? .neutralWarm, register: params.register,
        language: params.language ?? context.language)
      return try await self.drafting.draft(order, isStrict: params.source == .ai)
    }
    router.onEither(Methods.LetterRewrite.self, mustWait: { $0.source == .ai || $0.source == .auto }) {
      try self.letters().rewrite($0, $1.language)
    } waiting: { params, context in
      let order = try self.turn.alone { store in try self.drafting.drafts(store).order(rewriting: params.id, tone: params.tone) }
      return try await self.drafting.draft(order, isStrict: params.source == .ai)
    }
  }
}
