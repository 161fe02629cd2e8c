#ifndef CBACKGROUNDWORK_SQLITE_H
#define CBACKGROUNDWORK_SQLITE_H

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#else
#error "SQLite's header is missing. On Debian and Ubuntu: apt-get install libsqlite3-dev"
#endif

/// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import.
static inline int bgw_sqlite_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

/// sqlite3_config is variadic, which Swift does not import.
static inline int bgw_sqlite_leave_out_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
