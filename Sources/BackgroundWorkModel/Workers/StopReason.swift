/// Why a running worker was asked to stop.
public enum StopReason: String, Sendable, Hashable {
    /// The work was cancelled or replaced; its result will be ignored.
    case cancelled
    /// The scheduler shuts down; the work goes back to the queue and no attempt is counted.
    case shutdown
    /// A condition that the request needs was lost; the work waits for it again and no attempt is counted.
    case constraintLost
    /// The run took longer than the request's ``TaskRequest/timeout``; the attempt counts.
    case timeout
    /// The request's deadline has passed; it ends as failed.
    case deadline
}
