import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Synchronization

/// Keeps the daemon informed of when to launch this program, should it not be there.
final class WakeCoordinator: Sendable {
    /// Changes within this time are told together.
    private static let pause = Duration.milliseconds(100)

    private struct State {
        var isTelling = false
        var hasChanged = false
        /// What the daemon has of this process; `nil` until it was told, since it may hold what an earlier one said.
        var told: [WakeRequest]?
    }

    private let store: WorkStore
    private let service: any WakeService
    private let clock: any WorkClock
    private let notices: NoticeLog
    /// The only workers that this program has; `nil`: all.
    private let onlyWorkers: Set<String>?
    private let state = Mutex(State())

    init(
        store: WorkStore, service: any WakeService, clock: any WorkClock, notices: NoticeLog,
        onlyWorkers: Set<String>? = nil
    ) {
        self.onlyWorkers = onlyWorkers
        self.store = store
        self.service = service
        self.clock = clock
        self.notices = notices
    }

    /// What is due next may have changed. Never waits.
    func workChanged() {
        let mustTell = state.withLock { state in
            state.hasChanged = true
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if mustTell { Task { await tell() } }
    }

    /// Tells what is due next, and returns when the daemon has it.
    func tellNow() async {
        do {
            let requests = try await requests()
            if state.withLock({ $0.told == requests }) { return }
            try await service.setWakes(requests)
            state.withLock { $0.told = requests }
        } catch {
            notices.add(
                .daemonUnreachable,
                "The daemon does not know when work falls due, and is told at the next change: \(error)")
        }
    }

    private func tell() async {
        while takeChange() {
            await tellNow()
            try? await clock.sleep(for: Self.pause)
        }
    }

    private func takeChange() -> Bool {
        state.withLock { state in
            if !state.hasChanged { state.isTelling = false }
            defer { state.hasChanged = false }
            return state.hasChanged
        }
    }

    /// Work that runs is due as well: should this process die, the next one has to take it up.
    private func requests() async throws -> [WakeRequest] {
        let now = WallTime(clock.now)
        return try await store.read { [onlyWorkers] transaction in
            var earliest = try transaction.nextDueByNeeds(onlyWorkers: onlyWorkers)
            if try !transaction.runningByLane().isEmpty { earliest[[]] = min(earliest[[]] ?? now, now) }
            return earliest.map { WakeRequest(earliest: $0.value, needs: $0.key) }
                .sorted { ($0.earliest, $0.needs.rawValue) < ($1.earliest, $1.needs.rawValue) }
        }
    }
}
