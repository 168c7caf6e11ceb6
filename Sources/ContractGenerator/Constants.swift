import JSON

/// The limits of the contract's types and its versions, for code that must know them before a value is checked.
struct ConstantsSource {
  let text: String

  /// The words of a schema that are limits, and their names in Swift.
  private static let limits = [
    ("minLength", "minLength"), ("maxLength", "maxLength"), ("x-maxBytes", "maxBytes"), ("minItems", "minItems"),
    ("maxItems", "maxItems"), ("minimum", "minimum"), ("maximum", "maximum"),
  ]

  init(_ contract: Contract) throws {
    guard let versions = contract.versions else { throw ContractError("no file of the contract has versions") }
    var source = """
      // Made from Protocol/; do not edit.

      /// The versions of what speaks the contract.
      public enum ContractVersion {
        /// The programs'.
        public static let program = \(versions.program.literal)
        /// The contract's, major and minor: another major version does not fit.
        public static let contract = \(versions.contract.literal)
      }

      /// The limits of the contract's types, by type.
      public enum ContractLimits {

      """
    for (name, schema) in contract.types {
      let limits = Self.limits.compactMap { word, name in schema.json[word]?.intValue.map { (name, $0) } }
      if limits.isEmpty { continue }
      source += "\(schema.summary.comment(2))\n  public enum \(name) {\n"
      for (limit, value) in limits { source += "    public static let \(limit) = \(value)\n" }
      source += "  }\n\n"
    }
    text = source + "}\n"
  }
}
