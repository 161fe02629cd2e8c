import CBackgroundWorkSQLite
import Dispatch
import Synchronization

/// Counts the commits of this process's SQLite connections, and knows when the newest one ended.
///
/// SQLite reports it, so no hook of the scheduler is needed. A scheduler that installs its own WAL hook or commit hook
/// would replace this one (or lose its own): then the scheduler's hook must call ``committed()`` from the thread that
/// has committed, before any subscriber is notified.
enum CommitWatch {
    private static let commits = Atomic(0)
    private static let newest = Atomic<UInt64>(0)

    /// Whether any commit has been seen.
    static var isWorking: Bool { count > 0 }

    static var count: Int { commits.load(ordering: .acquiring) }

    /// When the newest commit ended, as `DispatchTime` counts nanoseconds.
    static var newestEnd: UInt64 { newest.load(ordering: .acquiring) }

    static func committed() {
        newest.store(DispatchTime.now().uptimeNanoseconds, ordering: .releasing)
        commits.add(1, ordering: .acquiringAndReleasing)
    }

    /// Watches the connections that are opened from here on, and no others.
    static func begin() {
        typealias Extension =
            @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32
        let watch: Extension = { connection, _, _ in
            // Opening sets the WAL hook after this call, so it can only be taken later: at the first commit.
            sqlite3_commit_hook(connection, CommitWatch.beforeCommit, connection.map { UnsafeMutableRawPointer($0) })
            return SQLITE_OK
        }
        // SQLite declares the function's type without its parameters.
        sqlite3_auto_extension(unsafeBitCast(watch, to: (@convention(c) () -> Void).self))
    }

    private static let beforeCommit: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { connection in
        let connection = connection.map { OpaquePointer($0) }
        // The hook that checkpoints has the limit in pages as its argument. It is passed on, for the checkpoints that
        // the hook here has to make in its place (https://sqlite.org/c3ref/wal_hook.html).
        let pages = sqlite3_wal_hook(connection, CommitWatch.afterCommit, nil)
        sqlite3_wal_hook(connection, CommitWatch.afterCommit, pages)
        return 0
    }

    private static let afterCommit:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
            limit, connection, name, pages in
            CommitWatch.committed()
            let limit = Int(bitPattern: limit)
            if limit > 0, Int(pages) >= limit { sqlite3_wal_checkpoint(connection, name) }
            return SQLITE_OK
        }
}
