/// The timers of the network loop, one for each purpose. No timer runs unless one was set.
final class LoopTimers {
    enum Purpose: Hashable {
        case idleExit
        case memoryReturn
        case hostLaunch
        case acceptAgain
        case recordAgain(task: Int64)
        /// The next measurement of a download's speed.
        case sample(task: Int64)
        case progress
    }

    typealias Instant = SuspendingClock.Instant

    private var waits: [Purpose: (due: Instant, action: () -> Void)] = [:]

    var nextDue: Instant? { waits.values.map(\.due).min() }

    func isSet(_ purpose: Purpose) -> Bool { waits[purpose] != nil }

    func set(_ purpose: Purpose, at due: Instant, action: @escaping () -> Void) { waits[purpose] = (due, action) }

    func cancel(_ purpose: Purpose) { waits[purpose] = nil }

    /// Runs what is due. An action may set its purpose again.
    func run(now: Instant) {
        for (purpose, wait) in waits where wait.due <= now {
            // An earlier action may have canceled it.
            guard waits.removeValue(forKey: purpose) != nil else { continue }
            wait.action()
        }
    }
}
