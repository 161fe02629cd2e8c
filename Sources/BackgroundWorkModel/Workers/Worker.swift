/// A piece of work that a scheduler can run by name.
///
/// ```swift
/// struct TranscodeWorker: Worker {
///     struct Input: Codable, Sendable { var file: String }
///     func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
///         .success(message: "transcoded \(input.file)")
///     }
/// }
/// ```
///
/// `doWork` runs on Swift's cooperative pool: it must not block a thread. Being stopped arrives as task cancellation.
/// A thrown error is a retry under the request's ``RetryPolicy``.
public protocol Worker: Sendable {
    /// The input's type, decoded from the request's JSON. Input that does not decode fails the request.
    associatedtype Input: Codable & Sendable = NoInput
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
