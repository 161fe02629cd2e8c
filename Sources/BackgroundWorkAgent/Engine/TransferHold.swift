import BackgroundWorkModel
import BackgroundWorkTransfers

/// What prevents a transfer from running: its own state, the time or the device. Pure.
struct TransferHold: Sendable, Hashable {
    var isPaused = false
    var earliestBegin: WallTime?
    /// When the next attempt after a failed one is due.
    var nextAttempt: WallTime?
    /// The conditions of the device that must hold as long as it runs.
    var needs: Constraints = []

    init() {}

    init(_ options: TransferOptions, isPaused: Bool, nextAttempt: WallTime?) {
        self.isPaused = isPaused
        self.nextAttempt = nextAttempt
        earliestBegin = options.earliestBegin.map { WallTime($0) }
        if !options.allowsCellularAccess { needs.formUnion(.unmeteredNetwork) }
        if options.isDiscretionary { needs.formUnion([.unmeteredNetwork, .charging]) }
    }

    /// - Parameter device: `nil` while unknown; then no condition counts as met.
    /// - Returns: What it waits for; `nil` when it may run.
    func reason(now: WallTime, device: DeviceState?) -> TransferPhase? {
        if isPaused { return .paused }
        if let earliestBegin, earliestBegin > now { return .waiting(.earliestBegin) }
        if let nextAttempt, nextAttempt > now { return .waiting(.nextTry) }
        let unmet = device?.unmet(needs) ?? needs
        if unmet.contains(.network) { return .waiting(.network) }
        if !unmet.isDisjoint(with: .unmeteredNetwork) { return .waiting(.unmeteredNetwork) }
        if unmet.contains(.charging) { return .waiting(.power) }
        return nil
    }

    /// The next instant at which the reason may change by itself.
    func nextChange(after now: WallTime) -> WallTime? {
        if isPaused { return nil }
        return [earliestBegin, nextAttempt].compactMap { $0 }.filter { $0 > now }.min()
    }
}
