#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A wish for one piece of work: which worker, with which input, and how it is to be treated.
///
/// A request is a value. It is checked when it is enqueued, and the worker's name is looked up when it runs, so work
/// that was enqueued by a later version of a program waits on disk without harm.
///
/// ```swift
/// TaskRequest(workerClassName: "SyncWorker", inputJSON: #"{"folder":"inbox"}"#, priority: .high)
/// ```
public struct TaskRequest: Sendable, Hashable {
    /// The name under which the worker is registered, or one of its aliases.
    public var workerClassName: String
    /// The worker's input, one JSON document; `nil` for a worker that takes none. At most 10 MB.
    public var inputJSON: String?
    /// How urgent it is.
    public var priority: WorkPriority
    /// What happens after a retry or a thrown error.
    public var retryPolicy: RetryPolicy
    /// Whether the work may be started again after its process died while it ran. When `false`, such a death fails
    /// the request with a message that says so. Work that was handed off is not affected.
    public var isIdempotent: Bool

    /// Creates a request on raw JSON. Nothing is checked before it is enqueued.
    public init(
        workerClassName: String, inputJSON: String? = nil, priority: WorkPriority = .normal,
        retryPolicy: RetryPolicy = .exponential(), isIdempotent: Bool = true
    ) {
        self.workerClassName = workerClassName
        self.inputJSON = inputJSON
        self.priority = priority
        self.retryPolicy = retryPolicy
        self.isIdempotent = isIdempotent
    }

    /// Creates a request for a typed worker. Throws what `JSONEncoder` throws when the input cannot be encoded.
    public init<W: Worker>(
        _ worker: W.Type, input: W.Input, priority: WorkPriority = .normal,
        retryPolicy: RetryPolicy = .exponential(), isIdempotent: Bool = true
    ) throws {
        self.init(
            workerClassName: W.name, inputJSON: String(decoding: try JSONEncoder().encode(input), as: UTF8.self),
            priority: priority, retryPolicy: retryPolicy, isIdempotent: isIdempotent)
    }

    /// Creates a request for a typed worker that takes no input.
    public init<W: Worker>(
        _ worker: W.Type, priority: WorkPriority = .normal, retryPolicy: RetryPolicy = .exponential(),
        isIdempotent: Bool = true
    ) where W.Input == NoInput {
        self.init(
            workerClassName: W.name, priority: priority, retryPolicy: retryPolicy, isIdempotent: isIdempotent)
    }
}
