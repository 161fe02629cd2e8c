/// The device conditions that are met at one moment.
public struct DeviceState: Sendable, Hashable {
    /// The conditions that are met.
    public var satisfied: Constraints

    /// Creates a state.
    public init(satisfied: Constraints) { self.satisfied = satisfied }

    /// The conditions of `constraints` that are not met.
    package func unmet(_ constraints: Constraints) -> Constraints { constraints.subtracting(satisfied) }
}

/// Reads the device state that constraints are checked against.
///
/// A scheduler uses its platform's reader; `BackgroundWorkTesting` has one that a test sets.
public protocol DeviceStateReader: Sendable {
    /// The state now.
    func state() async -> DeviceState

    /// The state at each change from the call on, newest only, until the stream is ended. Only conditions in
    /// `interest` need to be watched; a condition without a change event is polled while the stream has a reader.
    func changes(of interest: Constraints) -> AsyncStream<DeviceState>
}
