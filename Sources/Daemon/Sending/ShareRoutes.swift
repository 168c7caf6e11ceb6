import EventLoop
import KindVerb
import KindVerbAPI
import Outbox
import Storage

/// The methods of links, each put on its handler.
@DaemonActor
struct ShareRoutes {
  let turn: TurnEngine
  let sharing: Sharing
  let entitlement: @DaemonActor (Store) throws -> Entitlement

  private func handlers() throws -> ShareHandlers {
    let store = try turn.begin()
    return ShareHandlers(store, entitlement: try entitlement(store), service: sharing.service)
  }

  func register(on router: Router) {
    router.on(Methods.OutboxStatus.self) { _, context in try OutboxStore(self.turn.begin()).status(context.language) }
    router.on(Methods.ShareConsentGet.self) { _, _ in try self.handlers().consent() }
    router.on(Methods.ShareConsentSet.self) { params, _ in try self.handlers().setConsent(params) }
    router.on(Methods.ShareCreate.self) { try self.handlers().create($0, $1.language) }
    router.on(Methods.ShareList.self) { try self.handlers().list($0, $1.language) }
    router.on(Methods.ShareGet.self) { try self.handlers().get($0, $1.language) }
    router.on(Methods.ShareRetry.self) { params, context in
      let share = try self.handlers().retry(params, context.language)
      // Whether or not this is committed: what does not wait any more is looked at, and no more than that.
      if !context.isDryRun { self.sharing.hurry(share.id) }
      return share
    }
    router.on(Methods.ShareCancel.self) { try self.handlers().cancel($0, $1.language) }
    router.on(Methods.ShareDelete.self) { params, _ in try self.handlers().delete(params) }
  }
}
