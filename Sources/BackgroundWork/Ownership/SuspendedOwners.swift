import Synchronization

/// The owners that have let their lock go because their process may be suspended.
enum SuspendedOwners {
    /// The lock files of this process's own. Those of other processes say so themselves.
    private static let own = Mutex<Set<String>>([])

    static func insert(_ path: String) { own.withLock { _ = $0.insert(path) } }

    static func remove(_ path: String) { own.withLock { _ = $0.remove(path) } }

    /// Whether the owner with this lock file, which is free, is there all the same.
    static func contains(_ path: String, boot: String) -> Bool {
        own.withLock { $0.contains(path) } || RunNotes.isSuspended(path: path, boot: boot)
    }
}
