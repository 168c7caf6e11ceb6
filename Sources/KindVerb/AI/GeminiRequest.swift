import JSON
import KindVerbAPI

/// A call of Gemini's `generateContent`. It is made of masked answers and of words of this program's own, and of nothing else.
public struct GeminiRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// Where a whole answer is asked for.
  public let url: String
  /// Where an answer is asked for piece by piece.
  public let streamURL: String
  /// The request's body, JSON.
  public let body: [UInt8]
  /// What the model is told to be.
  let instruction: String
  /// What it is given.
  let notes: String

  /// The most tokens of an answer: a letter of the longest tone and some.
  static let outputTokens = 2_048

  init(_ material: AIMaterial, _ wish: LetterWish, _ service: AIService) {
    url = service.generateURL()
    streamURL = service.streamURL()
    instruction = AIPrompt.instruction(wish, material)
    notes = AIPrompt.notes(material, wish)
    var writer = JSONWriter(reserving: instruction.utf8.count + notes.utf8.count + 1_024)
    writer.beginObject()
    writer.name("systemInstruction")
    writer.beginObject()
    Self.parts(instruction, &writer)
    writer.endObject()
    writer.name("contents")
    writer.beginArray()
    writer.beginObject()
    writer.name("role")
    writer.string("user")
    Self.parts(notes, &writer)
    writer.endObject()
    writer.endArray()
    writer.name("generationConfig")
    writer.value(Self.configuration(of: service.model))
    writer.name("safetySettings")
    writer.value(Self.safety)
    writer.endObject()
    body = writer.bytes
  }

  private static func parts(_ text: String, _ writer: inout JSONWriter) {
    writer.name("parts")
    writer.beginArray()
    writer.beginObject()
    writer.name("text")
    writer.string(text)
    writer.endObject()
    writer.endArray()
  }

  private static func configuration(of model: String) -> JSON {
    var members: [(String, JSON)] = [
      ("temperature", .number(JSONNumber(text: "0.7"))), ("topP", .number(JSONNumber(text: "0.95"))), ("topK", 40),
      ("candidateCount", 1), ("maxOutputTokens", .number(JSONNumber(outputTokens))),
    ]
    // Thinking would use up the answer's tokens and seconds. Models other than these have other words for it, or refuse any.
    if model.hasPrefix("gemini-2.5-flash") { members.append(("thinkingConfig", ["thinkingBudget": 0])) }
    return .object(JSONObject(members))
  }

  /// Angry words after an argument are ordinary; only what is most certainly harmful is held back.
  private static let safety: JSON = .array(
    ["HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT"].map {
      ["category": .string("HARM_CATEGORY_" + $0), "threshold": "BLOCK_ONLY_HIGH"]
    })

  /// Says only what it is.
  public var description: String { "a request for a draft" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
