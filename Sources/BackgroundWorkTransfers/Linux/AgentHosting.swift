#if os(Linux)
import Synchronization

/// Whether this process's own executable can be started as the agent.
///
/// An executable that never looks at its arguments for the agent's would start a second host instead; so the client
/// may use its own executable only after the host has said that it looks.
package enum AgentHosting {
    private static let looksForAgentArguments = Atomic<Bool>(false)

    /// Whether ``declare()`` has been called in this process.
    package static var isDeclared: Bool { looksForAgentArguments.load(ordering: .acquiring) }

    /// Notes that this executable serves as the agent when started with the agent's arguments.
    package static func declare() { looksForAgentArguments.store(true, ordering: .releasing) }
}
#endif
