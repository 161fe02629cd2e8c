import BackgroundWorkModel
import Dispatch

/// Conditions that follow from a value that the system reports by itself: once soon after it is asked to, and then at
/// each change.
final class ReportedCondition<Value: Sendable>: ConditionSource {
    /// Begins to report, on any thread, until the returned object is deinitialized.
    typealias Reports = (_ report: @escaping @Sendable (Value) -> Void) -> AnyObject

    let conditions: Constraints
    private let reports: Reports
    private let state: (Value) -> DeviceState
    private let silence: String
    private let patience: DispatchTimeInterval
    private var watch: (latest: LatestReport<Value>, reporting: AnyObject)?

    /// - Parameters:
    ///   - state: what a value says of the conditions.
    ///   - silence: why the conditions cannot be read while nothing has been reported.
    ///   - patience: how long a reading waits for the first report.
    init(
        _ conditions: Constraints, reports: @escaping Reports, state: @escaping (Value) -> DeviceState,
        silence: String, patience: DispatchTimeInterval = .seconds(2)
    ) {
        self.conditions = conditions
        self.reports = reports
        self.state = state
        self.silence = silence
        self.patience = patience
    }

    /// While nothing is watched, asks for one report.
    func read() -> DeviceState {
        if let watch { return state(of: watch.latest) }
        let latest = LatestReport<Value>()
        return withExtendedLifetime(reports(latest.set)) { state(of: latest) }
    }

    private func state(of latest: LatestReport<Value>) -> DeviceState {
        latest.get(patience: patience).map(state) ?? .unreadable(conditions, because: silence)
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        let latest = LatestReport<Value>()
        let reporting = reports { value in
            latest.set(value)
            queue.async { woken(.events) }
        }
        watch = (latest, reporting)
    }

    func endWatching() { watch = nil }
}
