import Foundation
import JSON

/// What is wrong with a contract or a catalog; it fails the build.
struct ContractError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The strict JSON of a file, so that a name that stands twice in a contract is refused.
func readJSON(_ path: String) throws -> JSON {
  guard let data = FileManager.default.contents(atPath: path) else { throw ContractError("\(path): cannot be read") }
  do {
    return try JSON(parsing: Array(data))
  } catch { throw ContractError("\(path): \(error.kind.rawValue) at byte \(error.offset)") }
}

extension String {
  /// `journal.create` → `JournalCreate`.
  var upperCamel: String {
    split(whereSeparator: { ".-_ ".contains($0) }).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// `error.journal.too_long` → `errorJournalTooLong`.
  var lowerCamel: String {
    let name = upperCamel
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  /// As a Swift string literal.
  var literal: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.properties.isDefaultIgnorableCodePoint:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// As a documentation comment of so many spaces.
  func comment(_ indent: Int = 0) -> String {
    split(separator: "\n").map { String(repeating: " ", count: indent) + "/// " + $0 }.joined(separator: "\n")
  }
}
