import BackgroundWorkModel
import Dispatch
import Synchronization

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

/// The newest value that a system has reported, for the one thread that reads it.
final class LatestReport<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let first = DispatchSemaphore(value: 0)

    func set(_ value: Value) {
        let isFirst = self.value.withLock { stored in
            defer { stored = value }
            return stored == nil
        }
        if isFirst { first.signal() }
    }

    /// The newest value. Waits for the first one, as long as `patience`; `nil` if none has come by then.
    func get(patience: DispatchTimeInterval) -> Value? {
        if let value = value.withLock({ $0 }) { return value }
        _ = first.wait(timeout: .now() + patience)
        return value.withLock { $0 }
    }
}
