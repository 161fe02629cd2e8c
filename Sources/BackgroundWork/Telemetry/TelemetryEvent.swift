import BackgroundWorkModel

/// What a telemetry hook is told.
public struct TelemetryEvent: Sendable, Hashable {
    /// The id of the item, or of the chain.
    public let id: String
    /// The worker's name as requested; `nil` for a chain.
    public let taskName: String?
    /// The chain that an item belongs to.
    public let chainID: String?
    /// The queue; known when a request is enqueued or begins.
    public internal(set) var queue: String?
    /// The attempt, counted from 1; 0 if there was none yet.
    public internal(set) var attempt = 0
    /// How long after it was due the attempt began. Only at a start.
    public internal(set) var queueLatency: Duration?
    /// How long the last attempt took, on a clock that nobody sets. Only at an end, and `nil` if it began in another
    /// process.
    public internal(set) var duration: Duration?
    /// How it ended. Only at an end.
    public internal(set) var outcome: WorkOutcome?
    /// What there is to say about the end.
    public internal(set) var message: String?
    /// How many calls were dropped just before this one, because the hook was too far behind.
    public internal(set) var droppedBefore = 0

    init(id: String, taskName: String? = nil, chainID: String? = nil) {
        self.id = id
        self.taskName = taskName
        self.chainID = chainID
    }
}
