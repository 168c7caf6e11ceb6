import JSON

private let header = "// Made from Protocol/; do not edit.\n\nimport JSON\n\n"

/// The types of the contract: structures and enumerations.
struct TypesSource {
  let text: String

  init(_ contract: Contract) {
    let types = SwiftTypes(contract: contract)
    var source = header
    for (name, schema) in contract.types {
      if let cases = schema.cases {
        source += Self.enumeration(name, schema, cases)
      } else if schema.type == "object" {
        source += Self.structure(name, schema, types)
      }
    }
    for notification in contract.notifications {
      source += Self.structure(notification.name.upperCamel, notification.params, types, summary: notification.summary)
      source += "extension \(notification.name.upperCamel) {\n  /// The notification's method.\n"
      source += "  public static let method = \(notification.name.literal)\n}\n\n"
    }
    text = source
  }

  private static func enumeration(_ name: String, _ schema: Schema, _ cases: [String]) -> String {
    var source = schema.summary.comment() + "\npublic enum \(name): String, CaseIterable, Sendable {\n"
    for value in cases {
      let word = value.lowerCamel
      source += word == value ? "  case \(word)\n" : "  case \(word) = \(value.literal)\n"
    }
    source += "\n  /// The value as JSON.\n  var json: StaticString {\n    switch self {\n"
    for value in cases { source += "    case .\(value.lowerCamel): \("\"\(value)\"".literal)\n" }
    return source + "    }\n  }\n}\n\n"
  }

  private static func structure(_ name: String, _ schema: Schema, _ types: SwiftTypes, summary: String? = nil) -> String {
    let required = Set(schema.required)
    let members = schema.properties.map {
      StructSource.Member(name: $0.name, schema: $0.schema, isRequired: required.contains($0.name))
    }
    let body = StructSource(types: types, members: members)
    return """
      \((summary ?? schema.summary).comment())
      public struct \(name): ContractValue, Equatable {
      \(body.declarations)
      \(body.initializer)
        public init(json: JSON) throws(APIError) {
          \(members.isEmpty ? "_" : "let fields") = try Fields(result: json, in: \(name.literal))
      \(body.readers)  }

        public func write(to writer: inout JSONWriter) {
      \(body.writers(nulls: true))  }
      }


      """
  }
}

/// One declaration for each method, with its parameters, and the catalogue of all.
struct MethodsSource {
  let text: String

  init(_ contract: Contract) {
    let types = SwiftTypes(contract: contract)
    var source =
      header + "/// The methods of the contract, one declaration each.\npublic enum Methods {}\n\nextension Methods {\n"
    for method in contract.methods { source += Self.method(method, types) }
    source += "}\n\nextension MethodCatalogue {\n  /// Every method, by file and in the order of each file.\n"
    source += "  public static let all: [MethodDescriptor] = [\n"
    source += contract.methods.map { "    Methods.\($0.name.upperCamel).descriptor,\n" }.joined()
    text = source + "  ]\n}\n"
  }

  private static func method(_ method: Method, _ types: SwiftTypes) -> String {
    let required = Set(method.params.required)
    let members = method.params.properties.map { name, schema in
      StructSource.Member(
        name: name, schema: schema, isRequired: required.contains(name), isChange: schema.isNullable && !required.contains(name))
    }
    let body = StructSource(types: types, members: members)
    let names = members.map(\.name.literal).joined(separator: ", ")
    return """
      \(method.description.comment())
      public enum \(method.name.upperCamel): ContractMethod {
        public typealias Result = KindVerbAPI.\(types.type(of: method.result))

        /// The parameters of `\(method.name)`.
        public struct Params: ContractParams {
      \(body.declarations)
      \(body.initializer)
          public init(decoding params: JSONObject) throws(APIError) {
            \(members.isEmpty ? "_" : "let fields") = try Fields(params: params, known: [\(names)])
      \(body.readers)    }

          public func write(to writer: inout JSONWriter) {
      \(body.writers(nulls: false))    }
        }

        public static let descriptor = MethodDescriptor(
          name: \(method.name.literal), domain: \(method.domain.literal), summary: \(method.summary.literal),
          description: \(method.description.literal), since: \(method.since.literal),
          effect: .\(method.effect), isAsync: \(method.isAsync),
          parameters: [\(members.map { parameter($0, types) }.joined(separator: ", "))],
          errors: [\(method.errors.map { "." + types.caseName($0) }.joined(separator: ", "))])
      }


      """
  }

  private static func parameter(_ member: StructSource.Member, _ types: SwiftTypes) -> String {
    let schema = types.contract.resolved(member.schema)
    let summary = member.schema.summary.isEmpty ? schema.summary : member.schema.summary
    return "ParameterDescriptor(name: \(member.name.literal), summary: \(summary.literal), kind: \(kind(schema, types)), "
      + "isRequired: \(member.isRequired), isNullable: \(member.schema.isNullable))"
  }

  private static func kind(_ schema: Schema, _ types: SwiftTypes) -> String {
    if let name = schema.reference {
      guard let cases = types.contract.schema(named: name).cases else { return ".object" }
      return ".enumeration([\(cases.map(\.literal).joined(separator: ", "))])"
    }
    switch schema.type {
    case "string", "integer", "number", "boolean": return ".\(schema.type ?? "string")"
    case "array": return ".array(\(kind(types.contract.resolved(schema.items), types)))"
    case "object": return ".object"
    default: return ".any"
    }
  }
}

/// The errors of the contract.
struct ErrorsSource {
  let text: String

  init(_ contract: Contract) {
    let types = SwiftTypes(contract: contract)
    var source =
      header + "/// Every error that the daemon gives, by its key.\npublic enum ErrorKey: String, CaseIterable, Sendable {\n"
    for error in contract.errors {
      source += "\(error.summary.comment(2))\n  case \(types.caseName(error.key)) = \(error.key.literal)\n"
    }
    source += "}\n\nextension ErrorKey {\n"
    source += Self.property("code", "Int", "The number on the wire.", contract.errors) {
      (types.caseName($0.key), String($0.code))
    }
    source += Self.property("domain", "String", "The area it belongs to.", contract.errors) {
      (types.caseName($0.key), $0.domain.literal)
    }
    source += Self.property("name", "String", "Its short name, `data.code` on the wire.", contract.errors) {
      (types.caseName($0.key), $0.name.literal)
    }
    source += "  /// Whether the same call may succeed later.\n  public var isRetriable: Bool {\n    switch self {\n"
    let retriable = contract.errors.filter(\.isRetriable).map { "." + types.caseName($0.key) }
    source += "    case \(retriable.joined(separator: ", ")): true\n    default: false\n    }\n  }\n\n"
    source += "  /// The key of its text.\n  var messageKey: MessageKey {\n    switch self {\n"
    for error in contract.errors { source += "    case .\(types.caseName(error.key)): .\(error.key.lowerCamel)\n" }
    text = source + "    }\n  }\n}\n"
  }

  private static func property(
    _ name: String, _ type: String, _ summary: String, _ errors: [ErrorEntry], _ value: (ErrorEntry) -> (String, String)
  ) -> String {
    "  /// \(summary)\n  public var \(name): \(type) {\n    switch self {\n"
      + errors.map { "    case .\(value($0).0): \(value($0).1)\n" }.joined() + "    }\n  }\n\n"
  }
}
