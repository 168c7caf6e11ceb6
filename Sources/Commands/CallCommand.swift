import JSON
import KindVerbAPI

/// `call METHOD [name=value|name:=json|-]`: every method of the contract, with the schema deciding what a value is.
enum CallCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let words = arguments.words
    guard let name = words.first else { throw .missing("METHOD", session) }
    guard let method = MethodCatalogue.named(name) else {
      let hint = MethodCatalogue.nearest(to: name).map { " " + session.text(.cliErrorNearest, $0) } ?? ""
      throw .usage(session.text(.cliErrorUnknownMethod, name) + hint)
    }
    if method.name == "events.subscribe" { throw .usage(session.text(.cliErrorUseWatch)) }
    if session.options.idempotencyKey != nil, method.effect != .write {
      throw .usage(session.text(.cliErrorOptionWithoutEffect, "--idempotency-key", method.name))
    }
    let params = try parameters(Array(words.dropFirst()), of: method, session)
    session.terminal.json(try session.call(method.name, params).description)
  }

  /// The parameters of the words after the method's name.
  static func parameters(_ words: [String], of method: MethodDescriptor, _ session: Session) throws(Failure) -> JSONObject {
    var params = JSONObject()
    for word in words {
      if word == "-" {
        for member in try standardInput(session).members { params[member.name] = member.value }
      } else if let (name, text) = split(word, at: ":=") {
        guard let value = try? JSON.parse(text) else { throw .usage(session.text(.cliErrorNotJSON, name)) }
        params[name] = value
      } else if let (name, text) = split(word, at: "=") {
        params[name] = try value(text, name, of: method, session)
      } else {
        throw .usage(session.text(.cliErrorNotAParameter, word))
      }
    }
    return params
  }

  private static func split(_ word: String, at separator: String) -> (String, String)? {
    // The first `=` decides: in `text=a:=b` it is a plain value, in `n:=1` it is JSON.
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return nil }
    let hasColon = word[word.index(before: equals)] == ":"
    guard hasColon == (separator == ":=") else { return nil }
    let end = hasColon ? word.index(before: equals) : equals
    return (String(word[..<end]), String(word[word.index(after: equals)...]))
  }

  private static func value(_ text: String, _ name: String, of method: MethodDescriptor, _ session: Session) throws(Failure)
    -> JSON
  {
    guard let parameter = method.parameters.first(where: { $0.name == name }) else {
      // The daemon names the nearest one; what kind the value has does not matter then.
      return .string(text)
    }
    guard let value = typed(text, parameter.kind) else {
      let expected = session.text(.cliErrorExpected, DaemonErrorText.words(for: parameter.kind, session))
      throw .usage(session.text(.cliErrorWrongValue, name, text) + " " + expected)
    }
    return value
  }

  /// A word as the schema's type: a string takes anything as it is, `007` and `{"a":1}` too.
  static func typed(_ text: String, _ kind: ParameterDescriptor.Kind) -> JSON? {
    switch kind {
    case .string, .enumeration: return .string(text)
    case .integer: return Int(text).map { .number(JSONNumber($0)) }
    case .number:
      guard let value = try? JSON.parse(text), case .number = value else { return nil }
      return value
    case .boolean: return text == "true" ? true : text == "false" ? false : nil
    case .array(let item):
      if text.isEmpty { return [] }
      let items = text.split(separator: ",", omittingEmptySubsequences: false).map { typed(String($0), item) }
      return items.contains { $0 == nil } ? nil : .array(items.compactMap { $0 })
    case .object:
      guard let value = try? JSON.parse(text), case .object = value else { return nil }
      return value
    case .any: return (try? JSON.parse(text)) ?? .string(text)
    }
  }

  private static func standardInput(_ session: Session) throws(Failure) -> JSONObject {
    let bytes = try OutsideText.standardInput(session)
    guard let object = (try? JSON(parsing: bytes))?.objectValue else { throw .usage(session.text(.cliErrorNotJSON, "-")) }
    return object
  }
}
