#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The agent could not be found, started or reached. Nothing was handed off.
public struct AgentUnavailableError: Error, CustomStringConvertible {
    /// What was tried, what happened, and what to do.
    public let description: String
}

extension AgentUnavailableError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
