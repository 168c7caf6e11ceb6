import Testing

@testable import HTTP

@Suite("Where a request may go")
struct TargetTests {
  @Test(
    "Plain https URLs lead where they say",
    arguments: [
      ("https://example.com", "example.com", 443), ("https://Example.COM/a", "example.com", 443),
      ("HTTPS://example.com?a=b", "example.com", 443),
      ("https://example.com:8443/v1beta/models/x:generateContent?alt=sse", "example.com", 8_443),
      ("https://firestore.googleapis.com/v1/projects/p/databases/(default)/documents:commit", "firestore.googleapis.com", 443),
      ("https://127.0.0.1:1/", "127.0.0.1", 1), ("https://[::1]:65535/", "[::1]", 65_535), ("https://[::1]", "[::1]", 443),
      ("https://a-b_c.de/%EA%B0%80", "a-b_c.de", 443),
    ])
  func plain(url: String, host: String, port: Int) {
    #expect(HTTPOrigin(url) == HTTPOrigin(host: host, port: port))
  }

  @Test(
    "Everything else leads nowhere",
    arguments: [
      "", "https://", "http://example.com", "ftp://example.com", "file:///etc/passwd", "//example.com", "example.com",
      " https://example.com",
      "https:///example.com", "https:/example.com", "https:\\\\example.com", "https://user@example.com",
      "https://user:pass@example.com",
      "https://example.com@evil.example", "https://example.com\\@evil.example", "https://example.com#@evil.example",
      "https://example.com/#a",
      "https://example.com:", "https://example.com:0", "https://example.com:65536", "https://example.com:443a",
      "https://example.com:+443",
      "https://example.com:000443", "https://example.com.", "https://.example.com", "https://a..b", "https://exam ple.com",
      "https://exa%6Dple.com",
      "https://예시.kr", "https://example.com/가", "https://example.com/a b", "https://example.com/\r\nX: y",
      "https://example.com/\u{0}",
      "https://example.com/{a}", "https://example.com/\"", "https://[::1", "https://::1", "https://[::1%25lo]", "https://[]",
      "https://[::1]a",
      "https://" + String(repeating: "a", count: 64) + ".com", "https://example.com/" + String(repeating: "a", count: 4_096),
    ])
  func refused(url: String) { #expect(HTTPOrigin(url) == nil) }
}

@Suite("Headers")
struct HeaderTests {
  private func headers(_ lines: String...) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for line in lines { #expect(Array(line.utf8).withUnsafeBytes { headers.take($0) }) }
    return headers
  }

  @Test("Values are found whatever the case of the name, all of them, in their order")
  func lookup() {
    let headers = headers("HTTP/1.1 429 Too Many Requests\r\n", "Retry-After: 7\r\n", "X: \r\n", "retry-after:\t9 \r\n", "\r\n")
    #expect(headers.status == 429)
    #expect(headers.values(of: "RETRY-after") == ["7", "9"])
    #expect(headers.values(of: "x") == [""])
    #expect(headers.values(of: "y").isEmpty)
  }

  @Test("An interim answer leaves nothing behind; a folded line goes on; what is no header is passed over")
  func oddities() {
    let headers = headers(
      "HTTP/1.1 103 Early Hints\r\n", "Link: a\r\n", "\r\n", "HTTP/1.1 200\r\n", " lost\r\n", "A: b:c\r\n", "  d\r\n", "what\r\n",
      "B: 가\r\n")
    #expect(headers.status == 200)
    #expect(headers.fields.map(\.name) == ["A", "B"])
    #expect(headers.fields.map(\.value) == ["b:c d", "가"])
    #expect(self.headers("HTTP/1.1 abc\r\n").status == nil)
  }

  @Test("There is room for 64 KiB of them")
  func limit() {
    var headers = HTTPHeaders()
    let line = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 15)
    #expect(line.withUnsafeBytes { headers.take($0) })
    #expect(line.withUnsafeBytes { headers.take($0) })
    #expect(![0x0A].withUnsafeBytes { headers.take($0) })
  }

  @Test(
    "A header is one line, or the request is not sent",
    arguments: [
      ("x", "a\r\nEvil: b"), ("x", "a\nb"), ("x", "a\u{0}b"), ("x: y\r\nz", "a"), ("", "a"), ("x y", "a"), ("x:", "a"),
      ("é", "a"),
    ])
  func injection(name: String, value: String) {
    let limits = HTTPLimits(firstByte: 1, idle: 1, total: 1)
    #expect(HTTPRequest(.get, "https://a", headers: [(name, value)], limits: limits).headerLines == nil)
    #expect(HTTPRequest(.get, "https://a", secretHeaders: [(name, Secret(value))], limits: limits).headerLines == nil)
  }

  @Test("Headers become the lines that libcurl takes")
  func lines() {
    let request = HTTPRequest(
      .post, "https://a", headers: [("A", "b: c"), ("Empty", "")], secretHeaders: [("Key", Secret("가\t1"))],
      limits: HTTPLimits(firstByte: 1, idle: 1, total: 1))
    #expect(request.headerLines == ["A: b: c", "Empty;", "Key: 가\t1"])
  }
}

@Suite("What may not be shown")
struct WithheldTests {
  @Test("Neither a secret nor a request nor an answer describes what is in it")
  func descriptions() {
    let request = HTTPRequest(
      .post, "https://host.example/sentinel-url", headers: [("H", "sentinel-header")],
      secretHeaders: [("K", Secret("sentinel-key"))],
      body: Array("sentinel-body".utf8), limits: HTTPLimits(firstByte: 1, idle: 1, total: 1))
    var headers = HTTPHeaders()
    #expect(Array("S: sentinel-answer\r\n".utf8).withUnsafeBytes { headers.take($0) })
    let response = HTTPResponse(status: 200, headers: headers, body: Array("sentinel".utf8))
    for value in [request, response, Secret("sentinel")] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      let texts = ["\(value)", String(reflecting: value), dumped, "\([value])"]
      for text in texts { #expect(!text.contains("sentinel") && !text.contains("115, 101, 110")) }
    }
  }
}
