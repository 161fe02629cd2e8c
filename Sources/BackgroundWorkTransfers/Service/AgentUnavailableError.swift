import BackgroundWorkFoundation

/// The agent could not be found, started or reached. Nothing was handed off.
public struct AgentUnavailableError: Error, CustomStringConvertible {
    /// What was tried, what happened, and what to do.
    public let description: String

    package init(description: String) { self.description = description }
}

extension AgentUnavailableError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
