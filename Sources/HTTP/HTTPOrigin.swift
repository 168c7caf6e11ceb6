/// A host and a port that requests may go to. There is no scheme: it is always https.
public struct HTTPOrigin: Hashable, Sendable {
  /// The host's name in small letters, or its address; an IPv6 address is in brackets.
  public let host: String
  /// The port, 1–65535.
  public let port: Int

  /// Where a URL leads; nil unless it is one that a request may have: see ``HTTPTarget``.
  public init?(_ url: String) {
    guard let target = HTTPTarget(url) else { return nil }
    self = target.origin
  }

  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }
}

/// A URL as a request may have it: `https://HOST[:PORT][/PATH][?QUERY]` out of the characters that RFC 3986 lets stand there, a name that
/// is written in ASCII, no user, no fragment, at most 4 096 bytes.
///
/// It is read here, and strictly, so that what is allowed and what libcurl then connects to cannot be two hosts.
struct HTTPTarget {
  let url: String
  let origin: HTTPOrigin

  init?(_ url: String) {
    let bytes = Array(url.utf8)
    let scheme = Array("https://".utf8)
    guard bytes.count <= 4_096, bytes.count > scheme.count, Self.lowercased(bytes[..<scheme.count]).elementsEqual(scheme) else {
      return nil
    }
    let rest = bytes[scheme.count...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    guard let origin = Self.origin(rest[..<end]), Self.isPath(rest[end...]) else { return nil }
    self.url = url
    self.origin = origin
  }

  private static func origin(_ authority: ArraySlice<UInt8>) -> HTTPOrigin? {
    var host = authority
    var port = 443
    let colon = authority.lastIndex(of: UInt8(ascii: ":"))
    let bracket = authority.lastIndex(of: UInt8(ascii: "]"))
    if let colon, bracket.map({ colon > $0 }) ?? true {
      let digits = authority[(colon + 1)...]
      guard (1...5).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
      port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      host = authority[..<colon]
    }
    guard (1...65_535).contains(port), isName(host) || isAddress(host) else { return nil }
    return HTTPOrigin(host: String(decoding: lowercased(host), as: UTF8.self), port: port)
  }

  /// Labels of letters, digits, `-` and `_` with single dots between them; an IPv4 address is one too.
  private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
    host.count <= 253
      && host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
        (1...63).contains(label.count)
          && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      }
  }

  /// An IPv6 address in brackets, without a zone.
  private static func isAddress(_ host: ArraySlice<UInt8>) -> Bool {
    guard host.count > 4, host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else { return false }
    return host.dropFirst().dropLast().allSatisfy {
      isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20) || $0 == UInt8(ascii: ":")
        || $0 == UInt8(ascii: ".")
    }
  }

  private static let marks = Set("-._~!$&'()*+,;=:@/?%".utf8)

  private static func isPath(_ path: ArraySlice<UInt8>) -> Bool {
    path.allSatisfy { isLetter($0) || isDigit($0) || marks.contains($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
