import Glibc
import KindVerbAPI
import Testing

@testable import Commands

@Suite("Text from outside")
struct OutsideTextTests {
  /// The arguments of a program, as bytes.
  private func read(_ words: [[UInt8]]) throws -> [String] {
    let program = [Array("kindverb".utf8)]
    let copies = (program + words).map { word in strdup((word + [0]).map { CChar(bitPattern: $0) }) }
    defer { for copy in copies { free(copy) } }
    var vector = copies + [nil]
    let count = Int32(copies.count)
    return try vector.withUnsafeMutableBufferPointer { buffer in
      try OutsideText.arguments(count, try #require(buffer.baseAddress), .en)
    }
  }

  @Test("arguments come as they are, whatever they look like")
  func arguments() throws {
    let words = ["--", "caf\u{E9}", "cafe\u{301}", "\u{FFFD}", "약속", "", "👨‍👩‍👧"]
    #expect(try read(words.map { Array($0.utf8) }).map { Array($0.utf8) } == words.map { Array($0.utf8) })
    #expect(try read([]) == [])
  }

  @Test(
    "an argument that is no UTF-8 is refused by its place, and not repeated",
    arguments: [
      [0xE9], [0x61, 0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
    ] as [[UInt8]])
  func badArgument(_ bytes: [UInt8]) throws {
    let failure = try #require(throws: Failure.self) { try read([Array("ping".utf8), bytes]) }
    #expect(failure.code == .usage && failure.message == MessageKey.cliErrorNotTextArgument.text(in: .en, "2"))
  }

  @Test("no C program without a name is tripped over")
  func noName() throws {
    var nothing: [UnsafeMutablePointer<CChar>?] = [nil]
    let words = try nothing.withUnsafeMutableBufferPointer { try OutsideText.arguments(0, try #require($0.baseAddress), .en) }
    #expect(words == [])
  }
}

@Suite("Writing")
struct WritingTests {
  @Test("what cannot be written is known")
  func full() {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    #expect(!write("text", to: full) && errno == ENOSPC)
    #expect(write("", to: full))
    close(full)
    #expect(!write("text", to: full) && errno == EBADF)
  }
}

@Suite("A text that is not kept yet")
struct KeptTextTests {
  private func file(_ text: String) throws -> KeptText {
    let terminal = Terminal(isTerminal: false, isInteractive: false, width: nil, hasColour: false)
    return try #require(KeptText(text, Session(try Options.parse([]) { _ in nil }, terminal: terminal)))
  }

  private func put(_ bytes: [UInt8], into path: String) {
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  @Test("it is in a private file as long as it is needed")
  func lives() throws {
    let file = try file("A text.")
    defer { file.remove() }
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try file.contents() == "A text.")
    file.remove()
    #expect(access(file.path, F_OK) != 0)
    #expect(try file.contents() == nil)
  }

  @Test("what is no text, and what is too large, is refused")
  func refuses() throws {
    let file = try file("A text.")
    defer { file.remove() }
    put([0x63, 0xE9], into: file.path)
    #expect(throws: Failure.self) { try file.contents() }
    put([], into: file.path)
    #expect(try file.contents() == "")
    truncate(file.path, 300 << 20)
    let start = ContinuousClock.now
    #expect(throws: Failure.self) { try file.contents() }
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test("what is no file is not read")
  func noFile() throws {
    let file = try file("A text.")
    defer { file.remove() }
    unlink(file.path)
    mkfifo(file.path, 0o600)
    #expect(try file.contents() == nil)
  }
}
