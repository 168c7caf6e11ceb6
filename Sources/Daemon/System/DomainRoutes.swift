import CivilTime
import EventLoop
import KindVerb
import KindVerbAPI
import Storage

/// The domains' methods, each put on its handler. Handlers are made for each call: they are a few references.
@DaemonActor
struct DomainRoutes {
  let turn: TurnEngine
  let lane: SlowLane
  let entitling: Entitling
  /// Where the person's zone is told; it is asked at each call.
  let zones: ZoneKeeper
  /// The language where neither the call nor a setting names one.
  let defaultLanguage: @DaemonActor () -> Language

  private func journals() throws -> JournalHandlers {
    let store = try turn.begin()
    return JournalHandlers(store, entitlement: try entitling.present(store))
  }

  private func letters() throws -> LetterHandlers {
    let store = try turn.begin()
    return LetterHandlers(store, entitlement: try entitling.present(store))
  }

  func register(on router: Router) {
    router.on(Methods.ConflictTypes.self) { _, context in
      JournalShape.conflictTypes(context.language, try self.entitling.present(self.turn.begin()))
    }
    router.on(Methods.EmotionList.self) { _, context in JournalShape.emotions(context.language) }
    registerSettings(on: router)
    registerJournals(on: router)
    registerLetters(on: router)
    HealthRoutes(turn: turn, zones: zones).register(on: router)
    entitling.register(on: router)
  }

  private func registerJournals(on router: Router) {
    router.on(Methods.JournalCreate.self) { try self.journals().create($0, $1.language) }
    router.on(Methods.JournalUpdate.self) { try self.journals().update($0, $1.language) }
    router.on(Methods.JournalComplete.self) { try self.journals().complete($0, $1.language) }
    router.on(Methods.JournalGet.self) { try self.journals().get($0, $1.language) }
    router.on(Methods.JournalList.self) { try self.journals().list($0, $1.language) }
    router.on(Methods.JournalResume.self) { try self.journals().resume($1.language) }
    router.on(Methods.JournalDelete.self) { params, _ in try self.journals().delete(params) }
    router.onWaiting(Methods.JournalSearch.self) { params, context in
      guard let store = self.turn.store else { throw APIError(.rpcNotReady) }
      // It only looks at what is there.
      var search = JournalHandlers(store, entitlement: Entitlement()).search(params)
      while true {
        await self.lane.turn()
        try Task.checkCancellation()
        if let result = try self.piece(of: &search, context.language) { return result }
      }
    }
  }

  /// As many slices of a search as one piece of the lane has time for; the result once there is nothing left to look at.
  private func piece(of search: inout JournalSearch, _ language: Language) throws -> Journals? {
    let end = ContinuousClock.now + SlowLane.piece
    return try turn.alone { _ in
      repeat {
        if let result = try search.step(language) { return result }
      } while ContinuousClock.now < end
      return nil
    }
  }

  private func registerLetters(on router: Router) {
    router.on(Methods.LetterCompose.self) { try self.letters().compose($0, $1.language) }
    router.on(Methods.LetterEdit.self) { try self.letters().edit($0, $1.language) }
    router.on(Methods.LetterFinalize.self) { try self.letters().finalize($0, $1.language) }
    router.on(Methods.LetterGet.self) { try self.letters().get($0, $1.language) }
    router.on(Methods.LetterList.self) { try self.letters().list($0, $1.language) }
    router.on(Methods.LetterDelete.self) { params, _ in try self.letters().delete(params) }
  }

  private func registerSettings(on router: Router) {
    router.on(Methods.SettingsGet.self) { _, _ in try self.settings() }
    router.on(Methods.SettingsSet.self) { params, _ in
      let store = try self.turn.begin()
      switch params.language {
      case .keep: break
      case .clear: try store.setSetting("language", nil)
      case .set(let language): try store.setSetting("language", language.rawValue)
      }
      return try self.settings()
    }
  }

  private func settings() throws -> Settings {
    let chosen = try turn.begin().setting("language").flatMap(Language.init(rawValue:))
    return Settings(language: chosen, effectiveLanguage: chosen ?? defaultLanguage())
  }
}
