import BackgroundWorkTransfers

/// Which sessions have told all that happened while no process was running, and who waits for that.
///
/// The system says so once (`urlSessionDidFinishEvents(forBackgroundURLSession:)`) each time that it has launched or
/// woken the process for a session, before or after it gives the host the handler that is to be called then.
struct SessionBacklog {
    private struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
        /// What of its session has not ended yet, nor failed an attempt.
        var missing: Set<TransferReference>
    }

    private struct Session {
        let createdAt: Duration
        /// All that was waiting has been told.
        var isTold = false
        /// How many events are still being turned into outcomes.
        var inProgress = 0
        var wasAwaited = false
        var waiters: [Int: Waiter] = [:]

        func isDelivered(missing: Set<TransferReference>) -> Bool { inProgress == 0 && (isTold || missing.isEmpty) }
    }

    private var sessions: [String: Session] = [:]
    private var nextNumber = 0
    /// For how long after its creation a session that has told everything can have done so for a handler that is yet to
    /// come.
    private static let launch = Duration.seconds(30)

    mutating func created(_ session: String, at uptime: Duration) { sessions[session] = Session(createdAt: uptime) }

    /// An event is being turned into an outcome, or into another attempt.
    mutating func begin(in session: String) { sessions[session]?.inProgress += 1 }

    /// The event's transfer has an outcome or another attempt.
    mutating func end(_ transfer: TransferReference, in session: String) {
        sessions[session]?.inProgress -= 1
        settled(transfer, in: session)
    }

    /// Nothing more is to be told of a transfer.
    mutating func settled(_ transfer: TransferReference, in session: String) {
        guard let known = sessions[session] else { return }
        for number in known.waiters.keys { sessions[session]?.waiters[number]?.missing.remove(transfer) }
        release(session)
    }

    /// A transfer is started, so what was told before is not everything that a later handler is for.
    mutating func resumed(in session: String) { sessions[session]?.isTold = false }

    mutating func told(_ session: String) {
        sessions[session]?.isTold = true
        release(session)
    }

    /// A handler comes now. Returns whether its session has nothing to tell it.
    ///
    /// A process that was suspended gets its handler before the events, and its transfers have not ended then, so what
    /// the session told at an earlier time does not count: it has to tell again.
    ///
    /// - Parameter active: the session's transfers that have not ended.
    mutating func isDelivered(_ session: String, active: Set<TransferReference>, at uptime: Duration) -> Bool {
        guard let known = sessions[session] else { return true }
        let isLaunch = !known.wasAwaited && uptime - known.createdAt < Self.launch
        sessions[session]?.wasAwaited = true
        if !active.isEmpty, !isLaunch { sessions[session]?.isTold = false }
        return sessions[session]?.isDelivered(missing: active) ?? true
    }

    /// Resumed when the session has told everything, or all that is active has ended, and all events have become
    /// outcomes. Returns a number for ``giveUp(_:in:)``.
    mutating func wait(
        for session: String, active: Set<TransferReference>, _ continuation: CheckedContinuation<Void, Never>
    ) -> Int {
        nextNumber += 1
        sessions[session]?.waiters[nextNumber] = Waiter(continuation: continuation, missing: active)
        return nextNumber
    }

    /// Whether it was still waiting.
    mutating func giveUp(_ number: Int, in session: String) -> Bool {
        guard let waiter = sessions[session]?.waiters.removeValue(forKey: number) else { return false }
        waiter.continuation.resume()
        return true
    }

    private mutating func release(_ session: String) {
        guard let known = sessions[session] else { return }
        for (number, waiter) in known.waiters where known.isDelivered(missing: waiter.missing) {
            sessions[session]?.waiters[number] = nil
            waiter.continuation.resume()
        }
    }
}
