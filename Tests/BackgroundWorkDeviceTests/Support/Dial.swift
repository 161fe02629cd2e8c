import BackgroundWorkModel
import Synchronization

@testable import BackgroundWorkDevice

/// The answers of a test's source of conditions, and the calls that it received.
final class Dial: Sendable {
    struct Reading: Sendable {
        var state: DeviceState
        var reads = 0
        var begins = 0
        var ends = 0
        var wake: (@Sendable (Wake) -> Void)?
    }

    let conditions: Constraints
    private let reading: Mutex<Reading>

    init(_ conditions: Constraints, satisfied: Constraints) {
        self.conditions = conditions
        reading = Mutex(Reading(state: DeviceState(satisfied: satisfied)))
    }

    var current: Reading { reading.withLock { $0 } }
    var isWatched: Bool { current.wake != nil }

    func change<T: Sendable>(_ body: @Sendable (inout Reading) -> T) -> T { reading.withLock { body(&$0) } }

    /// Sets its answer, and wakes the watchers.
    func turn(to satisfied: Constraints, waking: Wake = .time) {
        turn(to: DeviceState(satisfied: satisfied), waking: waking)
    }

    func turn(to state: DeviceState, waking: Wake = .time) {
        change { $0.state = state }
        current.wake?(waking)
    }
}
