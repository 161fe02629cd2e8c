import BackgroundWorkFoundation

/// A request for one piece of work: which worker, with which input, and how it is scheduled.
///
/// A request is a value. It is checked when it is enqueued, and the worker's name is looked up when it runs, so work
/// that was enqueued by a later version of a program waits on disk without harm.
///
/// ```swift
/// try TaskRequest(
///     SyncWorker.self, input: .init(folder: "inbox"), constraints: [.network], priority: .high, tags: ["inbox"],
///     timeout: .seconds(60))
/// ```
///
/// A request on JSON text, with
/// ``init(workerClassName:inputJSON:constraints:priority:retryPolicy:isIdempotent:tags:queue:metadata:delay:timeout:deadline:inputMerge:continuation:)``,
/// is for inputs that come as JSON from elsewhere, and for workers whose type is not available.
public struct TaskRequest: Sendable, Hashable, Codable {
    /// The queue of requests that name none.
    public static let defaultQueue = "default"

    /// The name under which the worker is registered, or one of its aliases.
    public var workerClassName: String
    /// The worker's input, one JSON document; `nil` for a worker without input. At most 10 MB.
    public var inputJSON: String?
    /// Device conditions that must be met when it starts and while it runs.
    public var constraints: Constraints
    /// Its priority.
    public var priority: WorkPriority
    /// What happens after a retry or a thrown error.
    public var retryPolicy: RetryPolicy
    /// Whether the work may be started again after it was interrupted: by the end of its process, by a shutdown, or
    /// by the loss of a condition. When `false`, that fails the request with a message that says so, unless the
    /// worker had not been called yet, or has answered the stop with a result: `.retry` says that it may run again.
    /// Work that was handed off is not affected.
    public var isIdempotent: Bool
    /// Labels to find and cancel it by.
    public var tags: Set<String>
    /// The label under which it is paused, limited and counted. Meant for a few kinds of work, not for one label each.
    public var queue: String
    /// The host's own data, available in the worker's context and in the event.
    public var metadata: [String: String]
    /// How long it waits once it could start: after its trigger, or after the previous step of a chain.
    public var delay: Duration
    /// The longest time that one run may take, measured on a monotonic clock. Then its task is cancelled with
    /// ``StopReason/timeout``, and the attempt counts as one that asked for a retry.
    public var timeout: Duration?
    /// After this instant the work is no longer useful: if it has not started by then it is skipped, a run in
    /// progress is stopped and fails, and so does a hand-off without outcome. Periodic work ends with it.
    public var deadline: Date?
    /// How the outputs of the previous step are merged into the input; `nil`: not at all.
    public var inputMerge: InputMerge?
    /// When the next step of a chain may start, if this one is handed off.
    public var continuation: ChainContinuation

    /// Creates a request on JSON text, which is stored unchanged. Nothing is checked before it is enqueued.
    public init(
        workerClassName: String, inputJSON: String? = nil, constraints: Constraints = [],
        priority: WorkPriority = .normal, retryPolicy: RetryPolicy = .exponential(), isIdempotent: Bool = true,
        tags: Set<String> = [], queue: String = TaskRequest.defaultQueue, metadata: [String: String] = [:],
        delay: Duration = .zero, timeout: Duration? = nil, deadline: Date? = nil, inputMerge: InputMerge? = nil,
        continuation: ChainContinuation = .afterTransfer
    ) {
        self.workerClassName = workerClassName
        self.inputJSON = inputJSON
        self.constraints = constraints
        self.priority = priority
        self.retryPolicy = retryPolicy
        self.isIdempotent = isIdempotent
        self.tags = tags
        self.queue = queue
        self.metadata = metadata
        self.delay = delay
        self.timeout = timeout
        self.deadline = deadline
        self.inputMerge = inputMerge
        self.continuation = continuation
    }
}

extension TaskRequest: CustomReflectable {
    /// With the length of its input in the place of the input, which may hold secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "workerClassName": workerClassName, "inputJSON": inputJSON.map { "\($0.utf8.count) bytes" } as Any,
                "constraints": constraints, "priority": priority, "retryPolicy": retryPolicy,
                "isIdempotent": isIdempotent, "tags": tags, "queue": queue, "metadata": metadata, "delay": delay,
                "timeout": timeout as Any, "deadline": deadline as Any, "inputMerge": inputMerge as Any,
                "continuation": continuation,
            ], displayStyle: .struct)
    }
}

/// The priority of a request. Due work of a higher priority starts first; within one priority the earliest due starts
/// first.
public enum WorkPriority: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Runs when nothing else is due.
    case low = 0
    /// The default.
    case normal = 1
    /// Before normal work.
    case high = 2
    /// Before everything else.
    case critical = 3

    /// Orders by priority: `.low < .critical`.
    public static func < (lhs: WorkPriority, rhs: WorkPriority) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// When the next step of a chain may start, if a request of this one is handed off.
public enum ChainContinuation: String, Sendable, Hashable, Codable, CaseIterable {
    /// When the outcome has arrived and is a success: a downloaded file is in place.
    case afterTransfer
    /// As soon as it was handed off. A later failure has its own event, and does not affect the later steps.
    case afterHandOff
}
