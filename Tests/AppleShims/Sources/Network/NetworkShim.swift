import Synchronization

/// What a test does in the system's place.
public enum NetworkShim {
    private struct State {
        var path = NWPath(status: .satisfied, interfaces: [.wifi])
        var monitors: [ObjectIdentifier: NWPathMonitor] = [:]
    }

    private static let state = Mutex(State())

    /// Whether a monitor was started, and not canceled.
    public static func isRunning(_ monitor: NWPathMonitor) -> Bool {
        state.withLock { $0.monitors[ObjectIdentifier(monitor)] != nil }
    }

    /// The network's path from now on, which all running monitors report. At first it is satisfied, over Wi-Fi.
    public static func setPath(
        _ status: NWPath.Status, isExpensive: Bool = false, isConstrained: Bool = false,
        interfaces: [NWInterface.InterfaceType] = []
    ) {
        let path = NWPath(
            status: status, isExpensive: isExpensive, isConstrained: isConstrained, interfaces: interfaces)
        state.withLock { state in
            state.path = path
            for monitor in state.monitors.values { monitor.report(path) }
        }
    }

    static func add(_ monitor: NWPathMonitor) {
        state.withLock { state in
            state.monitors[ObjectIdentifier(monitor)] = monitor
            monitor.report(state.path)
        }
    }

    static func remove(_ monitor: NWPathMonitor) {
        state.withLock { _ = $0.monitors.removeValue(forKey: ObjectIdentifier(monitor)) }
    }
}
