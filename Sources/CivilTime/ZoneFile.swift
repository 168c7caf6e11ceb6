extension Zone {
  /// Reads the bytes of a zone's file (TZif, RFC 8536, any version); nil for anything else. Leap seconds are passed over, as they
  /// are by the system's clock.
  public init?(file bytes: [UInt8]) {
    guard let first = Header(bytes, at: 0) else { return nil }
    if first.version == 0 {
      self.init(first, bytes, wordBytes: 4, rule: nil)
      return
    }
    // What a reader of the first version sees comes before what it cannot know.
    let second = first.end(wordBytes: 4)
    guard let header = Header(bytes, at: second), let end = Optional(header.end(wordBytes: 8)), end < bytes.count,
      bytes[end] == UInt8(ascii: "\n"), let close = bytes[(end + 1)...].firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let footer = String(decoding: bytes[(end + 1)..<close], as: UTF8.self)
    let rule = footer.isEmpty ? nil : PosixRule(footer)
    if !footer.isEmpty, rule == nil { return nil }
    self.init(header, bytes, wordBytes: 8, rule: rule)
  }

  /// What an offset should be, in seconds (RFC 8536, 3.2).
  private static let offsetRange: ClosedRange<Int32> = -89_999...93_599

  private init?(_ header: Header, _ bytes: [UInt8], wordBytes: Int, rule: PosixRule?) {
    guard header.types > 0, header.end(wordBytes: wordBytes) <= bytes.count else { return nil }
    let times = header.place + 44
    let indices = times + header.times * wordBytes
    let types = indices + header.times
    func offset(_ type: Int) -> Int32 { Int32(truncatingIfNeeded: Self.number(bytes, types + type * 6, 4)) }
    var starts: [Int64] = []
    var offsets: [Int32] = []
    starts.reserveCapacity(header.times)
    offsets.reserveCapacity(header.times)
    for index in 0..<header.times {
      let type = Int(bytes[indices + index])
      let start = Self.number(bytes, times + index * wordBytes, wordBytes)
      guard type < header.types, start > starts.last ?? .min, Self.offsetRange.contains(offset(type)) else { return nil }
      starts.append(start)
      offsets.append(offset(type))
    }
    guard Self.offsetRange.contains(offset(0)) else { return nil }
    self.init(starts: starts, offsets: offsets, initialOffset: offset(0), rule: rule)
  }

  /// A signed number of 4 or 8 bytes, the most significant first.
  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int64 {
    // A zone is read at each call that needs one, and has hundreds of these.
    precondition(place >= 0 && place + count <= bytes.count)
    return bytes.withUnsafeBytes { raw in
      count == 8
        ? Int64(bigEndian: raw.loadUnaligned(fromByteOffset: place, as: Int64.self))
        : Int64(Int32(bigEndian: raw.loadUnaligned(fromByteOffset: place, as: Int32.self)))
    }
  }

  /// The 44 bytes before a block of data.
  private struct Header {
    let place: Int
    let version: UInt8
    let indicators: Int
    let standards: Int
    let leaps: Int
    let times: Int
    let types: Int
    let letters: Int

    init?(_ bytes: [UInt8], at place: Int) {
      guard bytes.count >= place + 44, bytes[place..<place + 4].elementsEqual("TZif".utf8) else { return nil }
      self.place = place
      version = bytes[place + 4]
      let counts = (0..<6).map { Zone.number(bytes, place + 20 + $0 * 4, 4) }
      // No file has more than some hundred of anything; what says so is none.
      guard counts.allSatisfy({ (0...65_536).contains($0) }) else { return nil }
      indicators = Int(counts[0])
      standards = Int(counts[1])
      leaps = Int(counts[2])
      times = Int(counts[3])
      types = Int(counts[4])
      letters = Int(counts[5])
    }

    func end(wordBytes: Int) -> Int {
      place + 44 + times * (wordBytes + 1) + types * 6 + letters + leaps * (wordBytes + 4) + standards + indicators
    }
  }
}
