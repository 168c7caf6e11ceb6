// libFuzzer's target for the JSON door: whatever the bytes, the reader answers a value or a refusal within the text, and a value
// that was read writes itself as text that reads back the same.

/// libFuzzer calls it with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do {
    let value = try JSONParser.parse(bytes)
    var writer = JSONWriter()
    writer.value(value)
    guard let again = try? JSONParser.parse(writer.bytes), again == value else { fatalError("does not read back the same") }
    precondition(!writer.bytes.contains(0x0A), "a line feed in a line")
  } catch {
    precondition((0...count).contains(error.offset), "an offset outside the text")
  }
  return 0
}
