import KindVerbAPI
import Testing

@testable import Commands

private func session(_ arguments: String...) throws -> Session {
  let terminal = Terminal(isTerminal: false, isInteractive: false, width: nil, hasColour: false)
  return Session(try Options.parse(arguments) { _ in nil }, terminal: terminal)
}

@Suite("Words and options of a verb")
struct ArgumentTests {
  @Test("a word more than the verb takes is an error that names it")
  func tooMany() throws {
    let failure = try #require(throws: Failure.self) { try VerbArguments(["a", "b"], maximum: 1, language: .en) }
    #expect(failure.code == .usage && failure.message.contains("b"))
    #expect(try VerbArguments(["a"], maximum: 1, language: .en).words == ["a"])
    #expect(throws: Failure.self) { try VerbArguments([], literals: ["--x"], maximum: 0, language: .en) }
  }

  @Test("what stands after -- is a word, whatever it looks like")
  func literals() throws {
    let options = try Options.parse(["journal", "search", "--limit", "2", "--", "--json", "-h", "--"]) { _ in nil }
    #expect(!options.isJSON && options.literals == ["--json", "-h", "--"])
    let arguments = try VerbArguments(["--limit", "2"], literals: options.literals, options: [.limit], language: .en)
    #expect(arguments.words == ["--json", "-h", "--"] && arguments["limit"] == "2")
  }

  @Test("an unknown option is refused with the nearest, of the verb or of all")
  func nearest() throws {
    let own = try #require(throws: Failure.self) { try VerbArguments(["--limt=3"], options: [.limit], language: .en) }
    #expect(own.code == .usage && own.message.contains("--limit"))
    let general = try #require(throws: Failure.self) { try VerbArguments(["--jsn"], language: .en) }
    #expect(general.message.contains("--json"))
    let none = try #require(throws: Failure.self) { try VerbArguments(["--zzzzzzzz"], options: [.limit], language: .en) }
    #expect(none.message == MessageKey.cliErrorUnknownOption.text(in: .en, "--zzzzzzzz"))
  }

  @Test(
    "options without a value, or with one too many, are refused",
    arguments: [["--limit"], ["--limit="], ["--all=1"]])
  func values(_ words: [String]) {
    #expect(throws: Failure.self) { try VerbArguments(words, options: [.limit, .all], language: .en) }
  }

  @Test("the same for the options of all verbs", arguments: [["--socket"], ["--socket="], ["--json=1"], ["--timeout", "nan"]])
  func general(_ words: [String]) { #expect(throws: Failure.self) { try Options.parse(words) { _ in nil } } }

  @Test("the socket: an option, else the variable, else the runtime directory, else the directory of the user's id")
  func socket() throws {
    let variables = ["KINDVERB_SOCKET": "/v", "XDG_RUNTIME_DIR": "/run/me"]
    #expect(try Options.parse(["--socket", "/o"]) { variables[$0] }.socket == "/o")
    #expect(try Options.parse([]) { variables[$0] }.socket == "/v")
    #expect(try Options.parse([]) { $0 == "XDG_RUNTIME_DIR" ? "/run/me" : nil }.socket == "/run/me/kindverb/kindverbd.sock")
    let fallback = try Options.parse([]) { ["KINDVERB_SOCKET": "", "XDG_RUNTIME_DIR": "relative"][$0] }
    #expect(fallback.socket.hasPrefix("/run/user/") && !fallback.hasOwnSocket)
  }

  @Test("a language that is none is refused, and a locale is one")
  func language() throws {
    #expect(try Options.parse(["--language", "zh_CN.UTF-8"]) { _ in nil }.language == .zhHans)
    #expect(throws: Failure.self) { try Options.parse(["--language", "tlh"]) { _ in nil } }
  }

  @Test("all of the help: nothing is cut, and no line is wider than the terminal or 100 cells", arguments: Language.allCases)
  func help(_ language: Language) {
    for width in [nil, 40, 300] as [Int?] {
      let lines = HelpCommand.lines(Verb.all, language, width: width)
      let text = lines.joined().filter { $0 != " " }
      for verb in Verb.all {
        for part in ["kindverb \(verb.usage)", verb.summary.text(in: language)] {
          #expect(text.contains(part.filter { $0 != " " }))
        }
        for option in verb.options { #expect(verb.usage.contains("--\(option.name)")) }
      }
      for line in lines { #expect(cellWidth(line) <= min(width ?? 100, 100)) }
    }
  }

  @Test("one verb's help tells what its options, values and parameters mean", arguments: Language.allCases)
  func verbHelp(_ language: Language) {
    for verb in Verb.all {
      for width in [nil, 60] as [Int?] {
        let lines = HelpCommand.description(of: verb, language, width: width)
        let text = lines.joined().filter { $0 != " " }
        for option in verb.options { #expect(text.contains(option.summary.text(in: language).filter { $0 != " " })) }
        for parameter in verb.method.flatMap({ MethodCatalogue.named($0) })?.parameters ?? [] {
          #expect(text.contains(parameter.summary.filter { $0 != " " }))
        }
        for line in lines { #expect(cellWidth(line) <= width ?? 100) }
      }
    }
  }

  @Test("what there is fits one screen, and names every verb", arguments: Language.allCases)
  func glance(_ language: Language) {
    let lines = HelpCommand.glance(language, width: 80)
    #expect(lines.count <= 23)
    for line in lines { #expect(cellWidth(line) <= 80) }
    for word in Verb.all.flatMap(\.path) { #expect(lines.joined().contains(word)) }
  }

  @Test(
    "figures are told in units that a person reads",
    arguments: [
      (0, "0 B"), (1_023, "1023 B"), (1_536, "1.5 KiB"), (14_573_568, "13.9 MiB"), (79_812_362_240, "74.3 GiB"),
      (120 << 30, "120 GiB"),
    ])
  func units(_ count: Int, _ text: String) { #expect(Units.bytes(count) == text) }

  @Test("a daemon of another major version does not fit; one of a lower minor may lack words")
  func versions() {
    #expect(ClientVersion.fits("1.0") && ClientVersion.fits("1.7"))
    #expect(!ClientVersion.fits("2.0") && !ClientVersion.fits("0.9") && !ClientVersion.fits("?"))
    #expect(ClientVersion.isOlder("1.0", than: "1.1") && ClientVersion.isOlder("1.9", than: "1.10"))
    #expect(!ClientVersion.isOlder("1.1", than: "1.1") && !ClientVersion.isOlder("1.2", than: "1.1"))
    #expect(!ClientVersion.isOlder("2.0", than: "1.1") && !ClientVersion.isOlder("", than: "1.1"))
  }

  @Test(
    "a trial of what cannot be undone is refused, also where nothing is stored", arguments: ["letter copy", "backup", "watch"])
  func untriable(_ name: String) throws {
    #expect(try #require(Verb.all.first { $0.name == name }).isOneCall == false)
  }

  @Test("a key for a method that does not write would mean nothing, and is refused")
  func keys() throws {
    let failure = try #require(throws: Failure.self) {
      try CallCommand.run(
        session("--idempotency-key", "k", "--socket", "/none"), VerbArguments(["system.backup"], language: .en))
    }
    #expect(failure.code == .usage && failure.message.contains("--idempotency-key"))
  }

  @Test("what is only passing may be tried again; what the daemon refused may not")
  func passing() {
    #expect(Failure(.timedOut(milliseconds: 1), .en).isPassing && Failure(.closed, .en).isPassing)
    #expect(Failure(.closed, .en).isClosed && !Failure(.timedOut(milliseconds: 1), .en).isClosed)
    #expect(!Failure.usage("x").isPassing && !Failure(.failed, "x").isPassing)
  }
}

@Suite("Texts that are made for others")
struct MadeTextTests {
  @Test("paths in a remedy are what a shell takes for one word", arguments: ["/a/b.c-d_1+", "/a b", "/it's", "/$(x)", "/한글"])
  func quoted(_ path: String) {
    let result = Program.output(["/bin/sh", "-c", "printf %s " + DoctorCommand.quoted(path)])
    #expect(result?.text == path && result?.status == 0)
  }

  @Test("the man page is roff without a complaint")
  func manual() throws {
    let groff = try #require(Program.find("groff") ?? Program.find("man"))
    guard groff.hasSuffix("groff") else { return }
    for language in ["en", "ko"] {
      let page = ManualCommand.page(try session("--language", language))
      for verb in Verb.all {
        let name = verb.name.replacing("-", with: "\\-")
        #expect(page.contains("\\fB\(name)\\fR"))
      }
      let script = "groff -ww -k -man -Tutf8 2>&1 >/dev/null | head -c 2000"
      let complaints = Program.output(["/bin/sh", "-c", "printf '%s\n' \(DoctorCommand.quoted(page)) | " + script])
      #expect(complaints?.text == "")
    }
  }

  @Test("every verb's options are completed, with their values", arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) throws {
    let text =
      switch shell {
      case "bash": CompletionsCommand.bash()
      case "zsh": CompletionsCommand.zsh()
      default: CompletionsCommand.fish(try session())
      }
    for verb in Verb.all {
      for option in verb.options {
        #expect(text.contains(shell == "fish" ? "-l \(option.name)" : "--\(option.name)"), "\(verb.name) \(option.name)")
        for value in option.values { #expect(text.contains(value)) }
      }
    }
    for method in MethodCatalogue.all { #expect(text.contains(method.name)) }
    // Read by the shell itself where it is installed.
    guard shell != "bash", let program = Program.find(shell) else { return }
    let check = Program.output(["/bin/sh", "-c", "printf '%s\n' \(DoctorCommand.quoted(text)) | \(program) -n"])
    #expect(check?.status == 0)
  }
}
