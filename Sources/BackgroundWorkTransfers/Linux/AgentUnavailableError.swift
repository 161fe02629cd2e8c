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

extension AgentUnavailableError {
    static func hangs(process: Int32, seconds: Double, log: String) -> AgentUnavailableError {
        AgentUnavailableError(
            description: "The agent (process \(process)) has not answered for \(Int(seconds.rounded(.up))) seconds. "
                + "It was stopped (SIGSTOP), or hangs: let it go on (SIGCONT) or end it, and ask again. Nothing is lost. "
                + "Its log is \(log).")
    }
}
