import JSON
import Testing

@testable import JSONRPC

private func envelope(_ text: String) throws -> Envelope {
  let bytes = Array(text.utf8)
  return try Envelope(parsing: bytes, in: 0..<bytes.count)
}

private func text(_ id: RequestID?) -> String? { id.map { String(decoding: $0.bytes, as: UTF8.self) } }

@Suite("Envelopes")
struct EnvelopeTests {
  @Test("ids come back as they came", arguments: ["1", "1.0", "1e3", "-0", #""a""#, #""\u0061""#, "null", #""""#, "0"])
  func ids(_ id: String) throws {
    guard case .single(let request) = try envelope(#"{"jsonrpc":"2.0","id": \#(id) ,"method":"m"}"#) else { throw Wrong() }
    #expect(text(request.id) == id)
  }

  @Test("an absent id is a notification; null is not")
  func notification() throws {
    guard case .single(let request) = try envelope(#"{"jsonrpc":"2.0","method":"m","extra":1}"#) else { throw Wrong() }
    #expect(request.id == nil)
    #expect(request.params == nil)
  }

  @Test(
    "what is no request is refused by member, with the id if it is one",
    arguments: [
      (#"{"jsonprc":"2.0","id":"a1","method":"m"}"#, "jsonrpc", #""a1""#),
      (#"{"jsonrpc":"1.0","id":2,"method":"m"}"#, "jsonrpc", "2"),
      (#"{"jsonrpc":2.0,"id":2,"method":"m"}"#, "jsonrpc", "2"), (#"{"jsonrpc":"2.0","id":3}"#, "method", "3"),
      (#"{"jsonrpc":"2.0","id":3,"method":1}"#, "method", "3"), (#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, "id", "null"),
      (#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "id", "null"), (#"{"jsonrpc":"2.0","id":[1],"method":"m"}"#, "id", "null"),
      (#"{"jsonrpc":"2.0","id":4,"method":"m","params":null}"#, "params", "4"),
      (#"{"jsonrpc":"2.0","id":4,"method":"m","params":"x"}"#, "params", "4"),
      (#"{"jsonrpc":"2.0","id":5,"result":1}"#, "method", "5"),
      ("1", nil, "null"), ("null", nil, "null"), (#""x""#, nil, "null"), ("[]", nil, "null"),
    ] as [(String, String?, String)])
  func invalid(_ line: String, _ member: String?, _ id: String) throws {
    guard case .invalid(let failure) = try envelope(line) else { throw Wrong() }
    #expect(failure.member == member)
    #expect(text(failure.id) == id)
  }

  @Test("a batch keeps its order, good and bad")
  func batch() throws {
    guard
      case .batch(let items) = try envelope(#"[{"jsonrpc":"2.0","id":1,"method":"a"},5,[],null,{"jsonrpc":"2.0","method":"b"}]"#)
    else { throw Wrong() }
    #expect(items.map { (try? $0.get())?.method } == ["a", nil, nil, nil, "b"])
  }

  @Test(
    "broken text executes nothing",
    arguments: [
      #"[{"jsonrpc":"2.0","id":1,"method":"a"},"#, #"{"jsonrpc":"2.0","id":1,"method":}"#,
      #"{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":0,"method":"m"}\n\n"#, #"{"jsonrpc":"2.0","id":"\ud800","method":"m"}"#, "",
    ])
  func broken(_ line: String) { #expect(throws: JSONError.self) { try envelope(line) } }

  struct Wrong: Error {}
}

@Suite("Lines")
struct LineBufferTests {
  private func lines(_ chunks: [String], limit: Int = 100) -> [String] {
    var buffer = LineBuffer(limit: limit)
    var found: [String] = []
    func drain() {
      while let item = buffer.next() { found.append(describe(item, buffer)) }
    }
    for chunk in chunks {
      buffer.append(Array(chunk.utf8))
      drain()
    }
    if let last = buffer.last() { found.append("last " + describe(last, buffer)) }
    return found
  }

  private func describe(_ item: LineBuffer.Item, _ buffer: LineBuffer) -> String {
    switch item {
    case .line(let range): String(decoding: buffer.bytes[range], as: UTF8.self)
    case .oversized: "oversized"
    }
  }

  @Test("however the stream is cut, the lines are the same")
  func cuts() {
    let stream = "one\r\n\n  \ntwo\nthree"
    let whole = ["one\r", "two", "last three"]
    #expect(lines([stream]) == whole)
    #expect(lines(stream.map(String.init)) == ["one\r", "two", "last three"])
    for cut in 0...stream.utf8.count {
      let bytes = Array(stream.utf8)
      #expect(lines([String(decoding: bytes[..<cut], as: UTF8.self), String(decoding: bytes[cut...], as: UTF8.self)]) == whole)
    }
  }

  @Test("a line over the limit is told once and what follows is read")
  func oversized() {
    let long = String(repeating: "x", count: 101)
    #expect(lines([long + "\nok\n"]) == ["oversized", "ok"])
    #expect(lines([long, long, "\nok\n"]) == ["oversized", "ok"])
    #expect(lines([String(repeating: "x", count: 100) + "\n"]).first?.count == 100)
    #expect(lines([long]) == ["oversized"])
  }

  @Test("memory is given back after a burst")
  func compacting() {
    var buffer = LineBuffer(limit: 1 << 20)
    buffer.append([UInt8](repeating: 0x61, count: 1 << 20) + [0x0A])
    #expect(buffer.next() != nil)
    buffer.compact()
    #expect(buffer.bytes.capacity < 65_536)
    #expect(buffer.count == 0)
  }
}
