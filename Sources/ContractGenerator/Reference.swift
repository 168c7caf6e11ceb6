import JSON

/// The contract as a page for people, in Markdown.
struct Reference {
  let text: String

  init(_ contract: Contract) {
    let page = Page(contract: contract)
    var text = """
      # Reference

      Made from the contract by `ContractGenerator reference`; do not edit. Framing, options of a call, limits and errors are in
      [README.md](README.md).

      | Method | |
      |---|---|

      """
    for method in contract.methods {
      text += "| [`\(method.name)`](#\(page.anchor(method.name))) | \(page.cell(method.summary)) |\n"
    }
    for domain in contract.domains {
      text += "\n## \(domain.name)\n\n\(domain.summary)\n"
      for method in contract.methods where method.domain == domain.name { text += page.section(of: method) }
    }
    text += "\n## Notifications\n\nThey have no `id` and want no answer.\n"
    for entry in contract.notifications {
      text += "\n### \(entry.name)\n\n\(entry.summary)\n\n" + page.table(of: entry.params, heading: "Member")
    }
    text += "\n## Types\n"
    for (name, schema) in contract.types { text += page.section(of: schema, named: name) }
    self.text = text
  }
}

/// The pieces of the page.
private struct Page {
  let contract: Contract

  func section(of method: Method) -> String {
    var text = "\n### \(method.name)\n\n\(method.description)\n\n"
    if !method.params.properties.isEmpty { text += table(of: method.params, heading: "Parameter") + "\n" }
    text += "Answers \(link(to: method.result.reference ?? "any"))."
    let effects = ["none": "", "read": " Reads the store.", "write": " Writes to the store."]
    text += effects[method.effect] ?? ""
    if method.isAsync { text += " May take a while; can be cancelled." }
    if !method.events.isEmpty { text += " Events: \(codes(method.events))." }
    if !method.errors.isEmpty { text += " Errors: \(codes(method.errors.map { String($0.dropFirst("error.".count)) }))." }
    text += "\n"
    for example in method.examples { text += self.example(example, of: method) }
    return text
  }

  private func example(_ example: JSON, of method: Method) -> String {
    var request: JSONObject = ["jsonrpc": "2.0", "id": 1, "method": .string(method.name)]
    request["params"] = example["params"]
    var reply: JSONObject = ["jsonrpc": "2.0", "id": 1]
    reply["result"] = example["result"]
    reply["error"] = example["error"]
    let name = example["name"]?.stringValue ?? ""
    return "\n- \(name):\n\n  ```json\n  \(JSON.object(request))\n  \(JSON.object(reply))\n  ```\n"
  }

  func section(of schema: Schema, named name: String) -> String {
    var text = "\n### \(name) (type)\n\n\(schema.summary)\n"
    if let cases = schema.cases {
      text += "\n\(codes(cases))\n"
    } else if !schema.properties.isEmpty {
      text += "\n" + table(of: schema, heading: "Member")
    } else if schema.type != nil {
      text += "\n\(kind(schema))\(limits(of: schema).map { "; " + $0 } ?? "").\n"
    }
    return text
  }

  /// The members of an object. What may be left out is marked.
  func table(of schema: Schema, heading: String) -> String {
    let required = Set(schema.required)
    var text = "| \(heading) | Type | |\n|---|---|---|\n"
    for (name, member) in schema.properties {
      let optional = required.contains(name) ? "" : "?"
      let whole = contract.resolved(member)
      let summary = member.summary.isEmpty ? target(of: member).summary : member.summary
      let nullable = member.isNullable ? " or null" : ""
      let limit = limits(of: whole).map { " (\($0))" } ?? ""
      text += "| `\(name)`\(optional) | \(kind(member))\(nullable) | \(cell(summary))\(limit) |\n"
    }
    return text
  }

  private func target(of schema: Schema) -> Schema { schema.reference.map { contract.schema(named: $0) } ?? schema }

  private func kind(_ schema: Schema) -> String {
    if let name = schema.reference { return link(to: name) }
    if schema.type == "array" { return "array of \(kind(schema.items))" }
    return schema.type ?? "any"
  }

  private func limits(of schema: Schema) -> String? {
    let words = [
      ("minLength", "at least %d characters"), ("maxLength", "at most %d characters"), ("x-maxBytes", "%d bytes"),
      ("minItems", "at least %d"), ("maxItems", "at most %d"), ("minimum", "from %d"), ("maximum", "to %d"),
    ]
    let texts = words.compactMap { word, text in
      schema.json[word]?.intValue.map { text.replacing("%d", with: String($0)) }
    }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  private func codes(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }

  /// A method and a type may differ in case and dots alone, so the headings of types say what they are.
  private func link(to name: String) -> String { "[\(name)](#\(anchor(name))-type)" }

  /// As sites that show Markdown name the heading: lower case, without dots.
  func anchor(_ heading: String) -> String { heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_".contains($0) } }

  func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
