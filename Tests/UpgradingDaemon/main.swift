// kindverbd as a later version of it would be: with two steps of the schema more, each of which takes a second or so. The steps
// that there are take no time.
import Daemon
import Glibc
import Storage

/// A step to a version; it counts for a while before it makes a table.
private func slowStep(_ version: Int) -> Migration {
  Migration(
    version: version,
    sql: """
      CREATE TABLE step\(version) (counted INTEGER NOT NULL) STRICT;
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000000)
      INSERT INTO step\(version) SELECT max(n) FROM number;
      """)
}

let newest = Schema.migrations.last?.version ?? 0
exit(
  kindverbdMain(
    Array(CommandLine.arguments.dropFirst()),
    world: World(migrations: Schema.migrations + [slowStep(newest + 1), slowStep(newest + 2)])))
