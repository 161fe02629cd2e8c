#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TaskRequest {
    /// Creates a request for a typed worker. Throws what `JSONEncoder` throws when the input cannot be encoded.
    ///
    /// ```swift
    /// try TaskRequest(TranscodeWorker.self, input: .init(file: "a.mov"), tags: ["media"])
    /// ```
    public init<W: Worker>(
        _ worker: W.Type, input: W.Input, constraints: Constraints = [], priority: WorkPriority = .normal,
        retryPolicy: RetryPolicy = .exponential(), isIdempotent: Bool = true, tags: Set<String> = [],
        queue: String = TaskRequest.defaultQueue, metadata: [String: String] = [:], delay: Duration = .zero,
        timeout: Duration? = nil, deadline: Date? = nil, inputMerge: InputMerge? = nil,
        continuation: ChainContinuation = .afterTransfer
    ) throws {
        self.init(
            workerClassName: W.name, inputJSON: String(decoding: try JSONEncoder().encode(input), as: UTF8.self),
            constraints: constraints, priority: priority, retryPolicy: retryPolicy, isIdempotent: isIdempotent,
            tags: tags, queue: queue, metadata: metadata, delay: delay, timeout: timeout, deadline: deadline,
            inputMerge: inputMerge, continuation: continuation)
    }

    /// Creates a request for a typed worker that takes no input.
    public init<W: Worker>(
        _ worker: W.Type, constraints: Constraints = [], priority: WorkPriority = .normal,
        retryPolicy: RetryPolicy = .exponential(), isIdempotent: Bool = true, tags: Set<String> = [],
        queue: String = TaskRequest.defaultQueue, metadata: [String: String] = [:], delay: Duration = .zero,
        timeout: Duration? = nil, deadline: Date? = nil, inputMerge: InputMerge? = nil,
        continuation: ChainContinuation = .afterTransfer
    ) where W.Input == NoInput {
        self.init(
            workerClassName: W.name, constraints: constraints, priority: priority, retryPolicy: retryPolicy,
            isIdempotent: isIdempotent, tags: tags, queue: queue, metadata: metadata, delay: delay, timeout: timeout,
            deadline: deadline, inputMerge: inputMerge, continuation: continuation)
    }
}
