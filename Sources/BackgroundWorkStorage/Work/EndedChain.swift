import BackgroundWorkModel

/// A chain that a commit has brought to its end.
package struct EndedChain: Sendable, Hashable {
    package var id: String
    package var outcome: WorkOutcome
}
