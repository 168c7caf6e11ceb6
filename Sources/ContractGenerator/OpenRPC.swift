import JSON

/// The OpenRPC document (1.3.2) that `rpc.discover` serves.
struct OpenRPCSource {
  let document: JSON

  /// The document as a Swift source: one string in the program's read-only data.
  var swift: String {
    """
    // Made from Protocol/; do not edit.

    /// The contract as an OpenRPC document.
    public enum OpenRPCDocument {
      /// The document, compact, in UTF-8.
      public static let text: StaticString = \(document.description.literal)
    }

    """
  }

  init(_ contract: Contract) {
    let schemas = contract.types.map { ($0.name, Self.schema($0.schema.json)) }
    let methods = contract.methods.map { Self.method($0, contract) }
    document = [
      "openrpc": "1.3.2",
      "info": [
        "title": "kindverbd",
        "description":
          "A private companion on one machine: journals of conflicts and the letters that come of them. JSON-RPC 2.0, one JSON text a line, over a Unix socket.",
        "version": .string(contract.versions?.contract ?? "0.0"),
      ],
      "methods": .array(methods),
      "components": [
        "schemas": .object(JSONObject(schemas)),
        "errors": .object(JSONObject(contract.errors.map { ($0.key, Self.error($0)) })),
      ],
      "x-notifications": .array(
        contract.notifications.map {
          ["name": .string($0.name), "summary": .string($0.summary), "params": Self.schema($0.params.json)]
        }),
    ]
  }

  private static func method(_ method: Method, _ contract: Contract) -> JSON {
    let required = Set(method.params.required)
    let params: [JSON] = method.params.properties.map { name, schema in
      var descriptor: JSONObject = ["name": .string(name)]
      if !schema.summary.isEmpty { descriptor["description"] = .string(schema.summary) }
      descriptor["required"] = .bool(required.contains(name))
      descriptor["schema"] = Self.schema(schema.json)
      return .object(descriptor)
    }
    let keys = method.errors
    return [
      "name": .string(method.name), "summary": .string(method.summary), "description": .string(method.description),
      "paramStructure": "either", "params": .array(params),
      "result": ["name": "result", "schema": Self.schema(method.result.json)],
      "errors": .array(contract.errors.filter { keys.contains($0.key) }.map { Self.error($0) }),
      "examples": .array(method.examples.filter { $0["result"] != nil }.map { Self.example($0) }),
      "tags": [["name": .string(method.domain)]],
      "x-since": .string(method.since), "x-effect": .string(method.effect), "x-async": .bool(method.isAsync),
      "x-events": .array(method.events.map { .string($0) }),
    ]
  }

  private static func example(_ example: JSON) -> JSON {
    let params = example["params"]?.objectValue?.members ?? []
    return [
      "name": example["name"] ?? "example",
      "params": .array(params.map { ["name": .string($0.name), "value": $0.value] }),
      "result": ["name": "result", "value": example["result"] ?? .null],
    ]
  }

  private static func error(_ error: ErrorEntry) -> JSON {
    ["code": .number(JSONNumber(error.code)), "message": .string(error.summary), "data": ["messageKey": .string(error.key)]]
  }

  /// A schema in JSON Schema's own words: `x-nullable` becomes a type that allows null, references point at the components.
  private static func schema(_ json: JSON) -> JSON {
    guard case .object(let object) = json else { return json }
    var result = JSONObject()
    for member in object.members {
      switch (member.name, member.value) {
      case ("$ref", .string(let path)):
        result["$ref"] = .string("#/components/schemas/" + (path.split(separator: "/").last ?? ""))
      case ("properties", .object(let properties)):
        result["properties"] = .object(JSONObject(properties.members.map { ($0.name, schema($0.value)) }))
      case ("items", let items): result["items"] = schema(items)
      case ("x-nullable", _): break
      case (let name, let value): result[name] = value
      }
    }
    guard object["x-nullable"]?.boolValue == true else { return .object(result) }
    if let type = result["type"] {
      result["type"] = [type, "null"]
      return .object(result)
    }
    let description = result["description"]
    result["description"] = nil
    var choice: JSONObject = ["oneOf": [.object(result), ["type": "null"]]]
    choice["description"] = description
    return .object(choice)
  }
}
