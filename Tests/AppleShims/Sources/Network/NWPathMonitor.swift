public import Dispatch
import Synchronization

/// doc: network/nwpathmonitor
public final class NWPathMonitor: Sendable {
    private struct State {
        var handler: (@Sendable (NWPath) -> Void)?
        var queue: DispatchQueue?
        var isCanceled = false
    }

    private let state = Mutex(State())

    /// doc: network/nwpathmonitor/init()
    public init() {}

    /// doc: network/nwpathmonitor/pathupdatehandler
    @preconcurrency public final var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// doc: network/nwpathmonitor/start(queue:); reports the path that a test has set, and then each that it sets
    public final func start(queue: DispatchQueue) {
        state.withLock { $0.queue = queue }
        NetworkShim.add(self)
    }

    /// doc: network/nwpathmonitor/cancel()
    public final func cancel() {
        state.withLock { state in
            state.isCanceled = true
            state.handler = nil
        }
        NetworkShim.remove(self)
    }

    func report(_ path: NWPath) {
        guard let queue = state.withLock({ $0.isCanceled ? nil : $0.queue }) else { return }
        queue.async { self.pathUpdateHandler?(path) }
    }
}
