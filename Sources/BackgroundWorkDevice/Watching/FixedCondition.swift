import BackgroundWorkModel
import Dispatch

/// Conditions of which a platform always says the same.
final class FixedCondition: ConditionSource {
    let conditions: Constraints
    private let state: DeviceState

    init(_ conditions: Constraints, state: DeviceState) {
        self.conditions = conditions
        self.state = state
    }

    func read() -> DeviceState { state }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {}

    func endWatching() {}
}
