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

  /// Opens the store; `progress` is called before each migration with how far it is, 0…1.
  public func open(progress: (Double) -> Void = { _ in }) throws(StoreError) -> Store {
    do throws(SQLiteError) {
      if !exists { try makeFresh() }
      let isSealed = Seal(of: directory.database)?.fitsAndIsTaken(at: directory.seal) ?? false
      let mark = try makeMark()
      let connection = try connect(directory.database)
      let found = Int(try connection.integer("PRAGMA user_version") ?? 0)
      if found > newest { throw SQLiteError(extendedCode: Self.newerSchemaCode, message: String(found)) }
      if !isSealed { try check(connection) }
      try migrate(connection, from: found, progress)
      let store = try Store(connection: connection, directory: directory, mark: mark, environment: environment)
      if let acknowledged = mark.found, acknowledged > store.committedSeq {
        throw SQLiteError(
          extendedCode: 11,
          message: "\(acknowledged - store.committedSeq) acknowledged changes are missing from the file or its log")
      }
      mark.set(store.committedSeq)
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
  }

  /// The first 100 bytes, read before SQLite opens the file: closing a descriptor of ours later would drop SQLite's locks.
  private func header() -> Header? {
    let descriptor = Glibc.open(directory.database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    guard read(descriptor, &bytes, 100) == 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    let word = { (offset: Int) in bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) } }
    return Header(schema: Int(word(60)), applicationID: word(68))
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

  private func check(_ connection: Connection) throws(SQLiteError) {
    let findings = try connection.all("PRAGMA quick_check(1)") { (row) throws(SQLiteError) in try row.text(0) }
    // A finding names pages and rows, never values.
    if findings != ["ok"] { throw SQLiteError(extendedCode: 11, message: findings.first ?? "quick_check failed") }
    let orphans = try connection.all("PRAGMA foreign_key_check") { (row) throws(SQLiteError) in try row.text(0) }
    if !orphans.isEmpty { throw SQLiteError(extendedCode: 11, message: "\(orphans.count) rows refer to rows that are not there") }
  }
}

// MARK: - Opening

extension StoreOpening {
  private func connect(_ path: String) throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path)
    // Until the store is handed out, every way out leaves the file and its log to whoever must save what is in them.
    connection.keepLogOnClose(true)
    connection.setBusyTimeout(milliseconds: patienceMilliseconds)
    // Exclusive before WAL: the log's index then lives in this process's memory, and no other program can write behind our back.
    try connection.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
      PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1536; PRAGMA wal_autocheckpoint = 1000;
      """)
    return connection
  }

  /// Makes the file under another name, complete and on disk, before it gets its own: a crash half-way leaves no half database.
  private func makeFresh() throws(SQLiteError) {
    let temporary = directory.database + ".new"
    for suffix in ["", "-wal", "-journal"] { unlink(temporary + suffix) }
    let connection = try Connection(path: temporary, mode: .create)
    chmod(temporary, 0o600)
    try connection.execute("PRAGMA page_size = 4096; PRAGMA application_id = \(Schema.applicationID)")
    for migration in migrations { try apply(migration, connection) }
    let id = environment.random(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try connection.run("INSERT INTO meta (name, value) VALUES ('storeId', ?)", id)
    connection.close()
    guard rename(temporary, directory.database) == 0 else { throw SQLiteError(extendedCode: 10, message: "rename failed") }
    DataDirectory.sync(directory.path)
  }

  private func migrate(_ connection: Connection, from found: Int, _ progress: (Double) -> Void) throws(SQLiteError) {
    let steps = migrations.filter { $0.version > found }
    guard !steps.isEmpty else { return }
    progress(0)
    let job = try BackupJob(connection, to: BackupFiles.name(directory.backups, at: environment.now()))
    while try !job.step(pages: 4_096) {}
    try job.finish()
    for (index, migration) in steps.enumerated() {
      progress(Double(index) / Double(steps.count))
      try apply(migration, connection)
    }
  }

  private func apply(_ migration: Migration, _ connection: Connection) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute(migration.sql)
      try connection.execute("PRAGMA user_version = \(migration.version)")
    }
  }
}
