import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import Dispatch
import Synchronization

/// Makes work due when its file has changed, also if the change happened while no process was running.
final class FileTriggers: Sendable {
    private let store: WorkStore
    private let clock: any WorkClock
    private let notices: NoticeLog
    /// Exists only while files are watched: the system grants a user only a few watchers.
    private let watcher = Mutex<FileWatcher?>(nil)
    private let gate = CoalescingGate()
    /// Paths whose inspection is in progress. One that hangs with its volume must not block more and more threads.
    private let inspections = Mutex<Set<String>>([])
    /// How long an inspection waits for the paths; slow ones continue in the background.
    private static let timeout = Duration.seconds(1)
    /// Each inspection runs on its own thread, since one may hang with its volume.
    private static let queue = DispatchQueue(label: "BackgroundWork.FileTriggers", attributes: .concurrent)

    init(store: WorkStore, clock: any WorkClock, notices: NoticeLog) {
        self.store = store
        self.clock = clock
        self.notices = notices
    }

    /// Watches exactly the files that waiting work names.
    func refresh() async {
        await gate.run {
            do {
                // Read through the writer: at launch the reading connection is not open yet.
                let files = try await self.store.write { try $0.watchedFiles() }
                await self.withTimeout { await self.watch(Set(files.map(\.path))) }
                // Watched first, so that a change between the two checks is reported twice rather than never.
                await self.withTimeout {
                    await withTaskGroup(of: Void.self) { group in
                        for file in files { group.addTask { await self.inspect(file) } }
                    }
                }
            } catch {
                self.notices.add(.storageFailure, "The list of files to watch could not be read: \(error)")
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
            notices.add(.watchFailure, "Changes of files are detected only at the next launch. \(error)")
        }
    }

    private func makeWatcher() throws -> FileWatcher {
        let notices = notices
        return try FileWatcher(
            changed: { [weak self] path in Task { await self?.changed(path) } },
            problem: { notices.add(.watchFailure, $0.description) })
    }

    /// Returns when `body` has returned, or after `timeout`.
    private func withTimeout(_ body: @escaping @Sendable () async -> Void) async {
        let signal = WakeSignal()
        let limit = Task {
            try? await Task.sleep(for: Self.timeout)
            signal.raise()
        }
        Task {
            await body()
            signal.raise()
        }
        await signal.wait()
        limit.cancel()
    }

    private func inspect(_ file: WorkSnapshot.WatchedFile) async {
        guard inspections.withLock({ $0.insert(file.path).inserted }) else { return }
        defer { inspections.withLock { _ = $0.remove(file.path) } }
        do {
            try await compare(file)
        } catch {
            notices.add(.storageFailure, "The state of \(file.path) could not be stored: \(error)")
        }
    }

    private func compare(_ file: WorkSnapshot.WatchedFile) async throws {
        let stamp = await Self.stamp(of: file.path)
        let now = WallTime(clock.now)
        guard let known = file.stamp else {
            // Work enqueued without a stamp, because its file did not answer in time.
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
