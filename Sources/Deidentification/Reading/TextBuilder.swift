/// A text put together from scalars and pieces, byte by byte.
struct TextBuilder {
  private var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ scalars: ArraySlice<Unicode.Scalar>) {
    for scalar in scalars {
      if scalar.value < 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
  var builder = TextBuilder(capacity: scalars.count * 3)
  builder.append(scalars)
  return builder.text
}
