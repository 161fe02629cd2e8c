import BackgroundWorkFoundation
import BackgroundWorkModel

/// One reason why work has not started.
public enum WaitReason: Sendable, Hashable, CustomStringConvertible {
    /// Its due time has not been reached.
    case notDue(until: Date)
    /// It asked for another attempt, and waits for it.
    case betweenAttempts(attempt: Int, until: Date, reason: String?)
    /// Its file has not changed since it was enqueued, or since the last run.
    case fileUnchanged(path: String)
    /// Device conditions are not met.
    case conditionsMissing(Constraints)
    /// Its queue is paused.
    case queuePaused(String)
    /// The concurrency limit of its worker or of its queue is reached.
    case limitReached(of: String, running: Int, limit: Int)
    /// Its queue has reached its rate limit.
    case rateLimitReached(queue: String, until: Date?)
    /// All slots of this scheduler are taken.
    case slotsTaken(running: Int, slots: Int)
    /// Its process has died before while it ran, so it waits until nothing else runs.
    case mustRunAlone(deaths: Int)
    /// Members of its chain that have to succeed first.
    case predecessorsUnfinished([String])
    /// This scheduler has not been started, or has been shut down.
    case schedulerNotRunning

    /// A description of the reason.
    public var description: String {
        switch self {
        case .notDue(let date): "it is due at \(Self.text(date))"
        case .betweenAttempts(let attempt, let date, let reason):
            "attempt \(attempt) asked for another one at \(Self.text(date))" + (reason.map { ": \($0)" } ?? "")
        case .fileUnchanged(let path): "\(path) has not changed"
        case .conditionsMissing(let conditions): "it needs \(conditions)"
        case .queuePaused(let queue): "the queue \"\(queue)\" is paused"
        case .limitReached(let what, let running, let limit): "\(running) of at most \(limit) of \(what) run"
        case .rateLimitReached(let queue, let date):
            "the queue \"\(queue)\" has started as many as it may" + (date.map { " until \(Self.text($0))" } ?? "")
        case .slotsTaken(let running, let slots): "\(running) requests are in the \(slots) slots"
        case .mustRunAlone(let deaths):
            "its process died \(deaths) times while it ran, so it waits until nothing else runs"
        case .predecessorsUnfinished(let ids):
            "it waits for \(ids.prefix(5).joined(separator: ", "))"
                + (ids.count > 5 ? " and \(ids.count - 5) more" : "")
        case .schedulerNotRunning: "this scheduler is not running"
        }
    }

    private static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
