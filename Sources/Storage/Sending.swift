/// The third step: what leaves the machine, and what was proved to unlock.
enum Sending {
  static let sql = entitlement + outbox + ai

  // What a signed transaction proved, and when: of each purchase the newest word of the store that sold it. The transaction itself is not
  // kept: it names the device and the price, can be carried to another machine, and would prove no more tomorrow than it did when it was
  // verified.
  private static let entitlement = """
    CREATE TABLE entitlement (
      id INTEGER PRIMARY KEY,
      originalTransactionId TEXT NOT NULL CHECK (originalTransactionId <> ''),
      transactionId TEXT NOT NULL CHECK (transactionId <> ''),
      bundleId TEXT NOT NULL, productId TEXT NOT NULL,
      environment TEXT NOT NULL CHECK (environment = 'Production' OR environment = 'Sandbox'),
      ownership TEXT CHECK (ownership = 'purchased' OR ownership = 'familyShared'),
      purchasedAt INTEGER NOT NULL, signedAt INTEGER NOT NULL, expiresAt INTEGER, revokedAt INTEGER,
      isUpgraded INTEGER NOT NULL CHECK (isUpgraded = 0 OR isUpgraded = 1), verifiedAt INTEGER NOT NULL,
      UNIQUE (environment, originalTransactionId)
    ) STRICT;
    """

  // What waits has its state; what it is, its own table. Whoever is deleted takes the other along.
  private static let outbox = """
    CREATE TABLE consent (
      name TEXT PRIMARY KEY CHECK (name = 'ai' OR name = 'share'), granted INTEGER NOT NULL CHECK (granted = 0 OR granted = 1),
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind <> ''), subject TEXT NOT NULL CHECK (subject <> ''),
      state TEXT NOT NULL CHECK (
        state = 'queued' OR state = 'uploading' OR state = 'succeeded' OR state = 'failed' OR state = 'canceled'),
      attempts INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0,
      mayHaveArrived INTEGER NOT NULL DEFAULT 0 CHECK (mayHaveArrived = 0 OR mayHaveArrived = 1),
      lastError TEXT, nextAttemptAt INTEGER, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, UNIQUE (kind, subject)
    ) STRICT;
    CREATE INDEX outboxWaiting ON outbox (id) WHERE state = 'queued' OR state = 'uploading';
    CREATE TABLE share (
      id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
      letterId INTEGER NOT NULL REFERENCES letter (id) ON DELETE CASCADE,
      outboxId INTEGER NOT NULL UNIQUE REFERENCES outbox (id) ON DELETE CASCADE,
      contentHash TEXT NOT NULL CHECK (length(contentHash) = 64), expiresInDays INTEGER NOT NULL CHECK (expiresInDays > 0),
      expireAt INTEGER, isConfirmed INTEGER NOT NULL DEFAULT 0, remoteId TEXT, url TEXT, expiresAt INTEGER,
      CHECK ((remoteId IS NULL) = (url IS NULL) AND (url IS NULL) = (expiresAt IS NULL))
    ) STRICT;
    CREATE INDEX shareLetter ON share (letterId, id);
    CREATE VIEW link AS
      SELECT outbox.*, share.id AS shareId, share.uuid AS uuid, share.letterId AS letterId, letter.uuid AS letterUuid,
        share.contentHash AS contentHash, share.expiresInDays AS expiresInDays, share.expireAt AS expireAt,
        share.isConfirmed AS isConfirmed, share.url AS url
      FROM share JOIN outbox ON outbox.id = share.outboxId JOIN letter ON letter.id = share.letterId;
    CREATE TRIGGER shareGone AFTER DELETE ON share BEGIN DELETE FROM outbox WHERE id = OLD.outboxId; END;
    """

  // Calls are kept for their number alone; `input` is a sum, so that the same question gets the same letter.
  private static let ai = """
    CREATE TABLE person (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind = 'person' OR kind = 'place'), name TEXT NOT NULL CHECK (name <> ''),
      folded TEXT NOT NULL, createdAt INTEGER NOT NULL, sum INTEGER NOT NULL, UNIQUE (kind, folded)
    ) STRICT;
    CREATE TABLE aiCall (
      id INTEGER PRIMARY KEY, boot TEXT NOT NULL, sinceBoot INTEGER NOT NULL, at INTEGER NOT NULL,
      offsetMinutes INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state = 'running' OR state = 'drafted' OR state = 'failed')
    ) STRICT;
    CREATE TABLE aiDraft (
      letterId INTEGER PRIMARY KEY REFERENCES letter (id) ON DELETE CASCADE,
      input TEXT NOT NULL UNIQUE CHECK (length(input) = 64), marks TEXT NOT NULL
    ) STRICT;
    """
}
