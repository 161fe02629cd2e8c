import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Synchronization

/// Keeps the daemon informed of when to launch this program if it is not running.
final class WakeCoordinator: Sendable {
    /// Changes within this time are sent in one message.
    private static let pause = Duration.milliseconds(100)
    /// The longest wait after a failed attempt; the wait is a second at first and doubles each time.
    private static let longestWait = Duration.seconds(60)

    /// Half of the maximum size of a message (`FrameCodec.maximumBytes`).
    private static let mostBytesOfFiles = 512 << 10

    private struct State {
        var isTelling = false
        var hasChanged = false
        var isStopped = false
        /// The list that the daemon has from this process; `nil` until one was sent, since the daemon may hold one of
        /// an earlier process.
        var told: WakeList?
        /// Counts the changes by other schedulers, each of which makes `told` outdated.
        var changesByOthers = 0
        /// The due time of the oldest due work that needs no device condition, as last read.
        var dueSince: WallTime?
        /// A notice has already said that not all files fit.
        var hasTooManyFiles = false
        /// How many attempts in a row to reach the daemon have failed.
        var failures = 0
    }

    private let store: WorkStore
    private let service: any WakeService
    private let clock: any WorkClock
    private let notices: NoticeLog
    /// If set, this program has only these workers; `nil`: all.
    private let onlyWorkers: Set<String>?
    private let state = Mutex(State())
    /// Keeps messages in order: an older list must not arrive after a newer one.
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

    /// The next due time may have changed. Never waits.
    func workChanged() { change { _ in } }

    /// As ``workChanged()``, for a commit of another scheduler on the directory, which also informs the daemon.
    func workChangedByOthers() {
        change { state in
            state.told = nil
            state.changesByOthers += 1
        }
    }

    /// Sends the next due times, and returns when the daemon has them or could not be reached.
    func tellNow() async { await gate.runToEnd { await self.tellOnce() } }

    /// Sends them also if they are the same: the daemon has dropped what it launched the program for.
    func tellAgain() async {
        let isStopped = state.withLock { state in
            state.told = nil
            state.changesByOthers += 1
            return state.isStopped
        }
        if !isStopped { await tellNow() }
    }

    /// Sends nothing more: the connection to the daemon has been released.
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
        // A task that waits to retry must not keep the store or the service alive.
        Task { [weak self, clock] in
            while let wait = await self?.tellChange() { try? await clock.sleep(for: wait) }
        }
    }

    /// Sends what has changed. Returns how long to wait before the next check; `nil` when there is nothing more to
    /// send.
    private func tellChange() async -> Duration? {
        guard takeChange() else { return nil }
        await tellNow()
        return state.withLock { state in
            guard state.failures > 0 else { return Self.pause }
            // Until then the daemon may launch a host too often, or not in time, so this retries without waiting for
            // a change.
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
                // The message may have arrived although its answer did not.
                state.told = nil
                state.failures += 1
                return state.failures == 1
            }
            guard isFirst else { return }
            notices.add(
                .daemonUnreachable,
                "The daemon could not be told when work is due; this is retried until it succeeds: \(error)")
        }
    }

    /// Running work counts as due as well: if this process dies, the next one has to resume it. It keeps the time at
    /// which it became due, so that a long run does not cause repeated messages.
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
            // In JSON a byte of a path takes at most six bytes.
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
            "The daemon watches only \(fitting) of the \(requests.count) files that work waits for. Changes of the "
                + "others, from \(requests[fitting].path) on, are detected only while a process runs.")
    }
}
