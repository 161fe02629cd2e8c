#if os(Linux)
import BackgroundWorkModel

/// Somebody who wants to hear of changes.
struct DeviceListener: Sendable {
    let interest: Constraints
    let onChange: @Sendable (DeviceState) -> Void
    private var lastHeard: Constraints?

    init(interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void) {
        self.interest = interest
        self.onChange = onChange
    }

    /// Tells the state, unless nothing of interest has changed since the last time.
    mutating func hear(_ state: DeviceState) {
        let heard = state.satisfied.intersection(interest)
        guard heard != lastHeard else { return }
        lastHeard = heard
        onChange(state)
    }
}
#endif
