import Testing

@testable import Commands

/// What came of typing some bytes: the lines that were ended, and what stands in the last one.
private func typed(_ text: String, into editor: inout LineEditor) -> [String] {
  var lines: [String] = []
  for byte in text.utf8 {
    switch editor.take(byte) {
    case .line: lines.append(editor.text); editor.clear()
    case .pastedLine: lines.append("+" + editor.text); editor.clear()
    default: break
    }
  }
  return lines
}

@Suite("A line being typed")
struct LineEditorTests {
  @Test(
    "keys do what they do in a shell",
    arguments: [
      ("abc\u{7F}\u{08}", "a"), ("한글\u{7F}", "한"), ("👨‍👩‍👧\u{7F}x", "x"), ("e\u{301}\u{7F}x", "x"),
      ("bc\u{01}a", "abc"), ("ac\u{1B}[Db", "abc"), ("ac\u{1B}[D\u{1B}[Cb", "acb"), ("ac\u{1B}[Hx", "xac"),
      ("ac\u{1B}OHx\u{1B}OFy", "xacy"),
      ("abc\u{1B}[D\u{1B}[D\u{1B}[3~", "ac"), ("abc\u{02}\u{04}", "ab"), ("one two \u{17}", "one "), ("one\u{15}", ""),
      ("abc\u{02}\u{0B}", "ab"), ("a\tb", "a b"), ("a\u{1B}[1;5Ab", "ab"), ("a\u{1B}xb", "axb"), ("a\u{1B}\u{1B}[Db", "ba"),
      ("a\u{00}\u{1C}b", "ab"), ("a\u{85}b", "ab"),
    ])
  func keys(_ input: String, _ text: String) {
    var editor = LineEditor()
    #expect(typed(input, into: &editor) == [])
    #expect(editor.text == text)
  }

  @Test("bytes that are no character are dropped, and what follows is kept")
  func badBytes() {
    for bad: [UInt8] in [[0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xFF], [0xC0, 0xAF], [0xF0, 0x9F, 0x91]] {
      var editor = LineEditor()
      for byte in Array("a".utf8) + bad + Array("b".utf8) { _ = editor.take(byte) }
      #expect(editor.text == "ab" && editor.isDamaged, "\(bad)")
      #expect(editor.take(0x15) == .changed && !editor.isDamaged, "rubbed out")
    }
  }

  @Test("the lines of a pasted text in which there are bad bytes do not come by themselves")
  func badPaste() {
    var editor = LineEditor()
    let bytes = Array("\u{1B}[200~a".utf8) + [0xE9, 0x0D] + Array("b\u{1B}[201~".utf8)
    #expect(!bytes.contains { [.line, .pastedLine].contains(editor.take($0)) } && editor.isDamaged)
    #expect(editor.take(0x0D) == .line)
    editor.clear()
    #expect(!editor.isDamaged)
  }

  @Test("Enter, Ctrl-C, Ctrl-D and Ctrl-Z are told apart")
  func ends() {
    var editor = LineEditor()
    #expect(editor.take(0x03) == .interrupted && editor.take(0x1A) == .suspended && editor.take(0x04) == .end)
    _ = editor.take(UInt8(ascii: "a"))
    #expect(editor.take(0x04) == .nothing && editor.take(0x0D) == .line && editor.take(0x0A) == .line)
  }

  @Test("a pasted text keeps its empty lines, and control characters in it are no keys")
  func paste() {
    var editor = LineEditor()
    let lines = typed("x\u{1B}[200~one\r\n\rtwo\u{03}\u{04}\nthree\u{1B}[201~ more\r", into: &editor)
    #expect(lines == ["+xone", "+", "+two", "three more"])
  }

  @Test(
    "the cursor comes to stand where a terminal puts it",
    arguments: [
      ("", 0, 0), ("abc", 0, 3), (String(repeating: "x", count: 10), 1, 0), (String(repeating: "x", count: 11), 1, 1),
      (String(repeating: "x", count: 9) + "한", 1, 2), (String(repeating: "한", count: 5), 1, 0), ("e\u{301}👨‍👩‍👧", 0, 3),
    ])
  func place(_ text: String, _ row: Int, _ column: Int) {
    #expect(ScreenPlace().after(text, width: 10) == ScreenPlace(row: row, column: column))
  }
}
