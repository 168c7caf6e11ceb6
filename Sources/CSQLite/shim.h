// SQLite as it is, and the few of its functions that take variable arguments, which Swift cannot call.
#pragma once
#include <sqlite3.h>

/// Process-wide settings; only before the first connection. Returns SQLite's code.
static inline int kv_sqlite_configure(int lookaside_size, int lookaside_count) {
  int code = sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  // No count of what is allocated: it takes a global mutex twice for each of the dozens of allocations that a statement makes.
  if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, lookaside_size, lookaside_count);
  return code;
}

/// With `on`, closing leaves the write-ahead log exactly as it is: nothing is merged, nothing removed.
static inline int kv_sqlite_keep_log_on_close(sqlite3 *db, int on) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on, (int *)0);
}

/// The destructor value that makes SQLite take its own copy of a bound text or blob.
static inline sqlite3_destructor_type kv_sqlite_transient(void) { return SQLITE_TRANSIENT; }
