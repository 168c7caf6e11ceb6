import Testing

@testable import JSON

private func refusal(_ bytes: [UInt8]) -> JSONError? {
  do {
    _ = try JSONParser.parse(bytes)
    return nil
  } catch { return error }
}

private func refusal(_ text: String) -> JSONError? { refusal(Array(text.utf8)) }

@Suite("The JSON door")
struct JSONDoorTests {
  @Test(
    "what the grammar accepts is accepted and written back",
    arguments: [
      #"null"#, #"true"#, #"false"#, #"0"#, #"-0"#, #"12.50"#, #"1e+9"#, #""""#, #""가나 😀""#, #"[]"#, #"{}"#,
      #"[1,[2,[3]],{"a":{"b":null}}]"#, #"{"b":1,"a":2}"#, #"123456789012345678901234567890"#,
    ])
  func roundTrip(_ text: String) throws {
    #expect(try JSON.parse(" \t\r\n" + text + "\n ").description == text)
  }

  @Test(
    "refusals carry kind and offset",
    arguments: [
      ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("[", .unexpectedEnd, 1), (#"{"a""#, .unexpectedEnd, 4),
      (#"{"a":}"#, .unexpectedCharacter, 5), ("[1,]", .unexpectedCharacter, 3), ("[1 2]", .unexpectedCharacter, 3),
      ("tru", .unexpectedEnd, 3), ("trux", .unexpectedCharacter, 3), ("01", .invalidNumber, 0), ("-", .invalidNumber, 0),
      ("1.", .invalidNumber, 0), ("1e", .invalidNumber, 0), ("+1", .unexpectedCharacter, 0), ("NaN", .unexpectedCharacter, 0),
      ("1 2", .trailingText, 2), (#"{}\n\n"#, .trailingText, 2), (#"{"a":1,"a":2}"#, .duplicateName, 7),
      (#"{"a":1,"\u0061":2}"#, .duplicateName, 7), ("[12x3]", .unexpectedCharacter, 3), (#""\x""#, .invalidEscape, 1),
      (#""\u12G4""#, .invalidEscape, 1), ("\"a\u{1}\"", .controlCharacter, 2), ("\"\n\"", .controlCharacter, 1),
      ("\"\0\"", .controlCharacter, 1), ("\u{FEFF}{}", .unexpectedCharacter, 0), (#""abc"#, .unexpectedEnd, 4),
    ] as [(String, JSONError.Kind, Int)])
  func refused(_ text: String, _ kind: JSONError.Kind, _ offset: Int) {
    #expect(refusal(text) == JSONError(kind, at: offset))
  }

  @Test(
    "halves of surrogate pairs are refused wherever they stand",
    arguments: [
      #""\uDFF3""#, #""\uD83D""#, #""\uD83D\u0041""#, #""\uD83Dx""#, #"{"\uD83D":1}"#, #"["\ud83d\ud83d"]"#,
    ])
  func loneSurrogate(_ text: String) { #expect(refusal(text)?.kind == .loneSurrogate) }

  @Test("an escaped pair and the raw character are the same")
  func surrogatePair() throws { #expect(try JSON.parse(#""\ud83d\udc38""#) == JSON.parse(#""🐸""#)) }

  @Test(
    "bytes that are not UTF-8 are refused with their offset",
    arguments: [
      [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x80], [0xFF], [0xE0, 0x80, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func invalidUTF8(_ bytes: [UInt8]) {
    #expect(refusal([0x22, 0x61] + bytes + [0x22]) == JSONError(.invalidUTF8, at: 2))
    #expect(refusal([0x22, 0x61] + bytes)?.offset == 2)
  }

  @Test("depth is limited, not the stack")
  func depth() {
    let deep = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    #expect(refusal(deep(64)) == nil)
    #expect(refusal(deep(65)) == JSONError(.depth, at: 64))
    #expect(refusal(String(repeating: "[", count: 200_000)) == JSONError(.depth, at: 64))
    #expect(refusal(String(repeating: #"{"a":"#, count: 200_000))?.kind == .depth)
  }

  @Test("names that stand twice are found among many")
  func manyNames() {
    let names = (0..<5_000).map { "\"n\($0)\":0" }
    #expect(refusal("{" + names.joined(separator: ",") + "}") == nil)
    #expect(refusal("{" + (names + [#""n4321":0"#]).joined(separator: ",") + "}")?.kind == .duplicateName)
  }

  @Test("names are compared byte by byte: é in one piece and é in two are two names, however many there are")
  func namesByBytes() throws {
    let more = (0..<40).map { ",\"n\($0)\":0" }.joined()
    for rest in ["", more] {
      let object = try #require(try JSON.parse("{\"\u{E9}\":1,\"e\u{301}\":2\(rest)}").objectValue)
      #expect(object["\u{E9}"] == 1 && object["e\u{301}"] == 2)
      #expect(refusal("{\"\u{E9}\":1\(rest),\"\u{E9}\":2}")?.kind == .duplicateName)
      #expect(JSONObject(object.members.map { ($0.name, $0.value) }) == object)
    }
    #expect(JSON.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONObject([("\u{E9}", 1), ("e\u{301}", 2)]).count == 2)
  }

  @Test("an object of many members is built, compared and changed in linear time, and keeps the later of two")
  func manyMembers() {
    let members = (0..<130_000).map { ("n\($0)", JSON.null) }
    let clock = ContinuousClock()
    // Quadratic, this would take minutes.
    let time = clock.measure {
      let object = JSONObject(members + [("n7", true)])
      #expect(object.count == 130_000 && object.members[7].value == true)
      #expect(object == JSONObject(Array(members.reversed()) + [("n7", true)]))
      #expect(object != JSONObject(members))
    }
    #expect(time < .seconds(20))
  }

  @Test("escapes decode to what they say")
  func escapes() throws {
    #expect(try JSON.parse(#""\"\\\/\b\f\n\r\t\u0041\u0000""#).stringValue == "\"\\/\u{8}\u{C}\n\r\tA\0")
  }

  @Test("integers are exact")
  func integers() throws {
    #expect(try JSON.parse("1e3").intValue == 1000)
    #expect(try JSON.parse("2.0").intValue == 2)
    #expect(try JSON.parse("2.5").intValue == nil)
    #expect(try JSON.parse("9223372036854775807").intValue == Int.max)
    #expect(try JSON.parse("9223372036854775808").intValue == nil)
    #expect(try JSON.parse("1e400").intValue == nil)
    #expect(try JSON.parse("-0.0").intValue == 0)
    #expect(try JSON.parse("1.50e1").intValue == 15)
    #expect(try JSON.parse("1500e-2").intValue == 15)
    #expect(try JSON.parse("1501e-2").intValue == nil)
  }

  @Test("a range of the bytes is read alone")
  func range() throws {
    let bytes = Array("xx[1]yy".utf8)
    #expect(try JSONParser.parse(bytes, in: 2..<5) == [1])
    #expect(throws: JSONError(.unexpectedEnd, at: 2)) { try JSONParser.parse(bytes, in: 2..<4) }
  }
}

@Suite("The JSON writer")
struct JSONWriterTests {
  @Test("control characters and line separators are escaped, nothing else is")
  func escaping() throws {
    let text = "a\"\\\n\t\u{1}\u{1f}\u{2028}\u{2029}é한😀/"
    var writer = JSONWriter()
    writer.string(text)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #""a\"\\\n\t\u0001\u001f\u2028\u2029é한😀/""#)
    #expect(try JSON(parsing: writer.bytes) == .string(text))
  }

  @Test("what must be escaped is found wherever it stands among what need not be")
  func places() throws {
    for special in ["\"", "\\", "\n", "\u{1f}", "\u{2028}", "\u{2027}", "é", "😀", "\u{7f}"] {
      for before in 0..<20 {
        for after in [0, 1, 7, 8, 9] {
          let text = String(repeating: "a", count: before) + special + String(repeating: "!", count: after) + special
          var writer = JSONWriter()
          writer.string(text)
          #expect(try JSON(parsing: writer.bytes) == .string(text))
          #expect(!writer.bytes.contains { $0 < 0x20 } && !String(decoding: writer.bytes, as: UTF8.self).contains("\u{2028}"))
        }
      }
    }
  }

  @Test("commas stand between and nowhere else")
  func commas() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("a")
    writer.beginArray()
    writer.integer(1)
    writer.double(2.5)
    writer.double(.nan)
    writer.endArray()
    writer.name("b" as String)
    writer.beginObject()
    writer.endObject()
    writer.name("c")
    writer.raw("[true]".utf8)
    writer.endObject()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":[1,2.5,null],"b":{},"c":[true]}"#)
  }
}
