import BackgroundWork

extension WorkScheduler {
    /// Returns when nothing runs and nothing more can begin now: all that is due has been run, what it released and
    /// retried without a wait as well, and the results are stored.
    ///
    /// Work that waits for its time, a condition, a limit or an outcome does not count. Returns at once if the
    /// scheduler has not been started.
    public func waitUntilIdle() async { await untilIdle() }

    /// Makes a waiting item due now, whatever its trigger, delay or backoff. Its conditions, limits and predecessors
    /// still hold it back. `false` if it does not wait by time: it runs, has finished, is blocked, or is not known.
    @discardableResult
    public func runNow(id: String) async throws -> Bool { try await makeDue(id: id) }
}

extension WorkScheduler.Configuration {
    /// A scripted daemon in place of the platform's; `nil` for the platform's.
    public var scriptedTransfers: ScriptedTransferService? {
        get { transferService as? ScriptedTransferService }
        set { transferService = newValue }
    }
}
