/// The device conditions at one moment.
public struct DeviceState: Sendable, Hashable {
    /// The conditions that are met. Those that cannot be read are not among them, but do not delay work either.
    public var satisfied: Constraints
    /// The conditions that cannot be read, with the reasons. They count as met: otherwise the work that needs them would
    /// wait forever. `explain(id:)` and a notice name them.
    public var unreadable: [ConditionFault]
    /// The conditions that can be read, but whose changes are detected late, or not at all. A notice names them.
    public var unwatched: [ConditionFault]

    /// Creates a state.
    public init(satisfied: Constraints, unreadable: [ConditionFault] = [], unwatched: [ConditionFault] = []) {
        self.satisfied = satisfied
        self.unreadable = unreadable
        self.unwatched = unwatched
    }

    /// A state that says only that these conditions cannot be read.
    package static func unreadable(_ conditions: Constraints, because reason: String) -> DeviceState {
        DeviceState(satisfied: [], unreadable: [ConditionFault(conditions, reason: reason)])
    }

    /// The conditions of `constraints` that are neither met nor count as met.
    package func unmet(_ constraints: Constraints) -> Constraints {
        unreadable.reduce(constraints.subtracting(satisfied)) { $0.subtracting($1.conditions) }
    }

    /// What it says of these conditions.
    package func restricted(to constraints: Constraints) -> DeviceState {
        DeviceState(
            satisfied: satisfied.intersection(constraints),
            unreadable: unreadable.compactMap { $0.restricted(to: constraints) },
            unwatched: unwatched.compactMap { $0.restricted(to: constraints) })
    }

    /// Adds what another source says.
    package mutating func formUnion(_ other: DeviceState) {
        satisfied.formUnion(other.satisfied)
        unreadable += other.unreadable
        unwatched += other.unwatched
    }
}

/// Conditions that cannot be read or watched, and why.
public struct ConditionFault: Sendable, Hashable, CustomStringConvertible {
    /// The conditions.
    public var conditions: Constraints
    /// Why, as a part of a sentence: "NetworkManager does not run".
    public var reason: String

    /// Creates a fault.
    public init(_ conditions: Constraints, reason: String) {
        self.conditions = conditions
        self.reason = reason
    }

    /// "an idle device (the system reports no load average)".
    public var description: String { "\(conditions) (\(reason))" }

    /// The same fault of those of its conditions that are in `constraints`; `nil` if none is.
    package func restricted(to constraints: Constraints) -> ConditionFault? {
        let common = conditions.intersection(constraints)
        return common.isEmpty ? nil : ConditionFault(common, reason: reason)
    }
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
