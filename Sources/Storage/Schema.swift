import SQLite

/// One step of the schema. Its SQL is frozen once it has been released.
public struct Migration: Sendable {
  /// The schema's version after it.
  public let version: Int
  /// The statements.
  public let sql: String

  /// A step to a version.
  public init(version: Int, sql: String) {
    self.version = version
    self.sql = sql
  }
}

/// The schema: every migration there ever was.
public enum Schema {
  /// SQLite's application id of our files: "KVbd".
  public static let applicationID: Int32 = 0x4B56_6264
  /// All steps, in order.
  public static let migrations = [
    Migration(version: 1, sql: first), Migration(version: 2, sql: Readings.sql), Migration(version: 3, sql: Sending.sql),
  ]

  /// The tables whose rows keep a sum of what the person wrote in them, and the values that it is made of.
  static let sums: [(table: String, columns: String)] = [
    (
      "journal",
      """
      uuid, conflictType, status, situationText, feelings, hurtText, reflectionText, desiredNeedText, addressee, createdAt,
      updatedAt, completedAt
      """
    ),
    (
      "letter",
      """
      uuid, journalId, status, content, tone, register, language, source, aiModel, promptVersion, iteration, createdAt, updatedAt,
      finalizedAt
      """
    ),
    (
      "dailyHealthRecord",
      """
      dateIso, morningSystolic, morningDiastolic, morningMeasuredAtEpochMs, morningOffsetMinutes, eveningSystolic,
      eveningDiastolic, eveningMeasuredAtEpochMs, eveningOffsetMinutes, weightTenths, weightMeasuredAtEpochMs,
      weightOffsetMinutes, createdAt, updatedAt
      """
    ),
    ("person", "kind, name, createdAt"),
  ]

  // No `IN (…)` with more than two values: SQLite builds a table in memory for one, at every row that is written.
  private static let first = """
    CREATE TABLE journal (
      id INTEGER PRIMARY KEY,
      uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
      conflictType TEXT NOT NULL CHECK (
        conflictType = 'friends' OR conflictType = 'couple' OR conflictType = 'parentChild' OR conflictType = 'siblings'
        OR conflictType = 'inLaws'),
      status TEXT NOT NULL CHECK (status = 'draft' OR status = 'completed'),
      situationText TEXT, feelings TEXT NOT NULL DEFAULT '[]' CHECK (json_array_length(feelings) <= 8),
      hurtText TEXT, reflectionText TEXT, desiredNeedText TEXT, addressee TEXT,
      createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, completedAt INTEGER, folded TEXT NOT NULL, sum INTEGER NOT NULL,
      CHECK ((status = 'completed') = (completedAt IS NOT NULL)),
      CHECK (status = 'draft' OR (situationText IS NOT NULL AND hurtText IS NOT NULL AND desiredNeedText IS NOT NULL
        AND json_array_length(feelings) >= 1))
    ) STRICT;
    CREATE INDEX journalKind ON journal (status, conflictType);
    CREATE TABLE letter (
      id INTEGER PRIMARY KEY,
      uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
      journalId INTEGER NOT NULL REFERENCES journal (id) ON DELETE CASCADE,
      status TEXT NOT NULL CHECK (status = 'drafted' OR status = 'edited' OR status = 'finalized'),
      content TEXT NOT NULL CHECK (content <> ''),
      tone TEXT NOT NULL CHECK (
        tone = 'neutral_warm' OR tone = 'softer' OR tone = 'concise' OR tone = 'sincere'),
      register TEXT NOT NULL CHECK (register = 'casual' OR register = 'polite'),
      language TEXT NOT NULL CHECK (language = 'en' OR language = 'ko' OR language = 'ja' OR language = 'zh-Hans'),
      source TEXT NOT NULL CHECK (source = 'template' OR source = 'ai'), aiModel TEXT, promptVersion INTEGER NOT NULL,
      iteration INTEGER NOT NULL CHECK (iteration >= 1),
      createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, finalizedAt INTEGER, sum INTEGER NOT NULL,
      CHECK ((status = 'finalized') = (finalizedAt IS NOT NULL))
    ) STRICT;
    CREATE INDEX letterJournal ON letter (journalId, id);
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE change (
      seq INTEGER PRIMARY KEY, topic TEXT NOT NULL CHECK (topic <> ''), entityId TEXT NOT NULL CHECK (entityId <> ''),
      op TEXT NOT NULL CHECK (op <> ''), at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE idempotency (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, method TEXT NOT NULL, fingerprint BLOB NOT NULL, reply BLOB,
      createdAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE idempotencySubject (
      subject TEXT NOT NULL, replyId INTEGER NOT NULL REFERENCES idempotency (id) ON DELETE CASCADE, PRIMARY KEY (subject, replyId)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotencySubjectReply ON idempotencySubject (replyId);
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """
}
