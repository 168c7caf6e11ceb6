/// The second step: readings, reminders, and what is remembered of both.
enum Readings {
  // Of a day there is one row, whose number is the date: the days since 1970-01-01. A month is one stretch of the table. What a
  // slot holds is measured, and its limits are the contract's; the schema guards against halves and swaps. `parts` says what is there,
  // for who looks at months at a time.
  static let sql = """
    CREATE TABLE dailyHealthRecord (
      id INTEGER PRIMARY KEY,
      parts INTEGER NOT NULL GENERATED ALWAYS AS
        ((morningSystolic IS NOT NULL) + (eveningSystolic IS NOT NULL) * 2 + (weightTenths IS NOT NULL) * 4) STORED,
      dateIso TEXT NOT NULL CHECK (dateIso = date(id * 86400, 'unixepoch')),
      morningSystolic INTEGER, morningDiastolic INTEGER, morningMeasuredAtEpochMs INTEGER, morningOffsetMinutes INTEGER,
      eveningSystolic INTEGER, eveningDiastolic INTEGER, eveningMeasuredAtEpochMs INTEGER, eveningOffsetMinutes INTEGER,
      weightTenths INTEGER CHECK (weightTenths BETWEEN 200 AND 3000), weightMeasuredAtEpochMs INTEGER,
      weightOffsetMinutes INTEGER, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, sum INTEGER NOT NULL,
      CHECK ((morningSystolic IS NULL) = (morningDiastolic IS NULL)),
      CHECK ((eveningSystolic IS NULL) = (eveningDiastolic IS NULL)),
      CHECK (morningSystolic BETWEEN 50 AND 260 AND morningDiastolic BETWEEN 30 AND 200 AND morningSystolic > morningDiastolic),
      CHECK (eveningSystolic BETWEEN 50 AND 260 AND eveningDiastolic BETWEEN 30 AND 200 AND eveningSystolic > eveningDiastolic),
      CHECK (morningSystolic IS NOT NULL OR eveningSystolic IS NOT NULL OR weightTenths IS NOT NULL),
      CHECK ((morningMeasuredAtEpochMs IS NULL) = (morningOffsetMinutes IS NULL)),
      CHECK ((eveningMeasuredAtEpochMs IS NULL) = (eveningOffsetMinutes IS NULL)),
      CHECK ((weightMeasuredAtEpochMs IS NULL) = (weightOffsetMinutes IS NULL))
    ) STRICT;
    CREATE TABLE healthUndo (
      id INTEGER PRIMARY KEY, day INTEGER NOT NULL,
      part TEXT NOT NULL CHECK (part = 'morning' OR part = 'evening' OR part = 'weight'),
      first INTEGER, second INTEGER, measuredAtEpochMs INTEGER, offsetMinutes INTEGER, at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE reminderSlot (
      slot TEXT PRIMARY KEY CHECK (slot = 'morning' OR slot = 'evening'),
      enabled INTEGER NOT NULL CHECK (enabled = 0 OR enabled = 1), minuteOfDay INTEGER NOT NULL CHECK (minuteOfDay BETWEEN 0 AND 1439),
      editedAt INTEGER NOT NULL, decidedDay INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO reminderSlot (slot, enabled, minuteOfDay, editedAt, decidedDay)
      VALUES ('morning', 0, 480, 0, 0), ('evening', 0, 1260, 0, 0);
    CREATE TABLE reminder (
      id INTEGER PRIMARY KEY, day INTEGER NOT NULL, slot TEXT NOT NULL CHECK (slot = 'morning' OR slot = 'evening'),
      outcome TEXT NOT NULL CHECK (outcome = 'shown' OR outcome = 'suppressed' OR outcome = 'missed' OR outcome = 'notShown'),
      dueAt INTEGER NOT NULL, at INTEGER NOT NULL, activatedAt INTEGER,
      handovers INTEGER NOT NULL DEFAULT 0, handedTo TEXT, UNIQUE (day, slot)
    ) STRICT;
    CREATE INDEX reminderUndue ON reminder (dueAt) WHERE outcome <> 'shown';
    CREATE TABLE standingNotification (
      subject TEXT PRIMARY KEY, number INTEGER NOT NULL, service TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE quietNotification (
      id INTEGER PRIMARY KEY, type TEXT NOT NULL CHECK (type <> ''), day INTEGER NOT NULL, at INTEGER NOT NULL,
      letterId INTEGER REFERENCES letter (id) ON DELETE SET NULL
    ) STRICT;
    CREATE INDEX quietNotificationLetter ON quietNotification (letterId);
    CREATE INDEX letterDrafted ON letter (updatedAt) WHERE status = 'drafted';
    """
}
