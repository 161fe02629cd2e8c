import BackgroundWork

extension WorkScheduler {
    /// Returns when nothing runs and nothing more can start now: all due work has been run, work that it released or
    /// retried without a wait as well, and the results are stored.
    ///
    /// Work that waits for its due time, a condition, a limit or an outcome does not count. Returns at once if the
    /// scheduler has not been started.
    public func waitUntilIdle() async { await untilIdle() }

    /// Makes a waiting item due now, whatever its trigger, delay or backoff. Its conditions, limits and predecessors
    /// still apply. `false` if it does not wait for its due time: it runs, has finished, is blocked, or is not known.
    @discardableResult
    public func runNow(id: String) async throws -> Bool { try await makeDue(id: id) }
}

extension WorkScheduler.Configuration {
    /// A scripted daemon that replaces the platform's; `nil` for the platform's.
    public var scriptedTransfers: ScriptedTransferService? {
        get { transferService as? ScriptedTransferService }
        set { transferService = newValue }
    }
}
