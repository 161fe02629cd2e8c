import Dispatch
import Network

/// Reports the path of the network until it is deinitialized, by NWPathMonitor: once at the start, then each change.
final class NetworkPathMonitor {
    private let monitor: NWPathMonitor

    /// - Parameter monitor: a new one, since a canceled one cannot be started again.
    init(_ monitor: NWPathMonitor = NWPathMonitor(), report: @escaping @Sendable (NetworkPath) -> Void) {
        self.monitor = monitor
        monitor.pathUpdateHandler = { path in report(NetworkPath(path)) }
        monitor.start(queue: DispatchQueue(label: "BackgroundWork.path"))
    }

    deinit { monitor.cancel() }
}

extension NetworkPath {
    init(_ path: NWPath) {
        self.init(
            isSatisfied: path.status == .satisfied, isExpensive: path.isExpensive, isConstrained: path.isConstrained,
            interfaces: Set(Interface.allCases.filter { path.usesInterfaceType($0.type) }))
    }
}

extension NetworkPath.Interface {
    fileprivate var type: NWInterface.InterfaceType {
        switch self {
        case .wifi: .wifi
        case .cellular: .cellular
        case .wiredEthernet: .wiredEthernet
        case .loopback: .loopback
        case .other: .other
        }
    }
}
