import BackgroundWorkModel

/// What a runner knows of the device: only of the conditions that work has asked for.
struct RunnerDevice: Sendable {
    /// The conditions that are watched; what is not watched counts as not met, until it has been read.
    var watched: Constraints = []
    var known = DeviceState(satisfied: [])
    var watch: Task<Void, Never>?
    /// Conditions were asked for, and have not been read yet.
    var isReading = false
}
