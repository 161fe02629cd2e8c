#if os(Linux)
import BackgroundWorkFiles
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// The network loop's view of files: watched only while no host is there that sees to them itself.
///
/// No path holds another one up: each is looked at on a thread of its own, by one look at a time, and before the watch is
/// set as well as after it. Setting the watch may hang with one path's volume, and then only news of changes to come are
/// late; it is not begun a second time meanwhile.
final class FileMonitor: Sendable {
    private struct State {
        var requests: [String: [FileWakeRequest]] = [:]
        /// Paths that have not been looked at since they were given.
        var unseen: Set<String> = []
        var changed: Set<FileWakeRequest> = []
        /// The looks that are under way, and whether each is to be made once more.
        var looks: [String: Bool] = [:]
        var watcher: FileWatcher?
    }

    private static let queue = DispatchQueue(label: "BackgroundWork.FileMonitor", attributes: .concurrent)

    private let wake: WakeDescriptor
    private let state = Mutex(State())
    /// Through which the watch is set.
    private let gate = CoalescingGate()

    init(wake: WakeDescriptor) { self.wake = wake }

    var sight: FileSight {
        state.withLock { FileSight(changed: $0.changed, isComplete: $0.unseen.isEmpty) }
    }

    /// Watches these files from now on, and compares each with what it was; none ends the watch. Never waits.
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
        for path in Set(files.map(\.path)) { look(at: path) }
        Task { [self] in await gate.run { await self.setWatch() } }
    }

    // MARK: Looks

    private func look(at path: String) {
        let isFirst = state.withLock { state in
            guard state.looks[path] == nil else {
                state.looks[path] = true
                return false
            }
            state.looks[path] = false
            return true
        }
        guard isFirst else { return }
        Self.queue.async { [self] in while !found(FileStamp.stored(path: path), at: path) {} }
    }

    /// Whether that was the last look at the path. What was seen before somebody asked for another one does not count.
    private func found(_ stamp: String, at path: String) -> Bool {
        let (isLast, isNews) = state.withLock { state in
            if state.looks[path] == true {
                state.looks[path] = false
                return (false, false)
            }
            state.looks[path] = nil
            let before = (state.changed.count, state.unseen.isEmpty)
            state.unseen.remove(path)
            for request in state.requests[path] ?? [] {
                if request.stamp == stamp { state.changed.remove(request) } else { state.changed.insert(request) }
            }
            return (true, before != (state.changed.count, state.unseen.isEmpty))
        }
        if isNews { wake.wake() }
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
            AgentLog.write("changes of files are only seen when a host comes or goes: \(error)")
        }
        // What changed before the watch was set.
        for path in paths { look(at: path) }
    }

    private func makeWatcher() throws -> FileWatcher {
        try FileWatcher(
            changed: { [weak self] path in self?.look(at: path) }, problem: { AgentLog.write("\($0)") })
    }
}
#endif
