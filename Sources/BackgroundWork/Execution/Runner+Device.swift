import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// Watches these conditions as well. The known state changes only after they have been read.
    func watch(_ missing: Constraints) {
        let (interest, old) = state.withLock { state -> (Constraints?, Task<Void, Never>?) in
            guard !missing.isSubset(of: state.device.watched), !state.isStopping else { return (nil, nil) }
            state.device.watched.formUnion(missing)
            state.device.isReading = true
            defer { state.device.watch = nil }
            return (state.device.watched, state.device.watch)
        }
        guard let interest else { return }
        old?.cancel()
        let reader = parts.device
        let changes = reader.changes(of: interest)
        let task = Task { [weak self] in
            // Read after the subscription, so that no change is missed between the two.
            self?.deviceIs(await reader.state())
            for await state in changes { self?.deviceIs(state) }
        }
        state.withLock { state in
            if state.isStopping { task.cancel() } else { state.device.watch = task }
        }
    }

    /// Reads the state, and applies it before this returns.
    func readDevice() async { deviceIs(await parts.device.state()) }

    private func deviceIs(_ device: DeviceState) {
        guard !Task.isCancelled else { return }
        let (isRunning, faults) = state.withLock { state -> (Bool, [FaultReport]) in
            guard !state.isStopping else { return (false, []) }
            state.device.isReading = false
            state.device.known = device.restricted(to: state.device.watched)
            for run in state.loops.runs where !state.device.known.unmet(run.work.claimGroup.constraints).isEmpty {
                state.loops.stop(run.loop, because: .constraintLost)
            }
            return (true, state.device.reported.insert(state.device.known))
        }
        for fault in faults {
            parts.notices.add(fault.isUnreadable ? .conditionUnreadable : .watchFailure, fault.message)
        }
        if isRunning { wake() }
    }
}

/// The runner's knowledge of the device: only the conditions that work has asked for.
struct RunnerDevice: Sendable {
    /// The watched conditions; one that is not watched counts as not met until it has been read.
    var watched: Constraints = []
    var known = DeviceState(satisfied: [])
    var watch: Task<Void, Never>?
    /// What notices have named.
    var reported = ReportedFaults()
    /// Conditions were added, and have not been read yet.
    var isReading = false
}
