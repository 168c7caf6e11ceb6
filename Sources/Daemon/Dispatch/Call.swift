import EventLoop
import JSON
import JSONRPC
import KindVerbAPI

/// One call on its way: what was asked, how, and where its reply goes.
struct Call {
  /// Its number since the start, which the log names.
  let number: Int
  let id: RequestID
  let route: Route
  let params: JSONObject
  let options: CallOptions
  let language: Language
  let answer: Answer
  /// The reply's place in the answer; nil for a notification.
  let slot: Int?

  var context: CallContext {
    CallContext(language: language, isDryRun: options.dryRun)
  }

  /// How long its result may be; a notification has none.
  @DaemonActor var room: Int { slot.map { answer.room(for: $0) - ReplyText.frame - id.bytes.count } ?? .max }
}

/// What the daemon is doing.
enum DaemonState: Equatable, Sendable {
  case starting
  /// The store is being upgraded; how far, 0…1.
  case migrating(Double)
  case ready
  case storageFull
  case readOnly
  case stopping

  /// The name on the wire.
  var name: String { systemState.rawValue }

  var systemState: SystemState {
    switch self {
    case .starting: .starting
    case .migrating: .migrating
    case .ready: .ready
    case .storageFull: .storageFull
    case .readOnly: .readOnly
    case .stopping: .stopping
    }
  }
}

/// The parameters of a request as handlers take them.
enum Parameters {
  /// The options in `_meta`; none if there is no such member.
  static func options(of params: JSON?) throws(APIError) -> CallOptions {
    guard case .object(let object)? = params, let meta = object[CallOptions.member] else { return CallOptions() }
    return try CallOptions(decoding: meta)
  }

  /// The parameters by name, without `_meta`; positional ones get their names in the contract's order.
  static func named(_ params: JSON?, by descriptor: MethodDescriptor) throws(APIError) -> JSONObject {
    switch params {
    case .object(var object)?:
      object[CallOptions.member] = nil
      return object
    case .array(let values)?:
      guard values.count <= descriptor.parameters.count else {
        var failure = APIError(.rpcInvalidParams)
        failure.limit = descriptor.parameters.count
        failure.unit = "parameters"
        throw failure
      }
      return JSONObject(zip(descriptor.parameters, values).map { ($0.name, $1) })
    default: return JSONObject()
    }
  }
}

extension MethodDescriptor {
  /// Whether the method cannot run without the store. A method that waits opens its transactions itself; all there are need it.
  var needsStore: Bool { effect != .none || isAsync }
}
