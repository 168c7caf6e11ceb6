// libFuzzer's target for framing and envelope: the first byte says how the rest is cut into pieces; however it is cut, the lines
// are those of the whole, and each is an envelope or a refusal.

/// libFuzzer calls it with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count > 1, let start else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let whole = lines(bytes, piece: bytes.count)
  let cut = lines(bytes, piece: Int(start[0] % 64) + 1)
  precondition(whole == cut, "the lines depend on how the stream is cut")
  for line in whole {
    guard let line else { continue }
    switch try? Envelope(parsing: line, in: 0..<line.count) {
    case .batch(let items)?: precondition(!items.isEmpty, "an empty batch")
    case .single(let request)?:
      precondition(request.id.map { (try? JSONParser.parse($0.bytes)) != nil } ?? true, "an id that is no JSON")
    case .invalid?, nil: break
    }
  }
  return 0
}

/// The lines of a stream that comes in pieces; nil stands for one over the limit.
private func lines(_ bytes: [UInt8], piece: Int) -> [[UInt8]?] {
  var buffer = LineBuffer(limit: 512)
  var found: [[UInt8]?] = []
  func take(_ item: LineBuffer.Item) {
    switch item {
    case .line(let range): found.append(Array(buffer.bytes[range]))
    case .oversized: found.append(nil)
    }
  }
  for begin in stride(from: 0, to: bytes.count, by: max(1, piece)) {
    buffer.append(bytes[begin..<min(begin + piece, bytes.count)])
    while let item = buffer.next() { take(item) }
  }
  if let item = buffer.last() { take(item) }
  return found
}
