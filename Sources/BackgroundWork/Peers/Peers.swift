import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The other schedulers on the directory: hears of what they have done, and takes their work back when they die.
actor Peers {
    private let store: WorkStore
    private let ownership: Ownership
    private let clock: any WorkClock
    private let notices: NoticeLog
    /// Others have committed something.
    private let news: @Sendable () async -> Void
    private var bell: PeerBell?
    /// In place of the bell.
    private var looking: Task<Void, Never>?
    private var watched: [Int64: ProcessEnd] = [:]
    private let gate = SerialGate()

    init(
        store: WorkStore, ownership: Ownership, clock: any WorkClock, notices: NoticeLog,
        news: @escaping @Sendable () async -> Void
    ) {
        self.store = store
        self.ownership = ownership
        self.clock = clock
        self.notices = notices
        self.news = news
    }

    /// Listens from here on. The caller has its owner row, and looks at the store afterwards by itself.
    func start() async {
        do {
            let path = try await ownership.lockPath()
            bell = try PeerBell(lockPath: path) { [weak self] in Task { await self?.rung() } }
        } catch {
            notices.add(
                .watchFailure,
                "Other schedulers on the directory cannot wake this one, so it looks every second: \(error)")
            lookNowAndThen()
        }
        await watchOthers()
    }

    func stop() {
        bell?.stop()
        bell = nil
        looking?.cancel()
        looking = nil
        watched = [:]
    }

    /// For a directory on a volume that has no FIFOs.
    private func lookNowAndThen() {
        let clock = clock
        looking = Task { [weak self] in
            while !Task.isCancelled {
                do { try await clock.sleep(for: .seconds(1)) } catch { return }
                await self?.rung()
            }
        }
    }

    private func rung() async {
        await gate.run {
            await self.news()
            await self.watchOthers()
        }
    }

    /// Notices the ends of other processes that have an owner row.
    private func watchOthers() async {
        guard let others = try? await ownership.others() else { return }
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
            notices.add(.storageFailure, "What a dead process left could not be taken back: \(error)")
        }
    }
}
