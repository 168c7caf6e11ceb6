import Glibc
import JSON
import JSONRPC
import KindVerbAPI

/// One run of the program: its options, the connection, and where text goes.
final class Session {
  let options: Options
  let terminal: Terminal
  var language: Language { options.language }
  private var connected: Client?
  /// Whether a call is made again when the daemon has closed the connection: for dialogues, which last.
  var keepsTrying = false
  /// The version of the contract that the daemon speaks.
  private var spoken = ClientVersion.contract

  init(_ options: Options, terminal: Terminal = .standard) {
    self.options = options
    self.terminal = terminal
  }

  /// A key that no one else has.
  static func randomKey() -> String {
    "kindverb-\(String(UInt64.random(in: 0 ... .max), radix: 16))\(String(UInt64.random(in: 0 ... .max), radix: 16))"
  }

  /// A text in the person's language.
  func text(_ key: MessageKey, _ arguments: String...) -> String { key.text(in: language, filling: arguments) }

  /// The connection, made at the first call. A daemon whose contract does not fit is refused before anything is changed.
  func client() throws(Failure) -> Client {
    if let connected { return connected }
    let client: Client
    let answer: Reply
    do {
      client = try Client(path: options.socket)
      answer = try client.call("system.info", timeoutMilliseconds: options.timeoutMs ?? 10_000)
    } catch { throw Failure(error, language) }
    if case .result(let info) = answer {
      spoken = info["protocolVersion"]?.stringValue ?? "?"
      guard ClientVersion.fits(spoken) else { throw Failure(.failed, text(.cliErrorVersion, spoken, ClientVersion.contract)) }
    }
    connected = client
    return client
  }

  /// Calls a method of the contract. `key` makes a write that is tried again happen once.
  func call<Method: ContractMethod>(_ method: Method.Type, _ params: Method.Params, key: String? = nil) throws(Failure)
    -> Method.Result
  {
    var writer = JSONWriter()
    params.write(to: &writer)
    guard let object = (try? JSON(parsing: writer.bytes))?.objectValue else { throw Failure(.failed, Method.descriptor.name) }
    let result = try call(Method.descriptor.name, object, key: key)
    do { return try Method.Result(json: result) } catch {
      throw Failure(.failed, text(.cliErrorMalformed, error.field ?? Method.descriptor.name))
    }
  }

  /// Calls a method by name; the run's options go along in `_meta`.
  func call(_ method: String, _ params: JSONObject, key: String? = nil) throws(Failure) -> JSON {
    var params = params
    // A `_meta` that is no object is the daemon's to refuse.
    if params["_meta"]?.objectValue != nil || params["_meta"] == nil { params["_meta"] = meta(params, method, key) }
    let bytes = Array(JSON.object(params).description.utf8)
    let reply: Reply
    do {
      reply = try send(method, bytes)
    } catch {
      guard keepsTrying, error.isClosed else { throw error }
      // The daemon was restarted while the person was thinking. The key sees to it that nothing is done twice.
      reply = try send(method, bytes)
    }
    switch reply {
    case .result(let result): return result
    case .error(let code, let message, let data): throw failure(code, message, data)
    }
  }

  private func send(_ method: String, _ params: [UInt8]) throws(Failure) -> Reply {
    let client = try client()
    do {
      return try client.call(method, params: params, timeoutMilliseconds: (options.timeoutMs ?? 60_000) + 500)
    } catch {
      // What comes later on this connection may belong to this call.
      connected = nil
      throw Failure(error, language)
    }
  }

  /// A verb may look something up before it writes: the key and the trial are for the writing call alone.
  private func meta(_ params: JSONObject, _ method: String, _ key: String?) -> JSON {
    var meta = params["_meta"]?.objectValue ?? JSONObject()
    if meta["language"] == nil { meta["language"] = .string(language.rawValue) }
    if MethodCatalogue.named(method)?.effect == .write {
      let key = options.idempotencyKey ?? key ?? (keepsTrying ? Self.randomKey() : nil)
      if let key, meta["idempotencyKey"] == nil { meta["idempotencyKey"] = .string(key) }
      if options.isDryRun { meta["dryRun"] = true }
    }
    if let limit = options.timeoutMs { meta["deadlineMs"] = .number(JSONNumber(limit)) }
    return .object(meta)
  }

  private func failure(_ code: Int, _ message: String, _ data: JSON) -> Failure {
    let reply: JSON = ["code": .number(JSONNumber(code)), "message": .string(message), "data": data]
    var text = message
    if let field = data["field"]?.stringValue { text += " [\(field)]" }
    if let limit = data["limit"]?.intValue { text += " (\(limit) \(data["unit"]?.stringValue ?? ""))" }
    if let nearest = data["nearest"]?.stringValue { text += " " + self.text(.cliErrorNearest, nearest) }
    if let expected = data["expected"]?.stringValue, data["nearest"] == nil {
      text += " " + self.text(.cliErrorExpected, expected)
    }
    // A word of this program's contract that an older daemon does not know: it has refused the call whole.
    if code == -32601 || code == -32602, ClientVersion.isOlder(spoken) {
      text += " " + self.text(.cliErrorVersion, spoken, ClientVersion.contract)
    }
    let exit: ExitCode =
      switch code {
      case -32001: .overloaded
      case -32002: .timeout
      default: .failed
      }
    return Failure(exit, text, reply: reply.description)
  }

  /// Writes a result: as JSON if that was asked for, else as the closure says.
  func show(_ value: some JSONEncodable, _ human: () -> Void) {
    if options.isJSON {
      var writer = JSONWriter()
      value.write(to: &writer)
      terminal.json(String(decoding: writer.bytes, as: UTF8.self))
    } else {
      human()
    }
  }
}

/// Versions of the client.
enum ClientVersion {
  static let program = "1.0.0"
  static let contract = "1.0"

  /// Whether a daemon's contract can be spoken: the same major number.
  static func fits(_ spoken: String) -> Bool { parts(spoken).first == parts(contract).first }

  /// Whether a daemon's contract may lack what this program knows.
  static func isOlder(_ spoken: String, than own: String = contract) -> Bool {
    let (theirs, ours) = (parts(spoken), parts(own))
    return theirs.count == 2 && ours.count == 2 && theirs[0] == ours[0] && theirs[1] < ours[1]
  }

  private static func parts(_ version: String) -> [Int] { version.split(separator: ".").compactMap { Int($0) } }
}
