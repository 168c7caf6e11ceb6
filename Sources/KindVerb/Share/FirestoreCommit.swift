import JSON
import KindVerbAPI

/// The one call that makes a letter's document: `documents:commit` with a write that must find nothing (Firestore v1, REST). Only a
/// commit can have the service set `createdAt`.
public struct FirestoreCommit: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Where it is sent.
  public let url: String
  /// The request's body, JSON.
  public let body: [UInt8]
  /// Where one can ask whether the document is there.
  public let lookURL: String

  /// Says only what it is.
  public var description: String { "an upload" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// When the document says that it expires, in milliseconds since 1970.
  public let expireAt: Int64

  /// The version of the document's form.
  static let schema = 1

  /// The call for a letter under an id; nil without a project. `expireAt` is in milliseconds since 1970.
  init?(_ id: String, content: String, language: Language, expireAt: Int64, service: ShareService) {
    guard let name = service.documentName(id), let url = service.commitURL(), let look = service.lookURL(id) else { return nil }
    self.url = url
    self.expireAt = expireAt
    lookURL = look
    var writer = JSONWriter(reserving: content.utf8.count + 512)
    writer.beginObject()
    writer.name("writes")
    writer.beginArray()
    writer.beginObject()
    writer.name("update")
    writer.beginObject()
    writer.name("name")
    writer.string(name)
    writer.name("fields")
    writer.beginObject()
    Self.field("content", "stringValue", content, &writer)
    Self.field("expireAt", "timestampValue", Instant.text(expireAt), &writer)
    Self.field("language", "stringValue", language.rawValue, &writer)
    Self.field("schema", "integerValue", String(Self.schema), &writer)
    writer.endObject()
    writer.endObject()
    writer.name("updateTransforms")
    writer.value([["fieldPath": "createdAt", "setToServerValue": "REQUEST_TIME"]])
    writer.name("currentDocument")
    writer.value(["exists": false])
    writer.endObject()
    writer.endArray()
    writer.endObject()
    body = writer.bytes
  }

  private static func field(_ name: StaticString, _ type: StaticString, _ value: String, _ writer: inout JSONWriter) {
    writer.name(name)
    writer.beginObject()
    writer.name(type)
    writer.string(value)
    writer.endObject()
  }
}
