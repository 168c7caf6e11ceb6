import Glibc

/// Where a bus is, as the bus's own standard writes it.
enum BusAddress {
  /// Where the person's session bus is; empty if nothing says so.
  static func environment() -> String {
    let value = { name in getenv(name).map { String(cString: $0) } ?? "" }
    let given = value("DBUS_SESSION_BUS_ADDRESS")
    let directory = value("XDG_RUNTIME_DIR")
    guard given.isEmpty, !directory.isEmpty else { return given }
    // Anything but these is written as % and two hexadecimal digits in an address.
    let path = directory.utf8.map { byte in
      let letter = byte | 0x20
      let isLetter = letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
      return isLetter || "0123456789-_/.".utf8.contains(byte) ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
    }
    return "unix:path=\(path.joined())/bus"
  }

  /// Two digits.
  static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  /// The alternatives of an address that are sockets of this machine: others may look a host up or start a program, and wait for it.
  static func local(_ address: String) -> String {
    address.split(separator: ";").filter { $0.hasPrefix("unix:") }.joined(separator: ";")
  }
}
