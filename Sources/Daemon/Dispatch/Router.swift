import EventLoop
import JSON
import KindVerbAPI
import RPCServer

/// What a handler is told about its call besides the parameters.
struct CallContext: Sendable {
  /// The language of every text in the answer.
  let language: Language
  /// Whether the call's effect will be undone.
  let isDryRun: Bool
}

/// How a method runs. The catalogue's `effect` says the same for clients; ``Router/register`` checks that both agree.
enum Handler {
  /// In the turn's transaction or without any, done when it returns.
  case immediate((JSONObject, CallContext, inout JSONWriter) throws -> Void)
  /// Waits; never inside a transaction.
  case waiting(@DaemonActor (JSONObject, CallContext) async throws -> [UInt8])
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
      .immediate { params, context, writer in
        try DaemonActor.assumeIsolated {
          let result = try body(Method.Params(decoding: params), context)
          result.write(to: &writer)
        }
      })
  }

  /// A method whose handler waits.
  func onWaiting<Method: ContractMethod>(
    _ method: Method.Type, _ body: @escaping @DaemonActor (Method.Params, CallContext) async throws -> Method.Result
  ) {
    precondition(Method.descriptor.isAsync, "\(Method.descriptor.name) does not wait by its contract")
    add(
      Method.descriptor,
      .waiting { params, context in
        let result = try await body(try Method.Params(decoding: params), context)
        var writer = JSONWriter()
        result.write(to: &writer)
        return writer.bytes
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
