import JSON
import JSONRPC
import KindVerbAPI
import Testing

@testable import Daemon

@Suite("The command line")
struct OptionsTests {
  private func parse(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Options? {
    let parsed = try Options.parse(arguments, language: .en) { environment[$0] }
    guard case .run(let options) = parsed else { return nil }
    return options
  }

  @Test("paths follow the XDG base directories; a relative one there is ignored, as the specification says")
  func defaults() throws {
    let home = ["HOME": "/home/p", "XDG_RUNTIME_DIR": "/run/user/7"]
    let options = try parse([], home)
    #expect(options?.socketPath == "/run/user/7/kindverb/kindverbd.sock")
    #expect(options?.dataDirectory == "/home/p/.local/share/kindverb")
    #expect(options?.configPath == "/home/p/.config/kindverb/config.json5")
    #expect(options?.configIsExplicit == false)
    let own = try parse([], home.merging(["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "relative"]) { $1 })
    #expect(own?.dataDirectory == "/d/kindverb")
    #expect(own?.configPath == "/home/p/.config/kindverb/config.json5")
  }

  @Test("a value stands behind = or in the next argument; the last one counts; = may stand in it")
  func values() throws {
    let options = try parse(["--socket=/a", "--data-dir", "/b", "--config=/c=d", "--socket", "/e"])
    #expect(
      options == Options(socketPath: "/e", dataDirectory: "/b", configPath: "/c=d", configIsExplicit: true))
    #expect(try parse(["--socket", "s"])?.socketPath.hasSuffix("/s") == true)
    #expect(try parse(["--socket", "s"])?.socketPath.hasPrefix("/") == true)
  }

  @Test(
    "what is not understood is a usage error",
    arguments: [
      ["--sockt=/a"], ["x"], ["--socket"], ["--socket", ""], ["--socket="], ["--socket=", "/a"], ["--socket=", "--config=/x"],
      ["=/a"], [""], ["--data-dir"],
    ])
  func usage(_ arguments: [String]) {
    let failure = #expect(throws: StartFailure.self) { try parse(arguments) }
    #expect(failure?.status == .usage)
  }

  @Test("help and version come before anything else is needed")
  func help() throws {
    #expect(try Options.parse(["--help"], language: .en) { _ in nil } == .help)
    #expect(try Options.parse(["--socket", "/a", "-h"], language: .en) { _ in nil } == .help)
    #expect(try Options.parse(["--version"], language: .en) { _ in nil } == .version)
  }
}

@Suite("The configuration")
struct ConfigurationTests {
  private func read(_ text: String) throws -> Configuration { try Configuration(text: Array(text.utf8)) }

  @Test("JSON5, with comments and without quotes; whatever is left out keeps its default")
  func members() throws {
    #expect(try read("{}") == Configuration())
    let configuration = try read(
      """
      // mine
      { language: 'ko', backup: { automatic: false, }, limits: { partialLineMs: 60000, stalledOutputMs: 10, }, }
      """)
    #expect(configuration.language == .ko)
    #expect(!configuration.backsUpAutomatically)
    #expect(configuration.partialLineMs == 60_000)
    #expect(configuration.stalledOutputMs == 10)
    #expect(try read("{ language: 'zh-Hans' }").language == .zhHans)
  }

  @Test(
    "what is wrong is named",
    arguments: [
      ("", "JSON5"), ("{", "JSON5"), ("[]", "config.json5"), ("1", "config.json5"), ("{ colour: 1 }", "colour"),
      ("{ language: 'fr' }", "language"), ("{ language: 1 }", "language"), ("{ language: null }", "language"),
      ("{ backup: true }", "backup"), ("{ backup: { automatic: 1 } }", "backup.automatic"),
      ("{ backup: { automatic: 'yes' } }", "backup.automatic"), ("{ backup: { hourly: true } }", "backup.hourly"),
      ("{ limits: { partialLineMs: 9 } }", "limits.partialLineMs"),
      ("{ limits: { partialLineMs: 3600001 } }", "limits.partialLineMs"),
      ("{ limits: { partialLineMs: 10.5 } }", "limits.partialLineMs"),
      ("{ limits: { partialLineMs: '10' } }", "limits.partialLineMs"),
      ("{ limits: { stalledOutputMs: true } }", "limits.stalledOutputMs"), ("{ limits: { lines: 1 } }", "limits.lines"),
    ])
  func wrong(_ text: String, _ member: String) {
    let error = #expect(throws: ConfigurationError.self) { try read(text) }
    #expect(error?.member == member)
  }

  @Test("a file that is not there is no wish")
  func missing() throws { #expect(try Configuration.read("/nonexistent/config.json5") == nil) }

  @Test("a configuration that is there and cannot be read is an error")
  func unreadable() { #expect(throws: ConfigurationError.self) { try Configuration.read("/tmp") } }
}

@Suite("Parameters and replies")
struct ParametersTests {
  private let update = Methods.JournalUpdate.descriptor

  @Test("positional parameters get the contract's names in the contract's order")
  func positional() throws {
    let names = update.parameters.map(\.name)
    let values = names.indices.map { JSON.number(JSONNumber($0)) }
    let named = try Parameters.named(.array(values), by: update)
    #expect(named.names == names)
    #expect(named[names[1]] == values[1])
    #expect(try Parameters.named(.array([values[0]]), by: update).names == [names[0]])
    #expect(try Parameters.named(nil, by: update).isEmpty)
    let error = #expect(throws: APIError.self) { try Parameters.named(.array(values + [.null]), by: update) }
    #expect(error?.key == .rpcInvalidParams)
    #expect(error?.limit == names.count)
  }

  @Test("options are read from _meta and are no parameter")
  func options() throws {
    let params = try JSON.parse(#"{"id":"x","_meta":{"idempotencyKey":"k","dryRun":true}}"#)
    #expect(try Parameters.named(params, by: update).names == ["id"])
    let options = try Parameters.options(of: params)
    #expect(options.idempotencyKey == "k")
    #expect(options.dryRun)
    #expect(try Parameters.options(of: nil) == CallOptions())
    #expect(try Parameters.options(of: JSON.parse("[1]")) == CallOptions())
    #expect(throws: APIError.self) { try Parameters.options(of: JSON.parse(#"{"_meta":1}"#)) }
  }

  @Test("a fingerprint knows the method and the parameters, and where one ends")
  func fingerprint() throws {
    func of(_ method: String, _ text: String) -> [UInt8] { Fingerprint.of(method, Array(text.utf8)) }
    let one = of("m", #"{"a":1}"#)
    #expect(one.count == 16 && of("m", #"{"a":1}"#) == one)
    #expect(of("m", #"{"a":2}"#) != one && of("n", #"{"a":1}"#) != one && of("m{", #""a":1}"#) != one)
  }

  @Test("a reply speaks of its thing, and of a composition's both")
  func subjects() {
    func of(_ text: String) -> [String] { Fingerprint.subjects(of: Array(text.utf8)).sorted() }
    #expect(of(#"{"id":"l","journalId":"j"}"#) == ["j", "l"])
    #expect(of(#"{"journal":{"id":"j"},"letter":{"id":"l","journalId":"j"}}"#) == ["j", "l"])
    #expect(of(#"{"items":[]}"#).isEmpty)
    #expect(of("nonsense").isEmpty)
  }

  @Test("replies byte for byte; an id comes back as it came", arguments: ["1", "1.0", #""\u0061""#, "null"])
  func golden(_ id: String) {
    let request = RequestID(bytes: Array(id.utf8))
    #expect(
      String(decoding: ReplyText.result(request, Array(#"{"a":[]}"#.utf8)), as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":"# + id + #","result":{"a":[]}}"#)
    #expect(
      String(decoding: ReplyText.error(request) { $0.integer(-32_600) }, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":"# + id + #","error":-32600}"#)
  }
}
