import JSON
import KindVerbAPI
import Testing

/// The parameters of a JSON text.
func params(_ text: String) throws -> JSONObject { try #require(try JSON.parse(text).objectValue) }

/// The JSON that a value writes.
func written(_ value: some JSONEncodable) throws -> JSON {
  var writer = JSONWriter()
  value.write(to: &writer)
  return try JSON(parsing: writer.bytes)
}

/// The error of parameters that must be refused.
func refusal<Method: ContractMethod>(
  _ method: Method.Type, _ text: String, _ location: SourceLocation = #_sourceLocation
) throws -> APIError {
  let params = try params(text)
  return try #require(throws: APIError.self, sourceLocation: location) { _ = try Method.Params(decoding: params) }
}

/// Four people, joined: one character, 25 bytes.
let family = "👩‍👩‍👧‍👦"
