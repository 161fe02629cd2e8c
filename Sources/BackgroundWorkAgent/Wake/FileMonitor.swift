import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// The network loop's view of files: watched only while no host is connected that watches them itself.
///
/// A slow path does not delay the others: each is checked on its own thread, with one check at a time, both before and
/// after the watch is set. Setting the watch may hang with the volume of one path; then only the notification of later
/// changes is late, and no second attempt is started in the meantime.
final class FileMonitor: Sendable {
    private struct State {
        var requests: [String: [FileWakeRequest]] = [:]
        /// Paths that were not checked yet.
        var unseen: Set<String> = []
        var changed: Set<FileWakeRequest> = []
        /// The running checks, and whether each is to be repeated.
        var checks: [String: Bool] = [:]
        var watcher: FileWatcher?
    }

    private static let queue = DispatchQueue(label: "BackgroundWork.FileMonitor", attributes: .concurrent)

    private let wake: WakeDescriptor
    private let state = Mutex(State())
    /// Serializes setting the watch.
    private let gate = CoalescingGate()

    init(wake: WakeDescriptor) { self.wake = wake }

    var observation: FileObservation {
        state.withLock { FileObservation(changed: $0.changed, isComplete: $0.unseen.isEmpty) }
    }

    /// Watches these files from now on, and compares each with its recorded stamp; an empty set ends the watch. Never
    /// waits.
    func follow(_ files: Set<FileWakeRequest>) {
        let hadAny = state.withLock { state in
            defer {
                state.requests = Dictionary(grouping: files, by: \.path)
                state.unseen = Set(state.requests.keys)
                state.changed = []
            }
            return !state.requests.isEmpty
        }
        guard hadAny || !files.isEmpty else { return }
        for path in Set(files.map(\.path)) { check(path) }
        Task { [self] in await gate.run { await self.setWatch() } }
    }

    // MARK: Checks

    private func check(_ path: String) {
        let isFirst = state.withLock { state in
            guard state.checks[path] == nil else {
                state.checks[path] = true
                return false
            }
            state.checks[path] = false
            return true
        }
        guard isFirst else { return }
        Self.queue.async { [self] in while !found(FileStamp.stored(path: path), at: path) {} }
    }

    /// Returns whether this was the last check of the path. The result of a check is discarded if another one was
    /// requested since it started.
    private func found(_ stamp: String, at path: String) -> Bool {
        let (isLast, hasChanged) = state.withLock { state in
            if state.checks[path] == true {
                state.checks[path] = false
                return (false, false)
            }
            state.checks[path] = nil
            let before = (state.changed.count, state.unseen.isEmpty)
            state.unseen.remove(path)
            for request in state.requests[path] ?? [] {
                if request.stamp == stamp { state.changed.remove(request) } else { state.changed.insert(request) }
            }
            return (true, before != (state.changed.count, state.unseen.isEmpty))
        }
        if hasChanged { wake.wake() }
        return isLast
    }

    // MARK: The watch

    private func setWatch() async {
        let paths = state.withLock { Set($0.requests.keys) }
        guard !paths.isEmpty else {
            let last = state.withLock { state in
                defer { state.watcher = nil }
                return state.watcher
            }
            last?.stop()
            return
        }
        do {
            let watcher = try state.withLock { $0.watcher } ?? makeWatcher()
            state.withLock { $0.watcher = watcher }
            await watcher.watch(paths)
        } catch {
            AgentLog.write("changes of files are only detected when a host connects or disconnects: \(error)")
        }
        // Detects changes that were made before the watch was set.
        for path in paths { check(path) }
    }

    private func makeWatcher() throws -> FileWatcher {
        try FileWatcher(
            changed: { [weak self] path in self?.check(path) }, problem: { AgentLog.write("\($0)") })
    }
}
