import Glibc
import JSONRPC
import KindVerbAPI

/// Text that comes from outside, where anything can stand: it is UTF-8, or it is refused. Nothing is mended silently.
enum OutsideText {
  /// The program's arguments, without its name. Swift's own list of them has bad bytes replaced already.
  static func arguments(
    _ count: Int32, _ vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ language: Language
  ) throws(Failure) -> [String] {
    var words: [String] = []
    for place in 1..<max(1, Int(count)) {
      guard let bytes = vector[place] else { break }
      guard let word = String(validatingCString: bytes) else {
        throw .usage(MessageKey.cliErrorNotTextArgument.text(in: language, "\(place)"))
      }
      words.append(word)
    }
    return words
  }

  /// A variable of the environment; nil for one that is not set.
  static func variable(_ name: String, _ language: Language) throws(Failure) -> String? {
    guard let bytes = getenv(name) else { return nil }
    guard let value = String(validatingCString: bytes) else { throw .usage(MessageKey.cliErrorNotText.text(in: language, name)) }
    return value
  }

  /// A variable of the environment that is one of several ways to know something: one that is no text is as good as none.
  static func variable(_ name: String) -> String? { getenv(name).flatMap { String(validatingCString: $0) } }

  /// The directory that the program was started in.
  static func workingDirectory(_ session: Session) throws(Failure) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard let bytes = getcwd(&buffer, buffer.count) else { return "/" }
    guard let path = String(validatingCString: bytes) else { throw .usage(session.text(.cliErrorNotText, "PWD")) }
    return path
  }

  /// What a call takes, however much of it is written as escapes: `\u0041` for a byte.
  private static let inputLimit = 6 * Client.lineLimit

  /// What a file holds, as bytes of a text.
  static func file(_ path: String, longest: Int, _ session: Session) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .usage(session.text(.cliErrorFile, path, String(cString: strerror(errno)))) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
        guard bytes.count <= longest else { throw .usage(session.text(.cliErrorLargeFile, path, Units.bytes(longest))) }
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw .usage(session.text(.cliErrorFile, path, String(cString: strerror(errno))))
      }
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .usage(session.text(.cliErrorNotText, path)) }
    return bytes
  }

  /// Everything that stands on standard input, as bytes of a text.
  static func standardInput(_ session: Session) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(0, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
        guard bytes.count <= inputLimit else { throw .usage(session.text(.cliErrorLargeInput)) }
      } else if count < 0, errno == EAGAIN {
        waitUntilReady(0, POLLIN)
      } else if count < 0, errno != EINTR {
        throw .usage(session.text(.cliErrorInput, String(cString: strerror(errno))))
      } else if count == 0 {
        break
      }
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .usage(session.text(.cliErrorNotTextInput)) }
    return bytes
  }
}
