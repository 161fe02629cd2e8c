/// How a worker's run ended.
public enum WorkerResult: Sendable, Hashable {
    /// Done. The output, a JSON document, is passed to the later steps of the chain and to the event.
    /// ``success(message:output:)`` encodes a value.
    case success(message: String? = nil, outputJSON: String? = nil)
    /// Failed for good; the requests that depend on it fail too.
    case failure(message: String)
    /// To be retried: after `after`, or after the delay of the request's ``RetryPolicy``. At `attemptCap` attempts
    /// (or the policy's maximum, if lower) it fails instead.
    case retry(reason: String, after: Duration? = nil, attemptCap: Int? = nil)
    /// Not now, and nothing was wrong: to be run again after that time. No attempt is counted, however often.
    case snooze(for: Duration, reason: String? = nil)
    /// The worker is done and its slot is free, the outcome comes later through `WorkScheduler.complete(_:with:)`.
    /// The token is the context's ``WorkerContext/handOffToken``. The work is not finished: no event is written.
    ///
    /// When no outcome has come after `expiresAfter`, the attempt counts as one that asked for a retry, and a later
    /// outcome is answered `.alreadyCompleted`. `nil`: no time limit.
    case handedOff(HandOffToken, message: String? = nil, expiresAfter: Duration? = nil)
}

extension WorkerResult {
    /// Done, with an output of the worker's ``Worker/Output``. It is encoded as JSON: members in the order of their
    /// names, so equal values give equal texts.
    ///
    /// ```swift
    /// return try .success(message: "240 frames", output: Output(frames: 240))
    /// ```
    ///
    /// Throws ``WorkerOutputError/notEncodable(type:reason:)`` when the value cannot be written as JSON, such as a
    /// number that is not finite.
    public static func success(message: String? = nil, output: some Encodable) throws -> WorkerResult {
        do {
            return .success(message: message, outputJSON: try JSONCoding.text(of: output))
        } catch {
            throw WorkerOutputError.notEncodable(
                type: WorkerOutputError.name(of: type(of: output)), reason: JSONCoding.words(for: error))
        }
    }
}

/// Names one hand-off: work whose outcome comes later, possibly in another process.
///
/// Store `rawValue` where the outcome will be known, and pass it to `WorkScheduler.complete(_:with:)`.
public struct HandOffToken: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    /// `workID#generation`.
    public let rawValue: String

    /// Creates a token from its stored value.
    public init(rawValue: String) { self.rawValue = rawValue }

    package init(_ key: TransferKey) { rawValue = key.description }

    package var key: TransferKey? { TransferKey(rawValue) }

    /// The raw value.
    public var description: String { rawValue }
}
