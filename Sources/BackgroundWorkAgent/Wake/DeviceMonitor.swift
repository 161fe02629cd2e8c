import BackgroundWorkExchange
import BackgroundWorkModel
import Synchronization

/// The network loop's view of the device: watched only while a wake depends on it.
final class DeviceMonitor {
    /// The last state from one watch. Each watch has its own, so that a late call of an ended watch has no effect.
    private final class Reading: Sendable {
        let state = Mutex<DeviceState?>(nil)
    }

    /// Writes what cannot be read or watched to the log, once each.
    private final class FaultLog: Sendable {
        private let reported = Mutex(ReportedFaults())
        private let write: @Sendable (String) -> Void

        init(write: @escaping @Sendable (String) -> Void) { self.write = write }

        func add(_ state: DeviceState) {
            for fault in reported.withLock({ $0.insert(state) }) { write("The device: \(fault.message)") }
        }
    }

    private let log: FaultLog
    private let device: any DeviceWatching
    private let wake: WakeDescriptor
    private var current: (interest: Constraints, reading: Reading, end: () -> Void)?

    init(
        device: any DeviceWatching, wake: WakeDescriptor,
        log: @escaping @Sendable (String) -> Void = { AgentLog.write($0) }
    ) {
        self.device = device
        self.log = FaultLog(write: log)
        self.wake = wake
    }

    deinit { current?.end() }

    /// `nil` while unknown.
    var state: DeviceState? { current?.reading.state.withLock { $0 } }

    /// Watches these conditions from now on; an empty set ends the watch.
    func follow(_ interest: Constraints) {
        guard interest != current?.interest ?? [] else { return }
        current?.end()
        current = nil
        guard !interest.isEmpty else { return }
        let reading = Reading()
        let end = device.watch(interest) { [wake, log] state in
            log.add(state.restricted(to: interest))
            reading.state.withLock { $0 = state }
            wake.wake()
        }
        current = (interest, reading, end)
    }
}
