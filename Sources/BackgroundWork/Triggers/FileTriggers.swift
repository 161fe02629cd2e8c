import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import Dispatch
import Synchronization

/// Makes work due whose file has changed, also while no process was there.
final class FileTriggers: Sendable {
    private let store: WorkStore
    private let clock: any WorkClock
    private let notices: NoticeLog
    /// There is one only while files are watched: the system grants a user few of them.
    private let watcher = Mutex<FileWatcher?>(nil)
    private let gate = CoalescingGate()
    /// Paths with a look under way, so that one that hangs with its volume is not looked at by ever more threads.
    private let looks = Mutex<Set<String>>([])
    /// How long a look around waits for the paths; those that do not answer go on beside it.
    private static let patience = Duration.seconds(1)
    /// Each look on a thread of its own, since one may hang with its volume.
    private static let queue = DispatchQueue(label: "BackgroundWork.FileTriggers", attributes: .concurrent)

    init(store: WorkStore, clock: any WorkClock, notices: NoticeLog) {
        self.store = store
        self.clock = clock
        self.notices = notices
    }

    /// Watches what the waiting work asks for, and no more.
    func refresh() async {
        await gate.run {
            do {
                // Of the writer, as at a launch the reading connection is not open yet.
                let files = try await self.store.write { try $0.watchedFiles() }
                await self.patiently { await self.watch(Set(files.map(\.path))) }
                // Watched first, so that a change between the two looks is told twice rather than never.
                await self.patiently {
                    await withTaskGroup(of: Void.self) { group in
                        for file in files { group.addTask { await self.look(at: file) } }
                    }
                }
            } catch {
                self.notices.add(.storageFailure, "Files to be watched could not be read: \(error)")
            }
        }
    }

    func stop() {
        let last = watcher.withLock { watcher in
            defer { watcher = nil }
            return watcher
        }
        last?.stop()
    }

    private func watch(_ paths: Set<String>) async {
        if paths.isEmpty { return stop() }
        do {
            let watcher = try watcher.withLock { watcher in
                let current = try watcher ?? makeWatcher()
                watcher = current
                return current
            }
            await watcher.watch(paths)
        } catch {
            notices.add(.watchFailure, "Changes of files are only seen at the next launch. \(error)")
        }
    }

    private func makeWatcher() throws -> FileWatcher {
        let notices = notices
        return try FileWatcher(
            changed: { [weak self] path in Task { await self?.changed(path) } },
            problem: { notices.add(.watchFailure, $0.description) })
    }

    /// Returns when `body` has, or after a while.
    private func patiently(_ body: @escaping @Sendable () async -> Void) async {
        let signal = WakeSignal()
        let limit = Task {
            try? await Task.sleep(for: Self.patience)
            signal.raise()
        }
        Task {
            await body()
            signal.raise()
        }
        await signal.wait()
        limit.cancel()
    }

    private func look(at file: WorkSnapshot.WatchedFile) async {
        guard looks.withLock({ $0.insert(file.path).inserted }) else { return }
        defer { looks.withLock { _ = $0.remove(file.path) } }
        do {
            try await compare(file)
        } catch {
            notices.add(.storageFailure, "What became of \(file.path) could not be stored: \(error)")
        }
    }

    private func compare(_ file: WorkSnapshot.WatchedFile) async throws {
        let stamp = await Self.stamp(of: file.path)
        let now = WallTime(clock.now)
        guard let known = file.stamp else {
            // Enqueued where no look at the file could be waited for.
            return try await store.write { try $0.noteStamp(of: file.path, stamp) }
        }
        guard known != stamp else { return }
        try await store.write { try $0.fileChanged(file.path, stamp: stamp, now: now) }
    }

    private func changed(_ path: String) async {
        let stamp = await Self.stamp(of: path)
        let now = WallTime(clock.now)
        do {
            try await store.write { try $0.fileChanged(path, stamp: stamp, now: now) }
        } catch {
            notices.add(.storageFailure, "The change of \(path) could not be stored: \(error)")
        }
    }

    static func stamp(of path: String) async -> String {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: FileStamp.stored(path: path)) }
        }
    }
}
