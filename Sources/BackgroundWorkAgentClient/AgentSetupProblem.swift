import BackgroundWorkFiles
import BackgroundWorkTransfers

/// What has to be put right on the machine before transfers can go on, or deserves to be.
package enum AgentSetupProblem: Sendable {
    /// No agent can be started or reached.
    case unavailable(any Error)
    /// A program that was named for the agent cannot be used, and another one is.
    case otherProgram(String)

    /// Whether it stays until the user changes something on the machine.
    package var needsUser: Bool {
        switch self {
        case .unavailable(let error as AgentUnavailableError): error.isProgramMissing
        case .unavailable(let error): error is NotOwnError
        case .otherProgram: true
        }
    }
}
