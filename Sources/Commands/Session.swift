import Glibc
import JSON
import JSONRPC
import KindVerbAPI

/// One run of the program: its options, the connection, and where text goes.
final class Session {
  let options: Options
  let terminal: Terminal
  /// The language of texts: `--language`, else the person's setting once the daemon has told it, else the terminal's locale, else
  /// what the daemon goes by.
  private(set) var language: Language { didSet { terminal.output.language = language } }
  /// The language that calls ask for; nil where the daemon's own rule gives the same.
  private var askedLanguage: Language?
  private var connected: Client?
  /// Whether the terminal was opened for this program alone and goes away with it: what was said last must be read before.
  var holdsWindow = false
  /// Whether a call is made again when the daemon has closed the connection: for dialogues, which last.
  var keepsTrying = false
  /// The version of the contract that this program speaks, and the one that the daemon does.
  private let contract: String
  private var spoken: String
  /// How long connecting may take, and an answer, where `--timeout` says nothing.
  private static let connectingMilliseconds = 10_000
  private static let answerMilliseconds = 60_000
  /// The daemon's own limit comes first: its answer says more.
  private static let graceMilliseconds = 500

  init(_ options: Options, terminal: Terminal = .standard, contract: String = ContractVersion.contract) {
    self.options = options
    self.terminal = terminal
    self.contract = contract
    spoken = contract
    language = options.language
    terminal.output.language = language
    askedLanguage = options.chosenLanguage ?? options.localeLanguage
  }

  /// A key that no one else has.
  static func randomKey() -> String {
    "kindverb-\(String(UInt64.random(in: 0 ... .max), radix: 16))\(String(UInt64.random(in: 0 ... .max), radix: 16))"
  }

  /// A text in the person's language.
  func text(_ key: MessageKey, _ arguments: String...) -> String { key.text(in: language, filling: arguments) }

  /// A line that names the next step: a verb of this program, in words that reach the same daemon. Nothing where `KINDVERB_HINTS` is
  /// `no`, because who started the program knows better.
  func next(_ verb: String) -> String { options.hasHints ? "\n" + text(.cliNext, terminal.safe(options.command(verb))) : "" }

  // MARK: The connection

  /// The connection, made at the first call. A daemon whose contract does not fit is refused before anything is changed.
  func client() throws(Failure) -> Client {
    if let connected { return connected }
    let wait = Wait(options.timeoutMs ?? Self.connectingMilliseconds)
    let client: Client
    do { client = try Client(path: options.socket, timeoutMilliseconds: wait.left) } catch { throw failure(error, wait) }
    let info = try result(of: ask("system.info", client, wait), "system.info")
    spoken = info["protocolVersion"]?.stringValue ?? "?"
    guard ClientVersion.fits(spoken, contract) else { throw Failure(.failed, text(.cliErrorVersion, spoken, contract)) }
    if options.chosenLanguage == nil { follow(try ask("settings.get", client, wait)) }
    connected = client
    return client
  }

  private func ask(_ method: String, _ client: Client, _ wait: Wait) throws(Failure) -> Reply {
    do { return try client.call(method, timeoutMilliseconds: wait.left) } catch { throw failure(error, wait) }
  }

  /// The person's setting wins over the terminal's locale; it needs not be asked for, the daemon goes by it. A daemon that cannot
  /// tell its settings, because its store is not open yet, is asked in the locale's language.
  private func follow(_ settings: Reply) {
    guard case .result(let settings) = settings else { return }
    let tag = { (name: String) in settings[name]?.stringValue.flatMap(Language.init(rawValue:)) }
    let setting = tag("language")
    askedLanguage = setting == nil ? options.localeLanguage : nil
    language = setting ?? options.localeLanguage ?? tag("effectiveLanguage") ?? .en
  }

  // MARK: Calls

  /// Calls a method of the contract. `key` makes a write that is tried again happen once.
  func call<Method: ContractMethod>(_ method: Method.Type, _ params: Method.Params, key: String? = nil) throws(Failure)
    -> Method.Result
  { try call(method, object(params, Method.descriptor.name), key) }

  /// The same as a trial, of which nothing is kept.
  func trial<Method: ContractMethod>(_ method: Method.Type, _ params: Method.Params) throws(Failure) -> Method.Result {
    var object = try object(params, Method.descriptor.name)
    object[CallOptions.member] = ["dryRun": true]
    return try call(method, object, nil)
  }

  private func object(_ params: some ContractParams, _ name: String) throws(Failure) -> JSONObject {
    var writer = JSONWriter()
    params.write(to: &writer)
    guard let object = (try? JSON(parsing: writer.bytes))?.objectValue else { throw Failure(.failed, name) }
    return object
  }

  private func call<Method: ContractMethod>(_ method: Method.Type, _ object: JSONObject, _ key: String?) throws(Failure)
    -> Method.Result
  { try typed(method, call(Method.descriptor.name, object, key: key)) }

  private func typed<Method: ContractMethod>(_: Method.Type, _ result: JSON) throws(Failure) -> Method.Result {
    do { return try Method.Result(json: result) } catch {
      throw Failure(.failed, text(.cliErrorMalformed, error.field ?? Method.descriptor.name) + hintAtOlderDaemon)
    }
  }

  /// Calls a method by name; the run's options go along in `_meta`.
  func call(_ method: String, _ params: JSONObject, key: String? = nil) throws(Failure) -> JSON {
    let key = key ?? (keepsTrying ? Self.randomKey() : nil)
    do {
      return try result(of: send(method, params, key), method)
    } catch {
      guard keepsTrying, error.isClosed else { throw error }
      // The daemon was restarted while the person was thinking. The key sees to it that nothing is done twice.
      return try result(of: send(method, params, key), method)
    }
  }

  /// Calls a method that takes its time: `goesOn` looks after what else happens, and says whether to wait on; if not, the call is
  /// cancelled.
  func call<Method: ContractMethod>(
    _ method: Method.Type, _ params: Method.Params, while goesOn: (ServerNotification?) -> Bool
  ) throws(Failure) -> Method.Result {
    let name = Method.descriptor.name
    let reply = try send(name, object(params, name), nil) { (client, bytes, limit) throws(ClientError) in
      try client.call(
        name, params: bytes, timeoutMilliseconds: limit, tickMilliseconds: Interruption.tickMilliseconds, while: goesOn)
    }
    return try typed(method, result(of: reply, name))
  }

  private func send(_ method: String, _ params: JSONObject, _ key: String?) throws(Failure) -> Reply {
    try send(method, params, key) { (client, bytes, limit) throws(ClientError) in
      try client.call(method, params: bytes, timeoutMilliseconds: limit)
    }
  }

  private func send(
    _ method: String, _ params: JSONObject, _ key: String?,
    by call: (_ client: Client, _ params: [UInt8], _ milliseconds: Int) throws(ClientError) -> Reply
  ) throws(Failure) -> Reply {
    let wait = Wait((options.timeoutMs ?? Self.answerMilliseconds) + Self.graceMilliseconds)
    let client = try client()
    var params = params
    // A `_meta` that is no object is the daemon's to refuse.
    if params["_meta"]?.objectValue != nil || params["_meta"] == nil { params["_meta"] = meta(params, method, key) }
    do {
      return try call(client, Array(JSON.object(params).description.utf8), wait.left)
    } catch {
      // What comes later on this connection may belong to this call.
      connected = nil
      throw failure(error, wait)
    }
  }

  /// A verb may look something up before it writes: the key is for the writing call alone. A trial is one in every call, whatever
  /// the contract says of the method's effect.
  private func meta(_ params: JSONObject, _ method: String, _ key: String?) -> JSON {
    var meta = params["_meta"]?.objectValue ?? JSONObject()
    if meta["language"] == nil, let askedLanguage { meta["language"] = .string(askedLanguage.rawValue) }
    if MethodCatalogue.named(method)?.effect == .write, meta["idempotencyKey"] == nil,
      let key = options.idempotencyKey ?? key
    {
      meta["idempotencyKey"] = .string(key)
    }
    if options.isDryRun { meta["dryRun"] = true }
    if let limit = options.timeoutMs { meta["deadlineMs"] = .number(JSONNumber(limit)) }
    return .object(meta)
  }

  // MARK: What goes wrong

  private func result(of reply: Reply, _ method: String) throws(Failure) -> JSON {
    switch reply {
    case .result(let result): return result
    case .error(let code, let message, let data): throw failure(code, message, data, method)
    }
  }

  private func failure(_ error: ClientError, _ wait: Wait) -> Failure {
    guard case .timedOut = error else { return Failure(error, language) }
    return Failure(.timedOut(milliseconds: options.timeoutMs ?? wait.milliseconds), language)
  }

  private func failure(_ code: Int, _ message: String, _ data: JSON, _ method: String) -> Failure {
    let reply: JSON = ["code": .number(JSONNumber(code)), "message": .string(message), "data": data]
    var text = DaemonErrorText(self, data, of: method).text(code, message)
    // A word of this program's contract that an older daemon does not know: it has refused the call whole.
    if code == -32601 || code == -32602 { text += hintAtOlderDaemon }
    if data["messageKey"]?.stringValue == ErrorKey.entitlementProRequired.rawValue { text += next("pro") }
    let exit: ExitCode =
      switch code {
      case -32001: .overloaded
      case -32002: .timeout
      default: .failed
      }
    return Failure(exit, text, reply: reply.description, isRetriable: data["retriable"]?.boolValue == true)
  }

  /// What is added to an error where an older daemon may be the reason; else nothing.
  private var hintAtOlderDaemon: String {
    ClientVersion.isOlder(spoken, than: contract) ? " " + text(.cliErrorVersion, spoken, contract) : ""
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

/// A wait of several parts with one end.
private struct Wait {
  let milliseconds: Int
  private let start = ContinuousClock.now

  init(_ milliseconds: Int) { self.milliseconds = milliseconds }

  /// What is left of it; never less than a millisecond, so that what is there already is taken.
  var left: Int { max(1, milliseconds - Int((ContinuousClock.now - start) / .milliseconds(1))) }
}

/// Which versions of the contract go together.
enum ClientVersion {
  /// Whether a daemon's contract can be spoken: the same major number.
  static func fits(_ spoken: String, _ own: String = ContractVersion.contract) -> Bool { parts(spoken).first == parts(own).first }

  /// Whether a daemon's contract may lack what this program knows.
  static func isOlder(_ spoken: String, than own: String = ContractVersion.contract) -> Bool {
    let (theirs, ours) = (parts(spoken), parts(own))
    return theirs.count == 2 && ours.count == 2 && theirs[0] == ours[0] && theirs[1] < ours[1]
  }

  private static func parts(_ version: String) -> [Int] { version.split(separator: ".").compactMap { Int($0) } }
}
