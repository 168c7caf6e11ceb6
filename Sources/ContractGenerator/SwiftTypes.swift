import JSON

/// How a schema stands in Swift: the type, the expression that reads it from JSON and the one that writes it.
struct SwiftTypes {
  let contract: Contract

  /// The Swift type of a value that is there.
  func type(of schema: Schema) -> String {
    let schema = contract.resolved(schema)
    if let name = schema.reference { return name }
    switch schema.type {
    case "string": return schema.isPersonal ? "PersonalText" : "String"
    case "integer": return "Int"
    case "number": return "Double"
    case "boolean": return "Bool"
    case "array": return "[\(type(of: schema.items))]"
    default: return "JSON"
    }
  }

  /// A closure that reads the value: `(JSON, String) throws(APIError) -> T`.
  func reader(of schema: Schema) -> String {
    let schema = contract.resolved(schema)
    if let name = schema.reference {
      return contract.schema(named: name).cases == nil ? "Read.object(\(name).self)" : "Read.enumeration(\(name).self)"
    }
    let rule = self.rule(schema)
    switch schema.type {
    case "string": return schema.isPersonal ? "Read.personal(\(rule))" : "Read.string(\(rule))"
    case "integer": return "Read.integer(\(rule))"
    case "number": return "Read.number(\(rule))"
    case "boolean": return "Read.boolean"
    case "array": return "Read.array(\(rule), \(reader(of: schema.items)))"
    default: return "Read.any"
    }
  }

  /// The limits of a schema as a `Rule`.
  private func rule(_ schema: Schema) -> String {
    let words: [(String, String)] = [
      ("minLength", "minimum"), ("minItems", "minimum"), ("minimum", "minimum"), ("maxLength", "maximum"),
      ("maxItems", "maximum"),
      ("maximum", "maximum"), ("x-maxBytes", "bytes"),
    ]
    var parts = words.compactMap { word, label in schema.json[word]?.intValue.map { "\(label): \($0)" } }
    if let key = schema.json["x-error"]?.stringValue { parts.append("error: .\(caseName(key))") }
    if let key = schema.json["x-errorBelow"]?.stringValue { parts.append("errorBelow: .\(caseName(key))") }
    return "Rule(\(parts.joined(separator: ", ")))"
  }

  /// A statement that writes `expression`, which is not optional.
  func writer(_ expression: String, _ schema: Schema) -> String {
    let schema = contract.resolved(schema)
    if let name = schema.reference {
      return contract.schema(named: name).cases == nil
        ? "\(expression).write(to: &writer)" : "writer.word(\(expression).json)"
    }
    switch schema.type {
    case "string": return schema.isPersonal ? "writer.string(\(expression).exposed)" : "writer.string(\(expression))"
    case "integer": return "writer.integer(\(expression))"
    case "number": return "writer.double(\(expression))"
    case "boolean": return "writer.bool(\(expression))"
    case "array":
      return "writer.beginArray(); for item in \(expression) { \(writer("item", schema.items)) }; writer.endArray()"
    default: return "writer.value(\(expression))"
    }
  }

  /// The case of `ErrorKey` for a key: `error.journal.too_long` → `journalTooLong`.
  func caseName(_ key: String) -> String { String(key.dropFirst("error.".count)).lowerCamel }
}

/// The members of a structure, as they are declared, read and written.
struct StructSource {
  struct Member {
    let name: String
    let schema: Schema
    let isRequired: Bool
    var isChange = false
  }

  let types: SwiftTypes
  let members: [Member]

  private func type(_ member: Member) -> String {
    let type = types.type(of: member.schema)
    if member.isChange { return "Change<\(type)>" }
    return member.isRequired && !member.schema.isNullable ? type : type + "?"
  }

  var declarations: String {
    members.map { member in
      let comment = member.schema.summary.isEmpty ? types.contract.resolved(member.schema).summary : member.schema.summary
      return (comment.isEmpty ? "" : comment.comment(2) + "\n") + "  public var \(member.name): \(type(member))\n"
    }.joined()
  }

  var initializer: String {
    let parameters = members.map { member in
      let type = type(member)
      return "\(member.name): \(type)" + (member.isChange ? " = .keep" : type.hasSuffix("?") ? " = nil" : "")
    }
    return "  public init(\(parameters.joined(separator: ", "))) {\n"
      + members.map { "    self.\($0.name) = \($0.name)\n" }.joined() + "  }\n"
  }

  /// The statements that read every member from `fields`.
  var readers: String {
    members.map { member in
      let call = member.isChange ? "change" : member.isRequired && !member.schema.isNullable ? "required" : "optional"
      return "    \(member.name) = try fields.\(call)(\(member.name.literal), \(types.reader(of: member.schema)))\n"
    }.joined()
  }

  /// The body of `write(to:)`; absent optional members are left out, absent nullable ones of a result are `null`.
  func writers(nulls: Bool) -> String {
    var source = "    writer.beginObject()\n"
    for member in members {
      let name = "writer.member(\(",\"\(member.name)\":".literal))"
      let value = types.writer(member.name, member.schema)
      if member.isChange {
        source += "    switch \(member.name) {\n    case .keep: break\n    case .clear: \(name); writer.null()\n"
        source += "    case .set(let \(member.name)): \(name); \(value)\n    }\n"
      } else if type(member).hasSuffix("?") {
        let absent = nulls && member.isRequired ? " else { \(name); writer.null() }" : ""
        source += "    if let \(member.name) { \(name); \(value) }\(absent)\n"
      } else if types.type(of: member.schema) == "Bool" {
        let pieces = ["true", "false"].map { ",\"\(member.name)\":\($0)".literal }
        source += "    writer.whole(\(member.name) ? \(pieces[0]) : \(pieces[1]))\n"
      } else {
        source += "    \(name); \(value)\n"
      }
    }
    return source + "    writer.endObject()\n"
  }
}
