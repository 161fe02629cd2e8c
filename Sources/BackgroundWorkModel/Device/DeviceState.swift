/// Which conditions of the device hold at one moment.
public struct DeviceState: Sendable, Hashable {
    /// The conditions that hold.
    public var satisfied: Constraints

    /// Creates a state.
    public init(satisfied: Constraints) { self.satisfied = satisfied }

    /// The conditions of `constraints` that do not hold.
    package func unmet(_ constraints: Constraints) -> Constraints { constraints.subtracting(satisfied) }
}
