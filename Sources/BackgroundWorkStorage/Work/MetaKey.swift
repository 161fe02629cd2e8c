/// The names of single values that the work database keeps.
package enum MetaKey {
    /// This database's identity; a new one has another.
    package static let store = "store"
    /// New items take generations above it.
    package static let generationFloor = "generation_floor"
    /// New rows take numbers above it.
    package static let sequenceFloor = "sequence_floor"
    /// The agent's journal that was last seen.
    package static let agentEpoch = "agent_epoch"
    /// How the wall clock stood to the clock that nobody sets, when that was last looked at.
    package static let clockWall = "clock_wall"
    package static let clockStart = "clock_start"
    package static let clockBoot = "clock_boot"
}
