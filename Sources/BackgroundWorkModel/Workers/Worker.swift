/// A piece of work that a scheduler can run by name.
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
/// `doWork` runs on Swift's cooperative pool: it must not block a thread. Being stopped arrives as task cancellation.
/// A thrown error is a retry under the request's ``RetryPolicy``, unless it is a ``WorkerInputError`` or a
/// ``WorkerOutputError``, which fail the request.
public protocol Worker: Sendable {
    /// The input's type, decoded from the request's JSON. Input that does not decode fails the request. Without one,
    /// whatever input a request has is ignored.
    associatedtype Input: Codable & Sendable = NoInput
    /// What a success gives to the event and to the steps after it in a chain; see
    /// ``WorkerResult/success(message:output:)`` and ``WorkerContext/output(of:)``.
    ///
    /// A success may be without an output. One whose output does not decode as this type fails the request. Without a
    /// type of its own, a worker may give any JSON text.
    associatedtype Output: Codable & Sendable = NoOutput
    /// The name that requests use. By default the type's own.
    static var name: String { get }
    /// Names that work of earlier versions may still bear. Empty by default.
    static var aliases: [String] { get }
    /// Does the work once.
    func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult
}

extension Worker {
    /// The type's name.
    public static var name: String { String(describing: Self.self) }
    /// No aliases.
    public static var aliases: [String] { [] }
}
