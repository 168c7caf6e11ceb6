import Foundation
import JSON
import Testing

@testable import ContractGenerator

/// A contract of one method, in which a test spoils something.
private let small = """
  {"domain": "a", "summary": "A.",
   "methods": {"a.do": {"summary": "Does.", "description": "Does it.", "effect": "write",
     "params": {"type": "object", "properties": {
       "text": {"$ref": "#/types/Text"},
       "note": {"type": "string", "maxLength": 5, "x-maxBytes": 80, "x-nullable": true, "description": "A note."}},
       "required": ["text"]},
     "result": {"$ref": "#/types/Thing"}, "errors": ["error.a.too_long"],
     "examples": [{"name": "one", "params": {"text": "x"}, "result": {"id": "x"}},
                  {"name": "two", "params": {"text": "xxxxxx"}, "error": {"code": 1101}}]}},
   "types": {
     "Text": {"type": "string", "maxLength": 5, "x-maxBytes": 80, "x-error": "error.a.too_long", "description": "A text."},
     "Thing": {"type": "object", "description": "A thing.", "properties": {"id": {"type": "string", "description": "Its id."}}, "required": ["id"]}},
   "errors": {"error.a.too_long": {"code": 1101, "name": "too_long", "summary": "Too long."}}}
  """

@Suite struct ContractTests {
  private func refusal(replacing part: String, by other: String) throws -> String? {
    #expect(small.contains(part))
    return try Files.with { files in
      try files.write(small.replacing(part, with: other), to: "a.json")
      return ContractGeneratorTests.refusal { _ = try Contract(directory: files.directory) }
    }
  }

  private func contract() throws -> Contract {
    try Files.with { files in
      try files.write(small, to: "a.json")
      return try Contract(directory: files.directory)
    }
  }

  @Test func theProjectsContractIsWhole() throws {
    let contract = try Contract(directory: project.appending(path: "Protocol").path)
    #expect(contract.methods.count >= 28)
    let catalog = try StringCatalog(path: project.appending(path: "Sources/KindVerbAPI/Localizable.xcstrings").path)
    try contract.check(against: catalog)
  }

  @Test(arguments: [
    (#""maxLength": 5, "x-maxBytes": 80, "x-nullable""#, #""maxLenght": 5, "x-nullable""#, "unknown word maxLenght"),
    (#""maxLength": 5, "x-maxBytes": 80, "x-nullable""#, #""maxLength": 5, "x-nullable""#, "no x-maxBytes"),
    (#""effect": "write","#, #""effect": "wirte","#, "effect wirte"),
    (#""effect": "write","#, #""efect": "write","#, "unknown word efect"),
    (#""summary": "Does.", "#, "", "no summary"),
    (##"{"$ref": "#/types/Text"}"##, ##"{"$ref": "#/types/Tekst"}"##, "unknown type Tekst"),
    (##"{"$ref": "#/types/Thing"}"##, #"{"type": "object"}"#, "not one of the types"),
    (#""required": ["text"]"#, #""required": ["note"]"#, "must come first"),
    (#""required": ["id"]"#, #""required": ["id", "at"]"#, "requires at"),
    (#""errors": ["error.a.too_long"]"#, #""errors": []"#, "which is not among its errors"),
    (#""errors": ["error.a.too_long"]"#, #""errors": ["error.a.too_long", "error.a.none"]"#, "unknown error error.a.none"),
    (#""x-error": "error.a.too_long""#, #""x-error": "error.a.none""#, "unknown error error.a.none"),
    (#"{"error.a.too_long": {"code""#, #"{"error.a.too_short": {"code""#, "differ"),
    (#", "description": "Its id.""#, "", "Thing.id: no description"),
    (#""maxLength": 5"#, #""maxLength": 5.5"#, "maxLength is no whole number"),
    (#""maxLength": 5"#, #""maxLength": "5""#, "maxLength is no whole number"),
    (#""a.do""#, #""b.do""#, "not of the domain"),
    (#""name": "two""#, #""name": "one""#, "stands twice"),
    (#""error": {"code": 1101}"#, #""error": {"code": 1102}"#, "no error 1102"),
    (#""error": {"code": 1101}"#, #""result": {}, "error": {"code": 1101}"#, "or both"),
    (#""types": {"#, #""types": {"Text": {}, "#, "duplicate_name"),
    (#""domain": "a", "#, "", "no domain"),
  ])
  func aSpoiltContractIsRefused(part: String, other: String, complaint: String) throws {
    let text = try refusal(replacing: part, by: other)
    #expect(text?.contains(complaint) == true, "\(text ?? "nothing was refused")")
  }

  @Test func aNameInTwoFilesIsRefused() throws {
    try Files.with { files in
      try files.write(small, to: "a.json")
      try files.write(#"{"domain": "b", "types": {"Text": {"type": "string", "description": "Again."}}}"#, to: "b.json")
      #expect(ContractGeneratorTests.refusal { _ = try Contract(directory: files.directory) } == "type Text stands twice")
    }
  }

  @Test func anErrorWithoutTextIsRefused() throws {
    let catalog = try Files.with { try StringCatalog(path: $0.write(#"{"strings": {}}"#, to: "Localizable.xcstrings")) }
    let contract = try contract()
    #expect(
      ContractGeneratorTests.refusal { try contract.check(against: catalog) } == "error.a.too_long has no text in Localizable")
  }

  @Test func limitsAndVersionsAreConstants() throws {
    let versions = #""domain": "a", "versions": {"program": "1.2.3", "protocol": "1.2"}"#
    let source = try Files.with { files in
      try files.write(small.replacing(#""domain": "a""#, with: versions), to: "a.json")
      return try ConstantsSource(Contract(directory: files.directory)).text
    }
    #expect(source.contains(#"static let program = "1.2.3""#) && source.contains(#"static let contract = "1.2""#))
    #expect(
      source.contains("  public enum Text {\n    public static let maxLength = 5\n    public static let maxBytes = 80\n  }\n"))
    #expect(!source.contains("enum Thing"), "what has no limits has no constants")
    #expect(ContractGeneratorTests.refusal { _ = try ConstantsSource(contract()) } == "no file of the contract has versions")
  }

  @Test(arguments: [
    (#"{"program": "1.2.3", "protocol": "1.2", "other": "1"}"#, "unknown word other"),
    (#"{"program": "1.2.3"}"#, "versions need"), (#"{"program": "1.2", "protocol": "1.2"}"#, "versions need"),
    (#"{"program": "1.2.3", "protocol": "1.2.3"}"#, "versions need"),
  ])
  func versionsHaveTheirForm(versions: String, complaint: String) throws {
    let text = try refusal(replacing: #""domain": "a""#, by: #""domain": "a", "versions": "# + versions)
    #expect(text?.contains(complaint) == true, "\(text ?? "nothing was refused")")
  }

  @Test func versionsStandOnce() throws {
    try Files.with { files in
      for (name, file) in [("a.json", "a"), ("b.json", "b")] {
        try files.write(#"{"domain": "\#(file)", "versions": {"program": "1.0.0", "protocol": "1.0"}}"#, to: name)
      }
      #expect(ContractGeneratorTests.refusal { _ = try Contract(directory: files.directory) } == "b.json: versions stand twice")
    }
  }

  @Test func theDocumentIsOpenRPC() throws {
    let document = OpenRPCSource(try contract()).document
    #expect(document["openrpc"] == "1.3.2")
    let method = document["methods"]?[0]
    #expect(method?["name"] == "a.do")
    #expect(method?["params"]?[0]?["schema"]?["$ref"] == "#/components/schemas/Text")
    #expect(method?["params"]?[1]?["schema"]?["type"] == ["string", "null"])
    #expect(method?["examples"]?.arrayValue?.count == 1, "OpenRPC's examples have results")
    #expect(document["components"]?["schemas"]?["Text"]?["x-error"] == "error.a.too_long")
  }

  @Test func theReferenceThatIsPublishedIsTheContracts() throws {
    let protocolDirectory = project.appending(path: "Protocol")
    let made = Reference(try Contract(directory: protocolDirectory.path)).text
    let published = try String(contentsOf: protocolDirectory.appending(path: "REFERENCE.md"), encoding: .utf8)
    let hint: Comment = "make it anew: swift run ContractGenerator reference Protocol Protocol/REFERENCE.md"
    #expect(made == published, hint)
  }
}
