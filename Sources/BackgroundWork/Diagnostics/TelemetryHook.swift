import BackgroundWorkModel

/// Receives what happens to requests and chains, for metrics and traces.
///
/// The calls come one after the other on a separate task, in the order of the events. A slow hook never delays work:
/// when it is more than 4096 calls behind, further ones are dropped, and ``TelemetryEvent/droppedBefore`` of the next
/// one says how many. All methods do nothing by default.
///
/// Telemetry is about this process: other processes on the same directory report what they run themselves.
public protocol TelemetryHook: Sendable {
    /// A request was enqueued; called once it is durable.
    func taskScheduled(_ event: TelemetryEvent) async
    /// An attempt starts; ``TelemetryEvent/queueLatency`` says how long after it was due.
    func taskStarted(_ event: TelemetryEvent) async
    /// A request, or an occurrence of it, has succeeded.
    func taskCompleted(_ event: TelemetryEvent) async
    /// It has ended in another way; ``TelemetryEvent/outcome`` says how.
    func taskFailed(_ event: TelemetryEvent) async
    /// Every request of a chain has succeeded.
    func chainCompleted(_ event: TelemetryEvent) async
    /// A chain has ended with a failure or a cancellation.
    func chainFailed(_ event: TelemetryEvent) async
    /// A chain has ended because one of its requests was started too late.
    func chainSkipped(_ event: TelemetryEvent) async
}

extension TelemetryHook {
    /// Does nothing.
    public func taskScheduled(_ event: TelemetryEvent) async {}
    /// Does nothing.
    public func taskStarted(_ event: TelemetryEvent) async {}
    /// Does nothing.
    public func taskCompleted(_ event: TelemetryEvent) async {}
    /// Does nothing.
    public func taskFailed(_ event: TelemetryEvent) async {}
    /// Does nothing.
    public func chainCompleted(_ event: TelemetryEvent) async {}
    /// Does nothing.
    public func chainFailed(_ event: TelemetryEvent) async {}
    /// Does nothing.
    public func chainSkipped(_ event: TelemetryEvent) async {}
}

/// The argument of the telemetry hook.
public struct TelemetryEvent: Sendable, Hashable {
    /// The id of the item, or of the chain.
    public let id: String
    /// The worker's name as requested; `nil` for a chain.
    public let taskName: String?
    /// The chain that an item belongs to.
    public let chainID: String?
    /// The queue; set when a request is enqueued or starts.
    public internal(set) var queue: String?
    /// The attempt, counted from 1; 0 if there was none yet.
    public internal(set) var attempt = 0
    /// How long after it was due the attempt started. Only at a start.
    public internal(set) var queueLatency: Duration?
    /// How long the last attempt took, on a monotonic clock. Only at an end, and `nil` if it started in another
    /// process.
    public internal(set) var duration: Duration?
    /// How it ended. Only at an end.
    public internal(set) var outcome: WorkOutcome?
    /// The message about the end.
    public internal(set) var message: String?
    /// How many calls were dropped just before this one, because the hook was too far behind.
    public internal(set) var droppedBefore = 0

    init(id: String, taskName: String? = nil, chainID: String? = nil) {
        self.id = id
        self.taskName = taskName
        self.chainID = chainID
    }
}
