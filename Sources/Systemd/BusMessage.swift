import CSystemd
import Glibc

/// A message that came over the bus. Its values are read in order; it lives as long as the handler that got it runs.
struct BusMessage {
  let handle: OpaquePointer

  /// The error's name (`org.freedesktop.DBus.Error.ServiceUnknown`) if this answers a call that failed.
  var errorName: String? { sd_bus_message_get_error(handle).flatMap { $0.pointee.name }.map { String(cString: $0) } }

  /// The name of the signal or method.
  var member: String { sd_bus_message_get_member(handle).map { String(cString: $0) } ?? "" }

  /// Whether it holds exactly the values of that signature, no error, and nothing after them.
  func has(_ signature: String) -> Bool {
    errorName == nil && sd_bus_message_has_signature(handle, signature) > 0
  }

  /// The next value, a string.
  func string() -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(handle, .string, &text) > 0 else { return nil }
    return text.map { String(cString: $0) }
  }

  /// The next value, a number without sign.
  func uint32() -> UInt32? {
    var number: UInt32 = 0
    guard sd_bus_message_read_basic(handle, .uint32, &number) > 0 else { return nil }
    return number
  }

  /// The next value, a truth.
  func boolean() -> Bool? {
    var truth: Int32 = 0
    guard sd_bus_message_read_basic(handle, .boolean, &truth) > 0 else { return nil }
    return truth != 0
  }

  /// The next value, a list of strings: the first 256 of them. (The library's own reader takes a time that grows with the square of
  /// their number, in which the loop would stand still.)
  func strings() -> [String]? {
    guard sd_bus_message_enter_container(handle, .array, "s") > 0 else { return nil }
    var strings: [String] = []
    while strings.count < 256, let text = string() { strings.append(text) }
    return strings
  }
}

/// A call that is being written. The first value that does not fit is remembered, and the call is then not sent.
struct BusCall: ~Copyable {
  let handle: OpaquePointer?
  private(set) var result: Int32

  /// An empty call to a method; `bus` is libsystemd's connection.
  init(_ bus: OpaquePointer, to destination: String, path: String, interface: String, method: String) {
    var message: OpaquePointer?
    result = sd_bus_message_new_method_call(bus, &message, destination, path, interface, method)
    handle = message
    // Only a start that is asked for by name starts a service.
    if result >= 0 { result = sd_bus_message_set_auto_start(message, 0) }
  }

  deinit { sd_bus_message_unref(handle) }

  mutating func append(_ text: String) { text.withCString { append(.string, $0) } }
  mutating func append(_ number: UInt32) { withUnsafePointer(to: number) { append(.uint32, $0) } }
  mutating func append(_ number: Int32) { withUnsafePointer(to: number) { append(.int32, $0) } }
  mutating func append(_ byte: UInt8) { withUnsafePointer(to: byte) { append(.byte, $0) } }

  /// A list of strings.
  mutating func append(_ strings: [String]) {
    container(.array, "s") { call in
      for text in strings { call.append(text) }
    }
  }

  /// What `body` appends, inside a container of that type.
  mutating func container(_ type: CChar, _ contents: String, _ body: (inout BusCall) -> Void) {
    attempt { sd_bus_message_open_container($0, type, contents) }
    body(&self)
    attempt { sd_bus_message_close_container($0) }
  }

  private mutating func append(_ type: CChar, _ value: UnsafeRawPointer) {
    attempt { sd_bus_message_append_basic($0, type, value) }
  }

  private mutating func attempt(_ step: (OpaquePointer?) -> Int32) {
    if result >= 0 { result = step(handle) }
  }
}

/// The bus's type letters.
extension CChar {
  static let byte = CChar(UInt8(ascii: "y"))
  static let boolean = CChar(UInt8(ascii: "b"))
  static let int32 = CChar(UInt8(ascii: "i"))
  static let uint32 = CChar(UInt8(ascii: "u"))
  static let string = CChar(UInt8(ascii: "s"))
  static let array = CChar(UInt8(ascii: "a"))
  static let variant = CChar(UInt8(ascii: "v"))
  static let entry = CChar(UInt8(ascii: "e"))
}
