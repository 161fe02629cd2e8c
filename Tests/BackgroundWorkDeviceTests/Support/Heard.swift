import BackgroundWorkModel
import Synchronization

/// The states that a listener was told, in order.
final class Heard: Sendable {
    private let list = Mutex<[Constraints]>([])

    var states: [Constraints] { list.withLock { $0 } }

    func add(_ state: DeviceState) { list.withLock { $0.append(state.satisfied) } }
}
