import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkSystem

/// Follows the other schedulers on the directory: reads what they have committed, and takes their work back when they
/// die.
actor Peers {
    private let store: WorkStore
    private let ownership: Ownership
    private let clock: any WorkClock
    private let notices: NoticeLog
    /// Reads what others have committed. Throws when it could not be read.
    private let news: @Sendable () async throws -> Void
    /// What others had stopped has been read; work that waited for that may start.
    private let stopsAreRead: @Sendable () -> Void
    private var bell: PeerNotifier?
    /// Polls, where the notification FIFO is not available.
    private var pollingTask: Task<Void, Never>?
    private var watched: [Int64: ProcessEnd] = [:]
    private let gate = CoalescingGate()
    private var isStopped = false

    init(
        store: WorkStore, ownership: Ownership, clock: any WorkClock, notices: NoticeLog,
        news: @escaping @Sendable () async throws -> Void,
        stopsAreRead: @escaping @Sendable () -> Void
    ) {
        self.stopsAreRead = stopsAreRead
        self.store = store
        self.ownership = ownership
        self.clock = clock
        self.notices = notices
        self.news = news
    }

    /// Listens from now on. The caller has its owner row, and reads the store afterwards by itself.
    func start() async {
        do {
            let path = try await ownership.registered().lock.path
            bell = try PeerNotifier(lockPath: path) { [weak self] in Task { await self?.rung() } }
        } catch {
            notices.add(
                .watchFailure,
                "Other schedulers on the directory cannot notify this one, so it polls every second: \(error)")
            startPolling()
        }
        await watchOthers()
    }

    func stop() {
        isStopped = true
        bell?.stop()
        bell = nil
        pollingTask?.cancel()
        pollingTask = nil
        watched = [:]
    }

    /// Polls; for a directory on a volume that has no FIFOs.
    private func startPolling() {
        let clock = clock
        pollingTask = Task { [weak self] in
            while !Task.isCancelled {
                do { try await clock.sleep(for: .seconds(1)) } catch { return }
                await self?.rung()
            }
        }
    }

    /// Reads what others have committed while this scheduler did not listen.
    func readMissed() async { if !isStopped, bell != nil || pollingTask != nil { await rung() } }

    private func rung() async {
        await gate.run {
            await self.readNews()
            await self.watchOthers()
        }
    }

    /// Reads what others have committed. Nothing starts before that, so a failed read is retried until it succeeds.
    private func readNews() async {
        var failures = 0
        while !isStopped {
            let notes = ownership.held?.notes
            let mark = notes?.stopMark ?? 0
            do {
                try await news()
                notes?.stopsAreRead(upTo: mark)
                stopsAreRead()
                return
            } catch {
                failures += 1
                if failures == 1 {
                    notices.add(.storageFailure, "The changes by other schedulers could not be read: \(error)")
                }
                try? await clock.sleep(for: .milliseconds(min(5000, 100 << min(failures, 6))))
            }
        }
    }

    /// Notices the end of other processes that have an owner row.
    private func watchOthers() async {
        guard !isStopped, let others = try? await ownership.others() else { return }
        watched = watched.filter { id, _ in others.contains { $0.id == id } }
        for owner in others where owner.processIdentifier != getpid() && watched[owner.id] == nil {
            let end = ProcessEnd(of: owner.processIdentifier) { [weak self] in Task { await self?.ended(owner.id) } }
            watched[owner.id] = end
            if end == nil { await ended(owner.id) }
        }
    }

    private func ended(_ owner: Int64) async {
        watched[owner] = nil
        do {
            _ = try await ownership.isAlive(owner)
        } catch {
            notices.add(.storageFailure, "The work of a dead process could not be taken back: \(error)")
        }
    }
}
