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

  init(_ options: Options, terminal: Terminal = .standard) {
    self.options = options
    self.terminal = terminal
  }

  /// A text in the person's language.
  func text(_ key: MessageKey, _ arguments: String...) -> String { key.text(in: language, filling: arguments) }

  /// The connection, made at the first call. A daemon whose contract does not fit is refused before anything is changed.
  func client() throws(Failure) -> Client {
    if let connected { return connected }
    do {
      let client = try Client(path: options.socket)
      connected = client
      if case .result(let info) = try client.call("system.info", timeoutMilliseconds: options.timeoutMs ?? 10_000) {
        let spoken = info["protocolVersion"]?.stringValue ?? "?"
        guard spoken.split(separator: ".").first == ClientVersion.contract.split(separator: ".").first else {
          throw Failure(.failed, text(.cliErrorVersion, spoken, ClientVersion.contract))
        }
      }
      return client
    } catch let error as ClientError {
      throw Failure(error, language)
    } catch let failure as Failure {
      throw failure
    } catch { throw Failure(.failed, "\(type(of: error))") }
  }

  /// Calls a method of the contract.
  func call<Method: ContractMethod>(_ method: Method.Type, _ params: Method.Params) throws(Failure) -> Method.Result {
    var writer = JSONWriter()
    params.write(to: &writer)
    guard let object = (try? JSON(parsing: writer.bytes))?.objectValue else { throw Failure(.failed, Method.descriptor.name) }
    let result = try call(Method.descriptor.name, object)
    do { return try Method.Result(json: result) } catch {
      throw Failure(.failed, text(.cliErrorMalformed, error.field ?? Method.descriptor.name))
    }
  }

  /// Calls a method by name; the run's options go along in `_meta`.
  func call(_ method: String, _ params: JSONObject) throws(Failure) -> JSON {
    var params = params
    var meta = params["_meta"]?.objectValue ?? JSONObject()
    if meta["language"] == nil { meta["language"] = .string(language.rawValue) }
    if let key = options.idempotencyKey { meta["idempotencyKey"] = .string(key) }
    if options.isDryRun { meta["dryRun"] = true }
    if let limit = options.timeoutMs { meta["deadlineMs"] = .number(JSONNumber(limit)) }
    params["_meta"] = .object(meta)
    let client = try client()
    let reply: Reply
    do {
      reply = try client.call(
        method, params: Array(JSON.object(params).description.utf8), timeoutMilliseconds: (options.timeoutMs ?? 60_000) + 500)
    } catch { throw Failure(error, language) }
    switch reply {
    case .result(let result): return result
    case .error(let code, let message, let data): throw failure(code, message, data)
    }
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
      terminal.line(String(decoding: writer.bytes, as: UTF8.self))
    } else {
      human()
    }
  }
}

/// Versions of the client.
enum ClientVersion {
  static let program = "1.0.0"
  static let contract = "1.0"
}
