import JSON
import KindVerbAPI

/// What Gemini answered, collected from one object or from many.
public struct GeminiAnswer: Sendable, CustomStringConvertible, CustomReflectable {
  /// The most bytes that a letter can come in, with its tokens.
  private static let longestText = 60_000

  private var text = ""
  private var finishReason: String?
  private var isBlocked = false
  private var error: GoogleError?

  /// Nothing yet.
  public init() {}

  /// A whole answer (`generateContent`, status 200).
  public init(body: [UInt8]) {
    if let json = try? JSON(parsing: body) { take(json) }
  }

  /// Whether anything of the letter has come.
  public var hasText: Bool { !text.isEmpty }

  /// How many characters of the letter have come.
  public var characters: Int { text.count }

  /// Takes one object in: a whole answer, or one event of a stream.
  mutating func take(_ json: JSON) {
    if let found = json["error"] ?? json[0]?["error"] {
      error = GoogleError(httpStatus: found["code"]?.intValue ?? 500, error: found)
      return
    }
    let feedback = json["promptFeedback"]
    let isFlagged = feedback?["safetyRatings"]?.arrayValue?.contains { $0["blocked"]?.boolValue == true } ?? false
    if isFlagged || feedback?["blockReason"] != nil || feedback?["blockReasonMessage"] != nil { isBlocked = true }
    // One candidate is asked for; were there more, the first stands for them.
    guard let candidate = json["candidates"]?[0] else { return }
    for part in candidate["content"]?["parts"]?.arrayValue ?? [] where part["thought"]?.boolValue != true {
      text += part["text"]?.stringValue ?? ""
    }
    if let reason = candidate["finishReason"]?.stringValue { finishReason = reason }
  }

  /// The letter, with its tokens. Only one that was finished is one: what was held back, cut short or is empty is an error.
  public func letter() throws(AIFailure) -> String {
    if let error { throw AIFailure(error) }
    if isBlocked { throw AIFailure(.aiContentPolicy) }
    switch finishReason {
    case "STOP": break
    case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII": throw AIFailure(.aiContentPolicy)
    case "LANGUAGE": throw AIFailure(.aiWrongLanguage)
    default: throw AIFailure(.aiInvalidResponse)
    }
    // What cannot be a letter is not worked on.
    guard text.utf8.count <= Self.longestText else { throw AIFailure(.aiInvalidResponse) }
    let letter = Self.bare(text)
    guard JournalRules.hasText(letter) else { throw AIFailure(.aiInvalidResponse) }
    return letter
  }

  /// Without blank ends, and without the fence or the quotation marks that models like to put around a text.
  static func bare(_ text: String) -> String {
    // Scalar by scalar: CR and LF are one character. What steers a terminal, or turns the direction of writing, is no letter's.
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.unicodeScalars.filter(isOfALetter))
    var lines = String(kept).split(separator: "\n", omittingEmptySubsequences: false)
    func trim() {
      let isBlank = { (line: Substring) in !JournalRules.hasText(String(line)) }
      let first = lines.firstIndex { !isBlank($0) } ?? lines.endIndex
      let end = (lines.lastIndex { !isBlank($0) }).map { $0 + 1 } ?? first
      lines = Array(lines[first..<end])
    }
    trim()
    if lines.count > 1, lines.first?.hasPrefix("```") == true, lines.last == "```" {
      lines.removeFirst()
      lines.removeLast()
      trim()
    }
    let joined = lines.joined(separator: "\n")
    let pairs: [(Character, Character)] = [("\"", "\""), ("“", "”"), ("「", "」"), ("『", "』")]
    for (open, close) in pairs where joined.count > 2 && joined.first == open && joined.last == close {
      let inner = joined.dropFirst().dropLast()
      if !inner.contains(open), !inner.contains(close) { return String(inner) }
    }
    return joined
  }

  private static func isOfALetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x09: true
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }

  /// Says only what it is.
  public var description: String { "an answer" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gemini's stream (`alt=sse`): lines of `data:`, and at times an error object that stands on lines of its own.
public struct GeminiStream: Sendable {
  /// What has come so far.
  public private(set) var answer = GeminiAnswer()
  private var line: [UInt8] = []
  private var loose: [UInt8] = []

  /// Nothing yet.
  public init() {}

  /// Takes the next bytes in, cut wherever they are.
  public mutating func take(_ bytes: [UInt8]) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else {
        line.append(byte)
      }
    }
  }

  /// The stream has ended: what stands outside of events may be an error, or the whole answer.
  public mutating func end() {
    endLine()
    if let json = try? JSON(parsing: loose) { answer.take(json) }
    loose = []
  }

  private mutating func endLine() {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    let mark = Array("data:".utf8)
    if line.starts(with: mark) {
      let event = Array(line[mark.count...].drop { $0 == UInt8(ascii: " ") })
      if let json = try? JSON(parsing: event) { answer.take(json) }
    } else if !line.isEmpty {
      loose += line
      loose.append(UInt8(ascii: "\n"))
    }
    line.removeAll(keepingCapacity: true)
  }
}
