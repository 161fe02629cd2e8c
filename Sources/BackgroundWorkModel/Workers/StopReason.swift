/// Why a running worker was asked to stop.
public enum StopReason: String, Sendable, Hashable {
    /// The work was cancelled or replaced; its result will be ignored.
    case cancelled
    /// The scheduler shuts down; the work goes back to the queue and no attempt is counted.
    case shutdown
}
