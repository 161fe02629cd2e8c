import BackgroundWorkModel

/// What Apple's path monitor reports of the network.
struct NetworkPath: Equatable, Sendable {
    /// A kind of interface that connections may use.
    enum Interface: Sendable, CaseIterable { case wifi, cellular, wiredEthernet, loopback, other }

    /// Whether connections can be made now. False for a path that only a new connection would bring up.
    var isSatisfied: Bool
    /// A cellular network or a personal hotspot, unless the user has allowed more data on it.
    var isExpensive = false
    /// The user has turned on Low Data Mode for it.
    var isConstrained = false
    /// The kinds that it may use; none where the system does not say.
    var interfaces: Set<Interface> = []

    /// What it says of `unmeteredNetwork`. Loopback alone is not a network. A cellular network that is not expensive is
    /// not metered.
    var state: DeviceState {
        guard isSatisfied, interfaces != [.loopback] else { return DeviceState(satisfied: []) }
        return DeviceState(satisfied: isExpensive || isConstrained ? .network : .unmeteredNetwork)
    }
}
