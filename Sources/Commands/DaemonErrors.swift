import JSON
import KindVerbAPI

/// The daemon's errors in a person's words: what the error's details say becomes sentences.
struct DaemonErrorText {
  private let session: Session
  private let data: JSON
  private let method: String

  init(_ session: Session, _ data: JSON, of method: String) {
    self.session = session
    self.data = data
    self.method = method
  }

  /// The text for an error with this code and message.
  func text(_ code: Int, _ message: String) -> String {
    let field = data["field"]?.stringValue
    var parts = [message]
    if code == -32602, let field {
      parts = [wrongParameter(field)]
    } else if let field, field != "id" {
      parts[0] += " (\(name(of: field)))"
    }
    if let limit { parts.append(limit) }
    if let nearest = data["nearest"]?.stringValue {
      parts.append(session.text(.cliErrorNearest, nearest))
    } else if let expected = data["expected"]?.stringValue, data["got"]?.stringValue != "absent", expected != "no parameters" {
      parts.append(session.text(.cliErrorExpected, words(expected)))
    }
    return parts.joined(separator: " ")
  }

  private func wrongParameter(_ field: String) -> String {
    let name = String(field.prefix { $0 != "[" && $0 != "." })
    if let known = MethodCatalogue.named(method)?.parameters, name != "_meta", !known.contains(where: { $0.name == name }) {
      return session.text(.cliErrorUnknownParameter, name, method)
    }
    let key: MessageKey = data["got"]?.stringValue == "absent" ? .cliErrorMissingParameter : .cliErrorWrongParameter
    return session.text(key, self.name(of: field))
  }

  /// A field in a person's words, where there are some.
  private func name(of field: String) -> String { MessageKey.text("cli.field.\(field)", in: session.language) ?? field }

  private var limit: String? {
    guard let limit = data["limit"]?.intValue else { return nil }
    // How often, rather than how much: the message tells.
    if data["unit"]?.stringValue?.hasPrefix("per ") == true { return nil }
    let unit: MessageKey? =
      switch data["unit"]?.stringValue {
      case "characters": .cliLimitCharacters
      case "bytes": .cliLimitBytes
      case "items": .cliLimitItems
      case "maximum": .cliLimitMaximum
      case "minimum": .cliLimitMinimum
      default: nil
      }
    return "(" + (unit.map { session.text($0, String(limit)) } ?? String(limit)) + ")"
  }

  /// What the daemon expected, where it is no list of names.
  private func words(_ expected: String) -> String {
    let keys: [String: MessageKey] = [
      "string": .cliExpectedText, "integer": .cliExpectedInteger, "number": .cliExpectedNumber, "boolean": .cliExpectedBoolean,
      "array": .cliExpectedList, "object": .cliExpectedObject, "text without U+0000": .cliExpectedTextWithoutZero,
      "an absolute path of a file": .cliExpectedPath,
    ]
    return keys[expected].map { session.text($0) } ?? expected
  }

  /// What a parameter of some kind takes.
  static func words(for kind: ParameterDescriptor.Kind, _ session: Session) -> String {
    switch kind {
    case .string, .any: session.text(.cliExpectedText)
    case .integer: session.text(.cliExpectedInteger)
    case .number: session.text(.cliExpectedNumber)
    case .boolean: session.text(.cliExpectedBoolean)
    case .object: session.text(.cliExpectedObject)
    case .array(let item): "\(session.text(.cliExpectedList)) (\(words(for: item, session)))"
    case .enumeration(let cases): cases.joined(separator: ", ")
    }
  }
}
