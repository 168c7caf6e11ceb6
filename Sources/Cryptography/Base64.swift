/// Base64 (RFC 4648), read strictly: of the texts that a lax reader takes for the same bytes it takes one.
public enum Base64: Sendable {
  /// With `+`, `/` and `=` at the end.
  case standard
  /// With `-` and `_`, and nothing at the end.
  case url

  /// The bytes that a text stands for; nil for anything but their one spelling: white space, the other alphabet's letters, `=` too many or
  /// too few, or bits after the last byte.
  public func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    var letters = text.count
    if self == .standard {
      guard letters % 4 == 0 else { return nil }
      letters -= text.suffix(2).count { $0 == UInt8(ascii: "=") }
    }
    guard letters % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for letter in text.prefix(letters) {
      guard let value = value(of: letter) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return bits == 0 ? bytes : nil
  }

  private func value(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+") where self == .standard, UInt8(ascii: "-") where self == .url: 62
    case UInt8(ascii: "/") where self == .standard, UInt8(ascii: "_") where self == .url: 63
    default: nil
    }
  }
}
