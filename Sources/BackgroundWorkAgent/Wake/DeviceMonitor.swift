#if os(Linux)
import BackgroundWorkModel
import Synchronization

/// The network loop's view of the device: watched only while a wake depends on it.
final class DeviceMonitor {
    /// What one watch has told last. A watch of its own each, so that a late word of an ended one says nothing.
    private final class Reading: Sendable {
        let state = Mutex<DeviceState?>(nil)
    }

    private let device: any DeviceWatching
    private let wake: WakeDescriptor
    private var current: (interest: Constraints, reading: Reading, end: () -> Void)?

    init(device: any DeviceWatching, wake: WakeDescriptor) {
        self.device = device
        self.wake = wake
    }

    deinit { current?.end() }

    /// `nil` while it is not known.
    var state: DeviceState? { current?.reading.state.withLock { $0 } }

    /// Watches these conditions from now on; none ends the watch.
    func follow(_ interest: Constraints) {
        guard interest != current?.interest ?? [] else { return }
        current?.end()
        current = nil
        guard !interest.isEmpty else { return }
        let reading = Reading()
        let end = device.watch(interest) { [wake] state in
            reading.state.withLock { $0 = state }
            wake.wake()
        }
        current = (interest, reading, end)
    }
}
#endif
