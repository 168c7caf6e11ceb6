import Glibc
import JSON
import KindVerbAPI
import Testing

@testable import Commands

private func session(_ arguments: String...) throws -> Session {
  let terminal = Terminal(isTerminal: true, isInteractive: false, width: 80, hasColour: false)
  return Session(try Options.parse(arguments) { $0 == "LANG" ? "en_US.UTF-8" : nil }, terminal: terminal)
}

@Suite("Text in cells")
struct CellTests {
  @Test(
    "cells are those of a terminal",
    arguments: [
      ("Ann", 3), ("민수", 4), ("ｆｕｌｌ", 8), ("👨‍👩‍👧", 2), ("e\u{301}", 1), ("", 0), ("あ", 2), ("漢字kana", 8), ("🇰🇷", 2),
      ("a\u{200B}b", 2), ("🇰", 1), ("🖥", 1), ("🖥️", 2), ("⌚", 2), ("1️⃣", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1161}", 0),
      ("䷀", 2),
      ("a\u{AD}b", 3), ("「」", 4), ("カナ", 4), ("ｶﾅ", 2), ("…", 1),
    ])
  func width(_ text: String, _ cells: Int) { #expect(cellWidth(text) == cells) }

  @Test("columns stand under each other on a terminal, and tabs part them in a pipe")
  func table() {
    var table = Table()
    for name in ["민수", "Ann", "👨‍👩‍👧", "ｆｕｌｌ"] { table.add([name, "x", String(repeating: "장", count: 60)]) }
    let lines = table.lines(width: 40)
    for line in lines {
      #expect(cellWidth(line) <= 40)
      let before = line.prefix { $0 != "x" }
      #expect(cellWidth(before) == 10)
    }
    #expect(table.lines(width: nil)[1] == "Ann\tx\t" + String(repeating: "장", count: 60))
  }

  @Test("a line is never wider than the terminal, however narrow", arguments: [1, 5, 12, 30])
  func narrow(_ width: Int) {
    var table = Table()
    table.add(["0123456789", "민수 민수", "text"])
    table.add(["0", "", ""])
    for isPlain in [true, false] {
      for line in table.lines(width: width, isPlain: isPlain) {
        #expect(cellWidth(line) <= width && !(isPlain && line.contains("…")))
      }
    }
  }

  @Test("rows of which nothing may be lost are broken where they have no room, and left alone on the narrowest")
  func whole() {
    var table = Table()
    table.add(["evening", "121/81 mmHg", "2026-05-02 00:40"])
    #expect(table.whole(width: 20) == ["evening  121/81 mmHg", "2026-05-02 00:40"])
    #expect(table.whole(width: 19) == ["evening  121/81 mmHg  2026-05-02 00:40"])
    #expect(table.whole(width: 80) == table.lines(width: 80))
    #expect(table.whole(width: nil) == table.lines(width: nil))
  }

  @Test("stored control characters cannot steer a terminal")
  func safe() throws {
    let terminal = Terminal(isTerminal: true, isInteractive: false, width: 80, hasColour: false)
    #expect(terminal.safe("a\u{1B}[2Jb\nc\u{202E}d") == "a\\u{1b}[2Jb\nc\\u{202e}d")
    let pipe = Terminal(isTerminal: false, isInteractive: false, width: nil, hasColour: false)
    #expect(pipe.safe("a\u{1B}b") == "a\u{1B}b")
  }

  @Test(
    "Base64 is that of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(_ text: String, _ encoded: String) { #expect(Clipboard.base64(Array(text.utf8)) == encoded) }
}

@Suite("The command line")
struct CommandLineTests {
  @Test("options may stand anywhere, and the verb's own stay with it")
  func options() throws {
    let options = try Options.parse(["journal", "--json", "list", "--limit", "3", "--language=ko", "--", "--x"]) { _ in nil }
    #expect(options.isJSON && options.language == .ko)
    #expect(options.words == ["journal", "list", "--limit", "3"] && options.literals == ["--x"])
    let arguments = try VerbArguments(["a", "--limit", "3", "--all"], options: [.limit, .all], language: .en)
    #expect(arguments.words == ["a"] && arguments["limit"] == "3" && arguments["all"] == "" && arguments["before"] == nil)
    #expect(throws: Failure.self) { try VerbArguments(["--nothing"], language: .en) }
    #expect(throws: Failure.self) { try Options.parse(["--socket"]) { _ in nil } }
  }

  @Test("the schema decides what a word is")
  func typing() throws {
    let session = try session()
    let method = try #require(MethodCatalogue.named("journal.create"))
    let words = [
      "conflictType=friends", "situationText=007", "hurtText={\"a\":1}", "reflectionText=true", "desiredNeedText=a\"b=c:=d",
      "feelings=sad,torn", "addressee:=\"Sam\"",
    ]
    let params = try CallCommand.parameters(words, of: method, session)
    #expect(params["situationText"] == "007")
    #expect(params["hurtText"] == "{\"a\":1}")
    #expect(params["reflectionText"] == "true")
    #expect(params["desiredNeedText"] == "a\"b=c:=d")
    #expect(params["feelings"] == ["sad", "torn"])
    #expect(params["addressee"] == "Sam")
    let list = try #require(MethodCatalogue.named("journal.list"))
    #expect(try CallCommand.parameters(["limit=5"], of: list, session)["limit"] == 5)
    #expect(throws: Failure.self) { try CallCommand.parameters(["limit=five"], of: list, session) }
    #expect(throws: Failure.self) { try CallCommand.parameters(["limit:={"], of: list, session) }
    #expect(throws: Failure.self) { try CallCommand.parameters(["limit"], of: list, session) }
  }

  @Test("verbs are found by their longest name, and a near one is offered")
  func verbs() {
    #expect(Verb.find(["journal", "new", "friends"])?.path == ["journal", "new"])
    #expect(Verb.find(["journal"]) == nil)
    #expect(Verb.nearest(to: ["jurnal", "new"]) == "journal new")
  }

  @Test("completions are text that the shell reads")
  func completions() throws {
    for method in MethodCatalogue.all { #expect(CompletionsCommand.bash().contains(method.name)) }
    let path = "/tmp/kindverb-completion-\(getpid())"
    let descriptor = creat(path, 0o600)
    let text = CompletionsCommand.bash()
    _ = write(descriptor, text, text.utf8.count)
    close(descriptor)
    #expect(Program.run(["/bin/bash", "-n", path]))
    unlink(path)
  }
}

extension Wizard {
  /// Takes a typed line as the dialogue does: an answer or a command.
  fileprivate mutating func take(_ line: String, feelings: [String], labels: [String] = []) -> Outcome? {
    switch Self.meaning(of: line) {
    case .text(let text): take(answer: text, feelings: feelings, labels: labels)
    case .command(let command): obey(command)
    case .unknown: nil
    }
  }
}

@Suite("The five questions")
struct WizardTests {
  private let feelings = ["sad", "lonely", "torn"]

  @Test("answers lead on; commands go back, skip and leave")
  func course() {
    var wizard = Wizard()
    #expect(wizard.take("", feelings: feelings) == .needsAnswer)
    #expect(wizard.take("/skip", feelings: feelings) == .needsAnswer)
    #expect(wizard.take("  I came late.\n", feelings: feelings) == .answered)
    #expect(wizard.answers.situation == "I came late.")
    #expect(wizard.take("/back", feelings: feelings) == .back)
    #expect(wizard.step == 1)
    #expect(wizard.take("", feelings: feelings) == .skipped)
    #expect(wizard.take("1 3, my own word", feelings: feelings) == .answered)
    #expect(wizard.answers.feelings == ["sad", "torn", "my own word"])
    #expect(wizard.take(String(repeating: "가", count: 501), feelings: feelings) == .tooLong(501))
    #expect(wizard.take("You waited.", feelings: feelings) == .answered)
    #expect(wizard.take("/skip", feelings: feelings) == .skipped)
    #expect(wizard.take("/quit", feelings: feelings) == .quit)
    #expect(!wizard.isDone)
    #expect(wizard.take("trust", feelings: feelings) == .answered)
    #expect(wizard.isDone)
  }

  @Test("feelings: at most eight, at most 24 characters, numbers beyond the list are slips")
  func limits() {
    var wizard = Wizard(step: 2)
    #expect(wizard.take((1...9).map { "word\($0)" }.joined(separator: ","), feelings: feelings) == .tooManyFeelings)
    #expect(wizard.take(String(repeating: "x", count: 25), feelings: feelings) == .tooLong(25))
    #expect(wizard.take(" , ,", feelings: feelings) == .needsAnswer)
    #expect(wizard.take("7，lonely、1", feelings: feelings) == .notInList("7") && wizard.step == 2)
    #expect(wizard.take("lonely、１；7 times", feelings: feelings) == .answered)
    #expect(wizard.answers.feelings == ["lonely", "sad", "7 times"])
  }

  @Test("numbers that choose nothing are refused, whatever their size; without a list they are words")
  func numbers() {
    var wizard = Wizard(step: 2)
    for number in ["0", "4", "-9223372036854775808", "99999999999999999999"] {
      #expect(wizard.take("1, \(number)", feelings: feelings) == .notInList(number) && wizard.step == 2)
    }
    wizard = Wizard(step: 2)
    #expect(wizard.take("1", feelings: []) == .answered)
    #expect(wizard.answers.feelings == ["1"])
  }

  @Test(
    "a journal goes on at the question that was asked last: the fourth too, which may stay without an answer",
    arguments: [(1, nil, nil, 1), (3, nil, nil, 3), (5, nil, nil, 4), (5, "I was late.", nil, 5), (nil, nil, "trust", 5)]
      as [(Int?, String?, String?, Int)])
  func goingOn(_ open: Int?, _ reflection: String?, _ need: String?, _ step: Int) {
    let answers = Wizard.Answers(situation: "a", feelings: ["sad"], hurt: "b", reflection: reflection, need: need)
    #expect(Wizard(resuming: answers, open: open).step == step)
  }

  @Test("a word with a slash is a command or a slip; two slashes, or a space before it, make it text")
  func slashes() {
    var wizard = Wizard()
    #expect(Wizard.meaning(of: "/hlep") == .unknown("/hlep") && Wizard.meaning(of: "/help ") == .command(.help))
    #expect(wizard.obey(.help) == nil && wizard.step == 1)
    #expect(wizard.take("/QUIT", feelings: feelings) == .quit)
    #expect(wizard.take("//home is full", feelings: feelings) == .answered && wizard.answer(1) == "/home is full")
    wizard.ask(again: 1)
    #expect(wizard.take(" /back is a word", feelings: feelings) == .answered && wizard.answer(1) == "/back is a word")
    #expect(Wizard.meaning(of: "1/2") == .text("1/2"))
  }

  @Test("a question that was answered can be asked again, with its answer")
  func again() {
    var wizard = Wizard()
    #expect(wizard.take("You always come late.", feelings: feelings) == .answered)
    wizard.ask(again: 1)
    #expect(wizard.step == 1 && wizard.answer(1) == "You always come late.")
    #expect(wizard.take("", feelings: feelings) == .skipped && wizard.step == 2)
  }

  @Test("a wizard that goes on has the answers that are there, and an empty line keeps them")
  func resume() {
    let left = Wizard.Answers(situation: "a", feelings: ["sad", "own"], hurt: nil, reflection: nil, need: nil)
    var wizard = Wizard(step: 3, answers: left)
    #expect(wizard.answer(2) == "sad, own" && wizard.answer(3) == nil)
    #expect(wizard.take("", feelings: feelings) == .needsAnswer)
    #expect(wizard.take("/back", feelings: feelings) == .back)
    #expect(wizard.take("", feelings: feelings) == .skipped)
    #expect(wizard.answers == left && wizard.step == 3)
    for _ in 0..<5 { _ = wizard.take("/back", feelings: feelings) }
    #expect(wizard.step == 1)
  }

  @Test("a built-in feeling may be written out, as the person reads it")
  func writtenOut() {
    var wizard = Wizard(step: 2)
    #expect(wizard.take("외로움, Sad, 슬픔", feelings: feelings, labels: ["슬픔", "외로움", "갈팡질팡"]) == .answered)
    #expect(wizard.answers.feelings == ["lonely", "Sad", "sad"])
  }

  @Test("the own part that was there can be taken back, and kept by an empty line")
  func ownPart() {
    var wizard = Wizard(step: 4, answers: Wizard.Answers(reflection: "mine"))
    #expect(wizard.take(" ", feelings: feelings) == .skipped)
    #expect(wizard.answers.reflection == "mine")
    wizard = Wizard(step: 4, answers: Wizard.Answers(reflection: "mine"))
    #expect(wizard.take("/skip", feelings: feelings) == .skipped)
    #expect(wizard.answers.reflection == nil)
  }
}

@Suite("What a word means to the schema")
struct TypedTests {
  @Test("numbers, truths and lists are taken only in their own form")
  func kinds() {
    #expect(CallCommand.typed("1e5", .number) == (try? JSON.parse("1e5")))
    #expect(CallCommand.typed("1e5", .string) == "1e5")
    #expect(CallCommand.typed("1e5", .integer) == nil)
    #expect(CallCommand.typed("007", .number) == nil)
    #expect(CallCommand.typed("\"1\"", .number) == nil)
    #expect(CallCommand.typed("true", .boolean) == true)
    #expect(CallCommand.typed("True", .boolean) == nil)
    #expect(CallCommand.typed("1", .boolean) == nil)
    #expect(CallCommand.typed("", .array(.string)) == [])
    #expect(CallCommand.typed("1,2", .array(.integer)) == [1, 2])
    #expect(CallCommand.typed("1,x", .array(.integer)) == nil)
    #expect(CallCommand.typed("{\"a\":1}", .object) == ["a": 1])
    #expect(CallCommand.typed("a", .object) == nil)
    #expect(CallCommand.typed("[1]", .object) == nil)
    #expect(CallCommand.typed("a", .any) == "a")
    #expect(CallCommand.typed("1", .any) == 1)
  }

  @Test("a method that is unknown is refused with the nearest")
  func unknownMethod() throws {
    let session = try session()
    let failure = try #require(throws: Failure.self) {
      try CallCommand.run(session, VerbArguments(["system.pnig"], language: .en))
    }
    #expect(failure.code == .usage && failure.message.contains("system.ping"))
  }
}

@Suite("The verbs")
struct VerbTests {
  @Test("every verb has a line of help in every language, and is found by its own words", arguments: Verb.all.map(\.path))
  func help(_ path: [String]) throws {
    let verb = try #require(Verb.find(path + ["an argument"]))
    #expect(verb.path == path)
    for language in Language.allCases { #expect(!verb.summary.text(in: language).isEmpty) }
  }
}
