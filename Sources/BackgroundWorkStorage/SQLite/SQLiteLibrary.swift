import CBackgroundWorkSQLite

/// SQLite as the whole process has it.
package enum SQLiteLibrary {
    /// Has SQLite no longer count the memory that it uses, which takes a lock with each allocation.
    ///
    /// For a program that is nobody else's, and before its first connection; after that it does nothing.
    package static func leaveOutStatistics() { _ = bgw_sqlite_leave_out_statistics() }
}
