import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Synchronization

/// Keeps the daemon informed of when to launch this program, should it not be there.
final class WakeCoordinator: Sendable {
    /// Changes within this time are told together.
    private static let pause = Duration.milliseconds(100)
    /// How long an attempt that failed is followed by none: a second at first, twice as long each time.
    private static let longestWait = Duration.seconds(60)

    /// Half of what a message may have (`FrameCodec.maximumBytes`).
    private static let mostBytesOfFiles = 512 << 10

    private struct State {
        var isTelling = false
        var hasChanged = false
        var isStopped = false
        /// What the daemon has of this process; `nil` until it was told, since it may hold what an earlier one said.
        var told: WakeList?
        /// Counts what makes `told` worthless.
        var changesByOthers = 0
        /// Since when work is due that needs nothing of the device, as it was read last.
        var dueSince: WallTime?
        /// That not all files fit was said.
        var hasTooManyFiles = false
        /// How often in a row the daemon could not be told.
        var failures = 0
    }

    private let store: WorkStore
    private let service: any WakeService
    private let clock: any WorkClock
    private let notices: NoticeLog
    /// The only workers that this program has; `nil`: all.
    private let onlyWorkers: Set<String>?
    private let state = Mutex(State())
    /// What is told first must not arrive last.
    private let gate = CoalescingGate()

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
    func workChanged() { change { _ in } }

    /// As ``workChanged()``, by the commit of another scheduler on the directory, which the daemon has heard from as well.
    func othersHaveChangedWork() {
        change { state in
            state.told = nil
            state.changesByOthers += 1
        }
    }

    /// Tells what is due next, and returns when the daemon has it, or could not be told.
    func tellNow() async { await gate.runToEnd { await self.tellOnce() } }

    /// Tells no more: the daemon has been let go.
    func stop() { state.withLock { $0.isStopped = true } }

    private func change(_ note: (inout State) -> Void) {
        let mustTell = state.withLock { state in
            if state.isStopped { return false }
            note(&state)
            state.hasChanged = true
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard mustTell else { return }
        // Who waits to tell again keeps neither the store nor the service.
        Task { [weak self, clock] in
            while let wait = await self?.tellChange() { try? await clock.sleep(for: wait) }
        }
    }

    /// Tells what has changed. Returns how long to wait before the next look; `nil` when there is nothing more to tell.
    private func tellChange() async -> Duration? {
        guard takeChange() else { return nil }
        await tellNow()
        return state.withLock { state in
            guard state.failures > 0 else { return Self.pause }
            // The daemon may launch a host too often meanwhile, or none in time, so this does not wait for a change.
            state.hasChanged = true
            return min(.seconds(1 << min(state.failures - 1, 6)), Self.longestWait)
        }
    }

    private func takeChange() -> Bool {
        state.withLock { state in
            let mustTell = state.hasChanged && !state.isStopped
            state.isTelling = mustTell
            state.hasChanged = false
            return mustTell
        }
    }

    private func tellOnce() async {
        let (told, changes) = state.withLock { ($0.told, $0.changesByOthers) }
        do {
            let wakes = try await wakes()
            if told != wakes { try await service.setWakes(wakes) }
            state.withLock { state in
                if state.changesByOthers == changes { state.told = wakes }
                state.failures = 0
            }
        } catch {
            let isFirst = state.withLock { state in
                // It may have arrived, and only the answer not.
                state.told = nil
                state.failures += 1
                return state.failures == 1
            }
            guard isFirst else { return }
            notices.add(
                .daemonUnreachable,
                "The daemon does not know when work falls due; it is told again until it does: \(error)")
        }
    }

    /// Work that runs is due as well: should this process die, the next one has to take it up. Its time stays what it
    /// was when it fell due, so that what runs on is not told again and again.
    private func wakes() async throws -> WakeList {
        let now = WallTime(clock.now)
        let since = min(state.withLock { $0.dueSince } ?? now, now)
        let (earliest, files) = try await store.read { [onlyWorkers] transaction in
            var earliest = try transaction.nextDueByNeeds(onlyWorkers: onlyWorkers)
            if try !transaction.runningByClaimGroup().isEmpty { earliest[[]] = min(earliest[[]] ?? since, since) }
            return (earliest, try transaction.awaitedFiles(onlyWorkers: onlyWorkers))
        }
        state.withLock { $0.dueSince = earliest[[]] }
        let times = earliest.map { WakeRequest(earliest: $0.value, needs: $0.key) }
            .sorted { ($0.earliest, $0.needs.rawValue) < ($1.earliest, $1.needs.rawValue) }
        return WakeList(times: times, files: asManyAsFit(files))
    }

    /// The daemon takes the list in one message.
    private func asManyAsFit(_ files: [WorkSnapshot.WatchedFile]) -> [FileWakeRequest] {
        var bytes = 0
        let requests = files.compactMap { file in
            file.stamp.map { FileWakeRequest(path: file.path, stamp: $0) }
        }
        let fitting = requests.prefix { request in
            // In JSON a byte of a path is six at most.
            bytes += 6 * request.path.utf8.count + request.stamp.utf8.count + 32
            return bytes <= Self.mostBytesOfFiles
        }
        if fitting.count < requests.count { noteTooMany(requests, fitting: fitting.count) }
        return Array(fitting)
    }

    private func noteTooMany(_ requests: [FileWakeRequest], fitting: Int) {
        let isKnown = state.withLock { state in
            defer { state.hasTooManyFiles = true }
            return state.hasTooManyFiles
        }
        if isKnown { return }
        notices.add(
            .watchFailure,
            "Of \(requests.count) files that work waits for, the daemon watches \(fitting): changes of the others, "
                + "from \(requests[fitting].path) on, are seen when a process runs.")
    }
}
