import EventLoop
import JSON
import KindVerbAPI
import RPCServer
import Storage

/// What a handler is told about its call besides the parameters.
struct CallContext: Sendable {
  /// The language of every text in the answer.
  let language: Language
  /// Whether the call's effect will be undone.
  let isDryRun: Bool
}

/// What is left to do of a call whose parameters have been read and found right.
struct Work {
  /// The parameters as the contract spells them: whatever means the same call is the same text.
  let spelling: @DaemonActor () -> [UInt8]
  /// Does it, and writes the result.
  let run: @DaemonActor (CallContext, inout JSONWriter) throws -> Void
}

/// The same for a call that waits; never run inside a transaction.
typealias WaitingWork = @DaemonActor (CallContext) async throws -> [UInt8]

/// The last step of a call that waited and then writes: run in a transaction of its own, whose changes are there with the answer or
/// not at all.
typealias LastStep = @DaemonActor (Store, CallContext, inout JSONWriter) throws -> Void

/// What is left to do of a call that waits before it writes.
struct WaitingWrite {
  /// The parameters as the contract spells them.
  let spelling: @DaemonActor () -> [UInt8]
  /// Waits, and answers what is to be written.
  let run: @DaemonActor (CallContext) async throws -> LastStep
}

/// What a call comes to that may or may not have to wait.
enum EitherWork {
  case immediate(Work)
  case waiting(WaitingWrite)
}

/// How a method runs: parameters first, so that what is wrong with them costs nothing more. The catalogue says of each method
/// whether it waits; ``Router`` takes no handler that does not agree with it.
enum Handler {
  /// In the turn's transaction or without any, done when it returns.
  case immediate(@DaemonActor (JSONObject) throws -> Work)
  /// Waits; never inside a transaction.
  case waiting(@DaemonActor (JSONObject) throws -> WaitingWork)
  /// In the turn's transaction, or waiting before it writes: the parameters decide.
  case either(@DaemonActor (JSONObject) throws -> EitherWork)
  /// The dispatcher's own methods, which need the connection.
  case connection(@DaemonActor (JSONObject, CallContext, Connection, inout JSONWriter) throws -> Void)
}

/// A method with its handler.
struct Route {
  let descriptor: MethodDescriptor
  let handler: Handler
}

/// The methods that the daemon answers: one route for each entry of the contract.
@DaemonActor
final class Router {
  private var routes: [String: Route] = [:]

  /// A method whose handler returns at once.
  func on<Method: ContractMethod>(
    _ method: Method.Type, _ body: @escaping @DaemonActor (Method.Params, CallContext) throws -> Method.Result
  ) {
    precondition(!Method.descriptor.isAsync, "\(Method.descriptor.name) waits by its contract")
    add(
      Method.descriptor,
      .immediate { given in
        let params = try Method.Params(decoding: given)
        return Work(
          spelling: {
            var writer = JSONWriter()
            params.write(to: &writer)
            return writer.bytes
          },
          run: { context, writer in try body(params, context).write(to: &writer) })
      })
  }

  /// A method whose handler waits.
  func onWaiting<Method: ContractMethod>(
    _ method: Method.Type, _ body: @escaping @DaemonActor (Method.Params, CallContext) async throws -> Method.Result
  ) {
    precondition(Method.descriptor.isAsync, "\(Method.descriptor.name) does not wait by its contract")
    add(
      Method.descriptor,
      .waiting { given in
        let params = try Method.Params(decoding: given)
        return { context in
          var writer = JSONWriter()
          try await body(params, context).write(to: &writer)
          return writer.bytes
        }
      })
  }

  /// A method that writes, some of whose calls must wait first: those of which `mustWait` says so.
  func onEither<Method: ContractMethod>(
    _ method: Method.Type, mustWait: @escaping @DaemonActor (Method.Params) -> Bool,
    immediate: @escaping @DaemonActor (Method.Params, CallContext) throws -> Method.Result,
    waiting:
      @escaping @DaemonActor (Method.Params, CallContext) async throws ->
      @DaemonActor (Store, CallContext) throws -> Method.Result
  ) {
    precondition(
      Method.descriptor.isAsync && Method.descriptor.effect == .write,
      "\(Method.descriptor.name) waits and writes by its contract")
    add(
      Method.descriptor,
      .either { given in
        let params = try Method.Params(decoding: given)
        let spelling: @DaemonActor () -> [UInt8] = {
          var writer = JSONWriter()
          params.write(to: &writer)
          return writer.bytes
        }
        guard mustWait(params) else {
          return .immediate(Work(spelling: spelling) { context, writer in try immediate(params, context).write(to: &writer) })
        }
        return .waiting(
          WaitingWrite(spelling: spelling) { context in
            let last = try await waiting(params, context)
            return { store, context, writer in try last(store, context).write(to: &writer) }
          })
      })
  }

  /// A method that is about the connection it comes on.
  func onConnection<Method: ContractMethod>(
    _ method: Method.Type, _ body: @escaping @DaemonActor (Method.Params, CallContext, Connection) throws -> Method.Result
  ) {
    add(
      Method.descriptor,
      .connection { params, context, connection, writer in
        try body(Method.Params(decoding: params), context, connection).write(to: &writer)
      })
  }

  /// A method whose result is JSON text already.
  func onRaw<Method: ContractMethod>(_ method: Method.Type, _ body: @escaping @DaemonActor () -> UnsafeBufferPointer<UInt8>) {
    add(
      Method.descriptor,
      .connection { params, _, _, writer in
        _ = try Method.Params(decoding: params)
        writer.raw(body())
      })
  }

  private func add(_ descriptor: MethodDescriptor, _ handler: Handler) {
    precondition(routes[descriptor.name] == nil, "\(descriptor.name) has two handlers")
    routes[descriptor.name] = Route(descriptor: descriptor, handler: handler)
  }

  /// The route of a method, or nil if the contract does not know it.
  func route(_ name: String) -> Route? { routes[name] }

  /// Methods of the contract that nobody answers; empty in a daemon that is wired up.
  var missing: [String] { MethodCatalogue.all.map(\.name).filter { routes[$0] == nil } }
}
