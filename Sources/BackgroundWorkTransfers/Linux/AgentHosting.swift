#if os(Linux)
import Synchronization

/// Whether the running program has said that it can be started as the agent.
package enum AgentHosting {
    private static let offered = Atomic(false)

    package static var isOffered: Bool { offered.load(ordering: .acquiring) }

    package static func offer() { offered.store(true, ordering: .releasing) }
}
#endif
