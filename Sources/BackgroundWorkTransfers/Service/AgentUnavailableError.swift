import BackgroundWorkFoundation

/// The agent could not be found, started or reached. Nothing was handed off.
public struct AgentUnavailableError: Error, CustomStringConvertible {
    /// What was tried, what happened, and what to do.
    public let description: String

    /// There is no program to start.
    package let isProgramMissing: Bool

    package init(description: String, isProgramMissing: Bool = false) {
        self.description = description
        self.isProgramMissing = isProgramMissing
    }
}

extension AgentUnavailableError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
