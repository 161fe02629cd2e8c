import BackgroundWorkModel
import Dispatch

@testable import BackgroundWorkDevice

/// A source of conditions that says what its dial says.
final class DialSource: ConditionSource {
    private let dial: Dial

    init(_ dial: Dial) { self.dial = dial }

    var conditions: Constraints { dial.conditions }

    func read() -> DeviceState {
        dial.change {
            $0.reads += 1
            return $0.state
        }
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        dial.change {
            $0.begins += 1
            $0.wake = { wake in queue.async { woken(wake) } }
        }
    }

    /// An event of a dial never concerns its conditions.
    func takeEvents() -> Bool { false }

    func endWatching() {
        dial.change {
            $0.ends += 1
            $0.wake = nil
        }
    }
}
