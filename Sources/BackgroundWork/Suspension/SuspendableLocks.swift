import BackgroundWorkFiles

/// The locks of a directory: given up before the process is suspended, and taken again. The two are never called at the
/// same time.
protocol SuspendableLocks: Sendable {
    /// - Parameter wanted: called when something needs the locks. It must not block.
    /// - Returns: whether something needs them already.
    func letGo(wanted: @escaping @Sendable () -> Void) async -> Bool
    func takeUp() async
    /// Returns when nothing needs them.
    func untilIdle() async
    /// Returns when they are held, and work may start.
    func untilWorking() async
}

/// Locks that are taken for a moment only, each on one of these queues.
struct QueuedLocks: SuspendableLocks {
    var queues: [HoldableQueue]

    func letGo(wanted: @escaping @Sendable () -> Void) async -> Bool {
        for queue in queues { await queue.hold(wanted: wanted) }
        return false
    }

    func takeUp() async { for queue in queues { queue.proceed() } }

    func untilIdle() async {}

    func untilWorking() async {}
}
