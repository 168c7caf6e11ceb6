import Glibc
import SQLite

/// The steps from a directory to an open store, each of which may refuse it without touching anything.
public struct StoreOpening: Sendable {
  private let directory: DataDirectory
  private let environment: StoreEnvironment
  private let migrations: [Migration]
  /// How long another program's lock is waited for.
  private let patienceMilliseconds: Int

  /// Takes the directory and looks at what lies in it; nothing is written yet but the lock file.
  public init(
    directory path: String, environment: StoreEnvironment = .live, migrations: [Migration] = Schema.migrations,
    patienceMilliseconds: Int = 3_000
  ) throws(StoreError) {
    self.environment = environment
    self.migrations = migrations
    self.patienceMilliseconds = patienceMilliseconds
    directory = try DataDirectory(path)
    try checkFile()
  }

  private var newest: Int { migrations.last?.version ?? 0 }

  /// Whether opening will upgrade the file, which may take long.
  public var mustMigrate: Bool { (header()?.schema ?? newest) < newest }

  /// Whether opening will look through the whole of a file that is not small: the last stop was not a clean one.
  public var mustCheck: Bool {
    var status = stat()
    return stat(directory.database, &status) == 0 && status.st_size > Self.smallFile && !isSealed
  }

  /// Up to this many bytes are looked through within the time of a quick start.
  private static let smallFile: off_t = 2 << 20

  /// Whether the file is as a clean stop left it. An old seal says nothing about a log that came after it.
  private var isSealed: Bool {
    logBytes ?? 0 == 0 && Seal(of: directory.database)?.fits(at: directory.seal) ?? false
  }

  /// Opens the store; `progress` is called before each migration with how far it is, 0…1.
  public func open(progress: (Double) -> Void = { _ in }) throws(StoreError) -> Store {
    do throws(SQLiteError) {
      if !exists { try makeFresh() }
      let hadLog = logBytes != nil
      let connection: Connection
      do throws(SQLiteError) { connection = try examine() } catch {
        // SQLite makes an empty log when it looks for one.
        if !hadLog, logBytes == 0 { unlink(directory.log) }
        throw error
      }
      let mark = try makeMark()
      try configure(connection)
      try migrate(connection, progress)
      let store = try Store(connection: connection, directory: directory, mark: mark, environment: environment)
      mark.set(store.committedSeq)
      unlink(directory.seal)
      BackupFiles.removeUnfinished(in: directory.backups)
      connection.keepLogOnClose(false)
      return store
    } catch { throw storeError(error) }
  }

  private func makeMark() throws(SQLiteError) -> Mark {
    do { return try Mark(path: directory.mark) } catch {
      if case .full = error { throw SQLiteError(extendedCode: 13, message: "no space for the mark") }
      throw SQLiteError(extendedCode: 8, message: "the mark cannot be written")
    }
  }

  /// A code that SQLite does not use, to carry "newer schema" through the same door.
  private static let newerSchemaCode: Int32 = 200

  private func storeError(_ error: SQLiteError) -> StoreError {
    let path = directory.database
    switch error.kind {
    case _ where error.extendedCode == Self.newerSchemaCode:
      return .newerSchema(path: path, found: Int(error.message) ?? 0, known: newest)
    case .busy: return .busy(path: path)
    case .full: return .full(path: path)
    case .damaged: return .damaged(path: path, detail: error.message)
    case .readOnly: return .readOnly(path: path)
    default: return .sqlite(error)
    }
  }
}

// MARK: - Looking

extension StoreOpening {
  private var exists: Bool { access(directory.database, F_OK) == 0 }

  private struct Header {
    let schema: Int
    let applicationID: Int32
    /// Whether it is a backup that was never opened: those are not in WAL mode.
    let isCopy: Bool
    /// Whether the bytes that tell how the file is written and read are ones that SQLite writes there.
    let isOfKnownFormat: Bool
  }

  /// The first 100 bytes, read before SQLite opens the file: closing a descriptor of ours later would drop SQLite's locks.
  private func header() -> Header? {
    let descriptor = Glibc.open(directory.database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    guard read(descriptor, &bytes, 100) == 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    let word = { (offset: Int) in bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) } }
    return Header(
      schema: Int(word(60)), applicationID: word(68), isCopy: bytes[18] == 1,
      isOfKnownFormat: bytes[18] == bytes[19] && (1...2).contains(bytes[18]))
  }

  private func checkFile() throws(StoreError) {
    let path = directory.database
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno != ENOENT { throw DataDirectory.failure("lstat", path) }
      return try checkNothingIsMissing()
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .wrongKind(path: path) }
    guard status.st_uid == geteuid() else { throw .notOurs(path: path) }
    guard access(path, R_OK | W_OK) == 0 else { throw .readOnly(path: path) }
    guard status.st_size > 0 else { throw .damaged(path: path, detail: "the file is empty") }
    guard let header = header() else {
      throw .damaged(path: path, detail: "the file is no database, or its beginning is damaged")
    }
    guard header.applicationID == Schema.applicationID else { throw .foreign(path: path) }
    // With another number SQLite would read the file and never write to it. Every file of ours has a schema.
    guard header.isOfKnownFormat, header.schema > 0 else {
      throw .damaged(path: path, detail: "its beginning is damaged")
    }
    // Copies have no log. SQLite would mix the log of the file that lay here before into this one.
    if header.isCopy, logBytes ?? 0 > 0 {
      throw .damaged(path: path, detail: "it is a backup, but the log of another file lies beside it: kindverb.db-wal")
    }
    // The log may hold a newer version still; it is looked at again once the file is open.
    guard header.schema <= newest else { throw .newerSchema(path: path, found: header.schema, known: newest) }
  }

  /// A directory without a database is a fresh one only if nothing shows that there was one.
  private func checkNothingIsMissing() throws(StoreError) {
    let traces = [directory.mark, directory.seal, directory.database + "-wal"]
    if traces.contains(where: { access($0, F_OK) == 0 }) || !BackupFiles.list(directory.backups).isEmpty {
      throw .damaged(path: directory.database, detail: "the file is missing, but there was one")
    }
  }

  private var logBytes: Int64? {
    var status = stat()
    return lstat(directory.log, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Opens the file and looks at everything that could be wrong with it. If something is, the file and its log stay as they are.
  private func examine() throws(SQLiteError) -> Connection {
    let isSealed = isSealed
    let connection = try Connection(path: directory.database)
    connection.setBusyTimeout(milliseconds: patienceMilliseconds)
    // Until the store is handed out, every way out leaves the file and its log to whoever must save what is in them.
    connection.keepLogOnClose(true)
    do throws(SQLiteError) {
      // Exclusive before anything is read: the log's index then lives in this process's memory, and no other program can write
      // behind our back.
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -1536")
      let found = Int(try connection.integer("PRAGMA user_version") ?? 0)
      if found > newest { throw SQLiteError(extendedCode: Self.newerSchemaCode, message: String(found)) }
      if !isSealed { try StoreCheck.run(on: connection) }
      let newestChange = try connection.integer("SELECT max(seq) FROM change") ?? 0
      if let acknowledged = Mark.read(directory.mark), acknowledged > newestChange {
        throw SQLiteError(
          extendedCode: 11, message: "\(acknowledged - newestChange) acknowledged changes are missing from the file or its log")
      }
      return connection
    } catch {
      connection.close()
      throw error
    }
  }
}

// MARK: - Opening

extension StoreOpening {
  private func configure(_ connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 1000;
      """)
  }

  /// Makes the file under another name, complete and on disk, before it gets its own: a crash half-way leaves no half database.
  private func makeFresh() throws(SQLiteError) {
    let temporary = directory.database + ".new"
    for suffix in ["", "-wal", "-journal"] { unlink(temporary + suffix) }
    let connection = try Connection(path: temporary, mode: .create)
    chmod(temporary, 0o600)
    try connection.execute("PRAGMA page_size = 4096; PRAGMA application_id = \(Schema.applicationID)")
    for migration in migrations { try apply(migration, connection) }
    try connection.run("INSERT INTO meta (name, value) VALUES ('storeId', ?)", Store.hex(environment.random(8)))
    connection.close()
    guard rename(temporary, directory.database) == 0 else { throw SQLiteError(extendedCode: 10, message: "rename failed") }
    DataDirectory.sync(directory.path)
  }

  private func migrate(_ connection: Connection, _ progress: (Double) -> Void) throws(SQLiteError) {
    let found = Int(try connection.integer("PRAGMA user_version") ?? 0)
    let steps = migrations.filter { $0.version > found }
    guard !steps.isEmpty else { return }
    progress(0)
    let job = try BackupJob(connection, to: BackupFiles.name(directory.backups, .upgrade, at: environment.now()))
    while try !job.step(pages: 4_096) {}
    try job.finish()
    BackupFiles.prune(directory.backups, now: environment.now())
    // While foreign keys are enforced, a step that builds a table anew would delete all that refers to the old one.
    try connection.execute("PRAGMA foreign_keys = OFF")
    for (index, migration) in steps.enumerated() {
      progress(Double(index) / Double(steps.count))
      try apply(migration, connection)
    }
    try connection.execute("PRAGMA foreign_keys = ON")
  }

  private func apply(_ migration: Migration, _ connection: Connection) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute(migration.sql)
      try connection.execute("PRAGMA user_version = \(migration.version)")
      let orphans = try connection.all("PRAGMA foreign_key_check") { (row) throws(SQLiteError) in try row.text(0) }
      if !orphans.isEmpty { throw SQLiteError(extendedCode: 19, message: "an upgrade left rows that refer to nothing") }
    }
  }
}
