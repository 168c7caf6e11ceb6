import JSON
import KindVerbAPI

/// A journal as the store keeps it. It describes itself without a word of its text.
public struct JournalRecord: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The row, which orders journals by when they were made.
  public var row: Int64 = 0
  /// The journal's id, a UUID.
  public var id: String
  /// The kind of relationship.
  public var conflictType: ConflictType
  /// How far it is.
  public var status = JournalStatus.draft
  /// 1: what happened.
  public var situation: String?
  /// 2: codes of built-in feelings and own words, in the order of choice.
  public var feelings: [String] = []
  /// 3: what hurt.
  public var hurt: String?
  /// 4: the own part.
  public var reflection: String?
  /// 5: what was really wanted.
  public var need: String?
  /// How the letter addresses the other.
  public var addressee: String?
  /// Milliseconds since 1970.
  public var createdAt: Int64
  /// Milliseconds since 1970.
  public var updatedAt: Int64
  /// Milliseconds since 1970; nil while it is a draft.
  public var completedAt: Int64?

  /// An empty draft.
  public init(id: String, conflictType: ConflictType, createdAt: Int64) {
    self.id = id
    self.conflictType = conflictType
    self.createdAt = createdAt
    updatedAt = createdAt
  }

  /// Whether both are kept as the same: texts byte by byte, since é in one piece and é in two are stored as they came.
  public static func == (left: JournalRecord, right: JournalRecord) -> Bool {
    left.row == right.row && left.id == right.id && left.conflictType == right.conflictType && left.status == right.status
      && left.createdAt == right.createdAt && left.updatedAt == right.updatedAt && left.completedAt == right.completedAt
      && left.answers == right.answers
  }

  /// Every text, in a fixed order; what is absent is told from what is empty.
  private var answers: [ExactText?] {
    [situation, hurt, reflection, need, addressee].map { $0.map(ExactText.init) } + feelings.map(ExactText.init)
  }

  /// The id and how far it is.
  public var description: String { "journal \(id) (\(status.rawValue))" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
