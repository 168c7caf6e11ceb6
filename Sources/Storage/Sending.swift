/// The third step: what leaves the machine, and what was proved to unlock.
enum Sending {
  static let sql = entitlement

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
}
