/// Which sessions have told all that happened while no process was running, and who waits for that.
///
/// The system says so once (`urlSessionDidFinishEvents(forBackgroundURLSession:)`) each time that it has launched or
/// woken the process for a session, before or after it gives the host the handler that is to be called then.
struct SessionBacklog {
    private struct Session {
        let createdAt: Duration
        /// All that was waiting has been told.
        var isTold = false
        /// How many events are still being turned into outcomes.
        var inProgress = 0
        var wasAwaited = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

        var isDelivered: Bool { isTold && inProgress == 0 }
    }

    private var sessions: [String: Session] = [:]
    private var nextNumber = 0
    /// For how long after its creation a session that has told everything can have done so for a handler that is yet to
    /// come.
    private static let launch = Duration.seconds(30)

    mutating func created(_ session: String, at uptime: Duration) { sessions[session] = Session(createdAt: uptime) }

    mutating func begin(in session: String) { sessions[session]?.inProgress += 1 }

    mutating func end(in session: String) {
        sessions[session]?.inProgress -= 1
        release(session)
    }

    mutating func told(_ session: String) {
        sessions[session]?.isTold = true
        release(session)
    }

    /// A handler comes now. Returns whether its session has nothing to tell it.
    ///
    /// A process that was suspended gets its handler before the events, and its transfers are still active then, so what
    /// the session told at an earlier time does not count: it has to tell again.
    ///
    /// - Parameter hasActive: whether a transfer of it has not ended.
    mutating func isDelivered(_ session: String, hasActive: Bool, at uptime: Duration) -> Bool {
        guard let known = sessions[session] else { return true }
        let isLaunch = !known.wasAwaited && uptime - known.createdAt < Self.launch
        sessions[session]?.wasAwaited = true
        if hasActive, !isLaunch { sessions[session]?.isTold = false }
        return sessions[session]?.isDelivered ?? true
    }

    /// Resumed when the session has told everything, and its events have become outcomes. Returns a number for
    /// ``giveUp(_:in:)``.
    mutating func wait(for session: String, _ continuation: CheckedContinuation<Void, Never>) -> Int {
        nextNumber += 1
        sessions[session]?.waiting[nextNumber] = continuation
        return nextNumber
    }

    /// Whether it was still waiting.
    mutating func giveUp(_ number: Int, in session: String) -> Bool {
        guard let continuation = sessions[session]?.waiting.removeValue(forKey: number) else { return false }
        continuation.resume()
        return true
    }

    private mutating func release(_ session: String) {
        guard let known = sessions[session], known.isDelivered else { return }
        sessions[session]?.waiting = [:]
        for continuation in known.waiting.values { continuation.resume() }
    }
}
