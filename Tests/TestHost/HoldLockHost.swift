import BackgroundWorkSystem
import CBackgroundWorkSQLite
import Foundation

/// Another program on the database: `hold-lock FILE` takes SQLite's write lock, says so, and keeps it until it is
/// killed.
enum HoldLockHost {
    static func run(_ arguments: [String]) throws -> Never {
        guard arguments.count == 1 else { exit(64) }
        var database: OpaquePointer?
        guard sqlite3_open_v2(arguments[0], &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { exit(74) }
        sqlite3_busy_timeout(database, 10_000)
        guard sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK else { exit(75) }
        say("held")
        while true { pause() }
    }
}
