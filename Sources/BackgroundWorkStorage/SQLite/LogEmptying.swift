import BackgroundWorkSystem

/// When the write-ahead log of a database is to be emptied, because what must not stay in it was deleted. Pure.
///
/// Not with each deletion: they share one emptying, a moment after the first of them. While other connections prevent it
/// or it fails, it is tried again, at growing intervals.
package struct LogEmptying: Sendable {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    /// Whether the log has content that must not stay in it.
    package private(set) var isWanted = false
    private var isPlanned = false
    private var wait = Self.first

    package init() {}

    /// Something was deleted.
    ///
    /// - Returns: when to try; `nil` if a try is planned already.
    package mutating func want() -> Duration? {
        isWanted = true
        return plan()
    }

    /// A try begins, planned or not.
    mutating func begin() { isPlanned = false }

    /// - Parameter isEmpty: whether the log was emptied.
    /// - Returns: when to try again; `nil` if that is not needed, or planned already.
    mutating func ended(isEmpty: Bool) -> Duration? {
        guard !isEmpty else {
            isWanted = false
            wait = Self.first
            return nil
        }
        wait = min(wait * 2, Self.longest)
        return plan()
    }

    /// Tries now, if it is wanted. An error is no failure of anything: it is tried again, as while others prevent it.
    ///
    /// - Parameter empty: returns whether the log was emptied.
    /// - Returns: as ``ended(isEmpty:)``.
    package mutating func attempt(_ empty: () throws -> Bool) -> Duration? {
        begin()
        return isWanted ? ended(isEmpty: (try? empty()) ?? false) : nil
    }

    private mutating func plan() -> Duration? {
        if isPlanned { return nil }
        isPlanned = true
        return wait
    }

    /// Whether a process that was killed has left a log: it may have content that was deleted since.
    package static func isLeft(byLogOf path: String) -> Bool {
        var status = stat()
        return stat(path + "-wal", &status) == 0 && status.st_size > 0
    }
}
