import FakeDaemon
import Glibc
import JSON
import KindVerbAPI
import Synchronization
import Testing

@testable import Commands

/// What a daemon was asked.
private final class Requests: Sendable {
  private let kept = Mutex<[JSON]>([])

  func add(_ request: JSON) { kept.withLock { $0.append(request) } }

  /// The member `name` of the options of the last call of a method.
  func option(_ name: String, of method: String) -> JSON? {
    kept.withLock { $0.last { $0["method"]?.stringValue == method }?["params"]?["_meta"]?[name] }
  }
}

/// A daemon of some version, with some setting of the language, that answers other calls as `answer` does.
private func daemon(
  version: String = "1.0", language: String? = nil, _ requests: Requests = Requests(),
  _ answer: @escaping @Sendable (JSON) -> FakeDaemon.Answer
) -> FakeDaemon {
  let setting = language.map { "\"\($0)\"" } ?? "null"
  return FakeDaemon { request in
    requests.add(request)
    return switch request["method"]?.stringValue {
    case "system.info": .result(#"{"protocolVersion":"\#(version)"}"#, of: request)
    case "settings.get": .result(#"{"language":\#(setting),"effectiveLanguage":"ja"}"#, of: request)
    default: answer(request)
    }
  }
}

private func session(_ daemon: FakeDaemon, _ options: [String] = [], locale: String? = nil, contract: String = "1.0") throws
  -> Session
{
  let terminal = Terminal(isTerminal: false, isInteractive: false, width: nil, hasColour: false)
  let parsed = try Options.parse(["--socket", daemon.path] + options) { $0 == "LANG" ? locale : nil }
  return Session(parsed, terminal: terminal, contract: contract)
}

private func fail(_ session: Session, _ method: String = "system.ping") throws -> Failure {
  try #require(throws: Failure.self) { try session.call(method, JSONObject()) }
}

@Suite("A run and the daemon", .timeLimit(.minutes(1)))
struct SessionTests {
  @Test("a parameter or method that an older daemon does not know is refused with both versions", arguments: [-32601, -32602])
  func older(_ code: Int) throws {
    let daemon = daemon(version: "1.3") { .error(code, of: $0, data: #"{"field":"newest"}"#) }
    let failure = try fail(session(daemon, contract: "1.4"))
    #expect(failure.code == .failed && failure.message.contains("1.3") && failure.message.contains("1.4"))
    #expect(failure.message.contains("newest"))
    // With the same version it is the caller's own mistake.
    let own = try fail(session(daemon, contract: "1.3"))
    #expect(!own.message.contains("1.3"))
  }

  @Test("so is a result that lacks what this program knows")
  func olderResult() throws {
    let daemon = daemon(version: "1.3") { .result("{}", of: $0) }
    let call = { (contract: String) in
      try #require(throws: Failure.self) {
        try session(daemon, contract: contract).call(Methods.SystemPing.self, .init())
      }
    }
    #expect(try call("1.4").message.contains("1.4"))
    #expect(try !call("1.3").message.contains("1.3"))
  }

  @Test("another error of an older daemon says nothing of versions")
  func olderOtherwise() throws {
    let daemon = daemon(version: "1.3") { .error(1101, of: $0) }
    #expect(try !fail(session(daemon, contract: "1.4")).message.contains("1.3"))
  }

  @Test("an error in place of system.info is the answer: nobody is served, or not now", arguments: [-32001, -32004, -32603])
  func refused(_ code: Int) throws {
    let daemon = FakeDaemon { .error(code, of: code == -32001 ? nil : $0) }
    let failure = try fail(session(daemon))
    #expect(failure.code == (code == -32001 ? .overloaded : .failed) && failure.message == "refused")
  }

  @Test(
    "the status tells what may be tried again from what may not",
    arguments: [(-32001, ExitCode.overloaded), (-32002, .timeout), (-32005, .failed), (1101, .failed), (-32603, .failed)])
  func status(_ code: Int, _ exit: ExitCode) throws {
    let daemon = daemon { .error(code, of: $0) }
    #expect(try fail(session(daemon)).code == exit)
  }

  @Test("what the daemon calls retriable may be tried again")
  func retriable() throws {
    let full = daemon { .error(-32005, of: $0, data: #"{"retriable":true}"#) }
    #expect(try fail(session(full)).isPassing)
    let refused = daemon { .error(1101, of: $0, data: #"{"retriable":false}"#) }
    #expect(try !fail(session(refused)).isPassing)
  }

  @Test(
    "the option wins over the setting, the setting over the locale, the locale over what the daemon goes by",
    arguments: [
      (["--language", "zh-Hans"], "ko", "en_US.UTF-8", "zh-Hans", Language.zhHans),
      (["--language", "zh-Hans"], nil, nil, "zh-Hans", .zhHans),
      ([], "ko", "en_US.UTF-8", nil, .ko), ([], "ko", nil, nil, .ko), ([], nil, "en_US.UTF-8", "en", .en),
      ([], nil, "ko_KR.UTF-8", "ko", .ko),
      ([], nil, "C.UTF-8", nil, .ja), ([], nil, "fr_FR.UTF-8", nil, .ja), ([], nil, nil, nil, .ja),
    ] as [([String], String?, String?, String?, Language)])
  func languages(_ options: [String], _ setting: String?, _ locale: String?, _ sent: String?, _ shown: Language) throws {
    let requests = Requests()
    let daemon = daemon(language: setting, requests) { .result("{}", of: $0) }
    let session = try session(daemon, options, locale: locale)
    _ = try session.call("journal.resume", JSONObject())
    #expect(requests.option("language", of: "journal.resume")?.stringValue == sent)
    #expect(session.language == shown)
  }

  @Test("a daemon that cannot tell its settings yet is asked in the locale's language")
  func languageWhileOpening() throws {
    let requests = Requests()
    let daemon = FakeDaemon { request in
      requests.add(request)
      return request["method"] == "settings.get"
        ? .error(-32004, of: request) : .result(#"{"protocolVersion":"1.0"}"#, of: request)
    }
    let session = try session(daemon, locale: "ko_KR.UTF-8")
    _ = try session.call("system.ping", JSONObject())
    #expect(requests.option("language", of: "system.ping") == "ko" && session.language == .ko)
  }

  @Test("a trial is a trial in every method of the contract", arguments: MethodCatalogue.all.map(\.name))
  func trial(_ method: String) throws {
    let requests = Requests()
    let daemon = daemon(requests) { .result("{}", of: $0) }
    _ = try session(daemon, ["--dry-run"]).call(method, ["_meta": ["dryRun": false]])
    #expect(requests.option("dryRun", of: method) == true)
    _ = try session(daemon).call(method, JSONObject())
    #expect(requests.option("dryRun", of: method) == nil)
  }

  @Test("the time limit holds for the whole of a call, and is the one that is told")
  func limit() throws {
    let silent = daemon { _ in .silence }
    let start = ContinuousClock.now
    let failure = try fail(session(silent, ["--timeout", "0.05"]))
    #expect(failure.code == .timeout && failure.message.contains("50") && ContinuousClock.now - start < .seconds(20))
    let nobody = FakeDaemon()
    let first = try session(nobody, ["--timeout", "0.05"])
    #expect(try fail(first).code == .timeout)
    #expect(try fail(session(nobody, ["--timeout", "0.05"])).code == .timeout)
  }
}

@Suite("Waiting for a socket", .timeLimit(.minutes(1)))
struct SocketWaitTests {
  @Test("what appears ends the wait, and the next one is short again")
  func appears() {
    let directory = "/tmp/socket-wait-\(UInt32.random(in: 0 ... .max))"
    mkdir(directory, 0o700)
    let wait = SocketWait(for: directory + "/s")
    var intervals = [wait.milliseconds]
    for _ in 0..<3 {
      wait.wait()
      intervals.append(wait.milliseconds)
    }
    #expect(intervals == [50, 100, 200, 400])
    close(creat(directory + "/s", 0o600))
    wait.wait()
    #expect(wait.milliseconds == 50)
    unlink(directory + "/s")
    // A directory that comes back is watched again.
    rmdir(directory)
    wait.wait()
    mkdir(directory, 0o700)
    wait.wait()
    let grown = wait.milliseconds
    close(creat(directory + "/s", 0o600))
    wait.wait()
    #expect(wait.milliseconds == 50 && grown > 50)
    unlink(directory + "/s")
    rmdir(directory)
  }
}
