import BackgroundWorkFoundation

/// A kind of work that a scheduler can run by name.
///
/// ```swift
/// struct TranscodeWorker: Worker {
///     struct Input: Codable, Sendable { var file: String }
///     struct Output: Codable, Sendable { var frames: Int }
///     func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
///         try .success(message: "transcoded \(input.file)", output: Output(frames: 240))
///     }
/// }
/// ```
///
/// `doWork` runs on Swift's cooperative pool: it must not block a thread. A stop arrives as task cancellation. A
/// thrown error is a retry under the request's ``RetryPolicy``, unless it is a ``WorkerInputError`` or a
/// ``WorkerOutputError``, which fail the request.
public protocol Worker: Sendable {
    /// The input's type, decoded from the request's JSON. A request whose input does not decode is refused when it is
    /// enqueued, or fails when it runs. Without a declared type, a request's input is ignored.
    associatedtype Input: Codable & Sendable = NoInput
    /// The output of a success, for the event and for the later steps of a chain; see
    /// ``WorkerResult/success(message:output:)`` and ``WorkerContext/output(of:)``.
    ///
    /// A success may be without an output. One whose output does not decode as this type fails the request. Without a
    /// declared type, a worker may return any JSON text.
    associatedtype Output: Codable & Sendable = NoOutput
    /// The name that requests use. By default the type's own name.
    static var name: String { get }
    /// Names that work of earlier versions may still use. Empty by default.
    static var aliases: [String] { get }
    /// Decides, when a request is enqueued, whether its input is accepted. Accepts every input by default.
    ///
    /// A thrown error refuses the request: `enqueue` returns ``ScheduleResult/rejectedBySystem(reason:)`` with the
    /// error's words, and nothing is stored. It is called with the decoded input on the caller's task, for every member
    /// of a chain, and for periodic work once. An input that is merged from the outputs of earlier steps is complete
    /// only when the work runs: it is checked then, before ``doWork(_:context:)``, and a refusal fails the work without
    /// a retry. Work that is enqueued where the worker is not registered is not checked.
    ///
    /// It should only look at the input, and take microseconds: not read files, and not wait.
    static func validate(input: Input) throws
    /// The same with the security policy that the work will have, for inputs with addresses or paths. Calls
    /// ``validate(input:)`` by default; where a worker has both, only this one is called.
    static func validate(input: Input, under policy: SecurityPolicy) throws
    /// Does the work once.
    func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult
}

extension Worker {
    /// The type's name.
    public static var name: String { String(describing: Self.self) }
    /// No aliases.
    public static var aliases: [String] { [] }
    /// Accepts every input.
    public static func validate(input: Input) throws {}
    /// Calls ``validate(input:)``.
    public static func validate(input: Input, under policy: SecurityPolicy) throws { try validate(input: input) }
}

/// The input of a worker that has none. Any JSON of a request is ignored.
public struct NoInput: Codable, Sendable, Hashable {
    /// Creates the value.
    public init() {}
    /// Reads nothing.
    public init(from decoder: any Decoder) {}
    /// Writes an empty object.
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: Key.self) }
    private enum Key: CodingKey {}
}

/// The output of a worker that has none, or that returns JSON text of no declared type.
public struct NoOutput: Codable, Sendable, Hashable {
    /// Creates the value.
    public init() {}
    /// Reads nothing.
    public init(from decoder: any Decoder) {}
    /// Writes an empty object.
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: Key.self) }
    private enum Key: CodingKey {}
}

/// The input of a request is not valid for its worker. Retrying cannot help, so the request fails at once.
public struct WorkerInputError: Error, Hashable, CustomStringConvertible {
    /// The worker's name as requested.
    public let workerClassName: String
    /// What is wrong with which field, and what is valid.
    public let reason: String

    /// Creates the error. Throw it from a worker to fail its request without a retry.
    public init(workerClassName: String, reason: String) {
        self.workerClassName = workerClassName
        self.reason = reason
    }

    /// The worker and the reason.
    public var description: String { "The input for \(workerClassName) was not accepted: \(reason)" }
}

extension WorkerInputError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
