import BackgroundWorkModel
import Synchronization

/// Why a run is to stop, readable from the worker while it runs.
final class StopFlag: Sendable {
    private let value = Mutex<StopReason?>(nil)

    var reason: StopReason? { value.withLock { $0 } }

    /// The first reason stays.
    func raise(_ reason: StopReason) { value.withLock { $0 = $0 ?? reason } }
}
