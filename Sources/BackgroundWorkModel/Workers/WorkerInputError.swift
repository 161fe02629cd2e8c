#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The input of a request does not fit its worker. Retrying cannot help, so the request fails at once.
public struct WorkerInputError: Error, Hashable, CustomStringConvertible {
    /// The worker's name as requested.
    public let workerClassName: String
    /// What is wrong with which field, and what would be right.
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
