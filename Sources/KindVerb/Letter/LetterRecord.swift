import KindVerbAPI

/// A letter as the store keeps it. It describes itself without a word of its text.
public struct LetterRecord: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The row, which orders letters by when they were made.
  public var row: Int64 = 0
  /// The letter's id, a UUID.
  public var id: String
  /// The journal's row.
  public var journalRow: Int64
  /// The journal's id.
  public var journalID: String
  /// How far it is.
  public var status = LetterStatus.drafted
  /// The text.
  public var content: String
  /// How it sounds.
  public var tone: Tone
  /// How one speaks to the other.
  public var register: Register
  /// Its language.
  public var language: Language
  /// Who wrote it.
  public var source = LetterSource.template
  /// The model that wrote it; nil for a template.
  public var aiModel: String?
  /// What the person should know of an AI's draft: keys of texts.
  public var marks: [String] = []
  /// The version of the templates, or of what the AI was told.
  public var promptVersion = LetterRecord.currentPromptVersion
  /// Which draft of this tone it is, from 1.
  public var iteration: Int
  /// Milliseconds since 1970.
  public var createdAt: Int64
  /// Milliseconds since 1970.
  public var updatedAt: Int64
  /// Milliseconds since 1970; nil until it is finalized.
  public var finalizedAt: Int64?

  /// The version of the templates of this build.
  public static let currentPromptVersion = 1

  /// The id and how far it is.
  public var description: String { "letter \(id) (\(status.rawValue))" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
