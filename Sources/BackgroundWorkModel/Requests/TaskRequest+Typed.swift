import BackgroundWorkFoundation

extension TaskRequest {
    /// Creates a request for a typed worker. The input is encoded as JSON: members sorted by name, so equal inputs
    /// give equal texts.
    ///
    /// ```swift
    /// try TaskRequest(TranscodeWorker.self, input: .init(file: "a.mov"), tags: ["media"])
    /// ```
    ///
    /// Throws ``EnqueueError/inputNotEncodable(workerClassName:reason:)`` when the input cannot be written as JSON, such
    /// as a number that is not finite. Nothing else is checked before the request is enqueued.
    public init<W: Worker>(
        _ worker: W.Type, input: W.Input, constraints: Constraints = [], priority: WorkPriority = .normal,
        retryPolicy: RetryPolicy = .exponential(), isIdempotent: Bool = true, tags: Set<String> = [],
        queue: String = TaskRequest.defaultQueue, metadata: [String: String] = [:], delay: Duration = .zero,
        timeout: Duration? = nil, deadline: Date? = nil, inputMerge: InputMerge? = nil,
        continuation: ChainContinuation = .afterTransfer
    ) throws {
        let json: String
        do {
            json = try JSONCoding.text(of: input)
        } catch {
            throw EnqueueError.inputNotEncodable(workerClassName: W.name, reason: JSONCoding.words(for: error))
        }
        self.init(
            workerClassName: W.name, inputJSON: json, constraints: constraints, priority: priority,
            retryPolicy: retryPolicy, isIdempotent: isIdempotent, tags: tags, queue: queue, metadata: metadata,
            delay: delay, timeout: timeout, deadline: deadline, inputMerge: inputMerge, continuation: continuation)
    }

    /// Creates a request for a typed worker whose input can always be written as JSON, as those of the built-in workers
    /// can. Nothing is checked before the request is enqueued.
    ///
    /// ```swift
    /// let download = DownloadConfiguration(url: "https://example.com/film.mp4", savePath: "/home/me/film.mp4")
    /// TaskRequest(BackgroundDownloadWorker.self, input: download, tags: ["media"])
    /// ```
    public init<W: Worker>(
        _ worker: W.Type, input: W.Input, constraints: Constraints = [], priority: WorkPriority = .normal,
        retryPolicy: RetryPolicy = .exponential(), isIdempotent: Bool = true, tags: Set<String> = [],
        queue: String = TaskRequest.defaultQueue, metadata: [String: String] = [:], delay: Duration = .zero,
        timeout: Duration? = nil, deadline: Date? = nil, inputMerge: InputMerge? = nil,
        continuation: ChainContinuation = .afterTransfer
    ) where W.Input: WorkerInput {
        self.init(
            workerClassName: W.name, inputJSON: input.inputJSON, constraints: constraints, priority: priority,
            retryPolicy: retryPolicy, isIdempotent: isIdempotent, tags: tags, queue: queue, metadata: metadata,
            delay: delay, timeout: timeout, deadline: deadline, inputMerge: inputMerge, continuation: continuation)
    }

    /// Creates a request for a typed worker without input.
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

/// A worker's input that can always be written as JSON, so that requests with it are created without `try`.
///
/// The configurations of the built-in workers are such inputs. Your own type may be one, if it writes its text
/// itself; any other `Codable` type can be an input as well.
public protocol WorkerInput: Codable, Sendable {
    /// The value as one JSON document, which its `init(from:)` reads back. Used where JSON text is expected, such as
    /// in ``TaskRequest/inputJSON``.
    var inputJSON: String { get }
}
