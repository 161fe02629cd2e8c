/// Which conditions of the device hold at one moment.
public struct DeviceState: Sendable, Hashable {
    /// The conditions that hold.
    public var satisfied: Constraints

    /// Creates a state.
    public init(satisfied: Constraints) { self.satisfied = satisfied }

    /// The conditions of `constraints` that do not hold.
    package func unmet(_ constraints: Constraints) -> Constraints { constraints.subtracting(satisfied) }
}

/// Reads the state of the device that constraints are held against.
///
/// A scheduler brings its platform's own; `BackgroundWorkTesting` has one that a test sets.
public protocol DeviceStateReader: Sendable {
    /// The state now.
    func state() async -> DeviceState

    /// The state at each change from the call on, newest only, until the stream is ended. Only conditions in
    /// `interest` need to be watched; what has no event of its own is looked at now and then while somebody listens.
    func changes(of interest: Constraints) -> AsyncStream<DeviceState>
}
