#if os(Linux)
import BackgroundWorkFiles
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// The network loop's view of files: watched only while no host is there that sees to them itself.
final class FileMonitor {
    /// What one watch has found. A watch of its own each, so that a late word of an ended one says nothing.
    private final class Reading: Sendable {
        private struct State {
            /// Paths that have not been looked at yet.
            var unseen: Set<String>
            var changed: Set<FileWakeRequest> = []
        }

        private let requests: [String: [FileWakeRequest]]
        private let state: Mutex<State>

        init(_ files: Set<FileWakeRequest>) {
            requests = Dictionary(grouping: files, by: \.path)
            state = Mutex(State(unseen: Set(requests.keys)))
        }

        var paths: Set<String> { Set(requests.keys) }
        var sight: FileSight {
            state.withLock { FileSight(changed: $0.changed, isComplete: $0.unseen.isEmpty) }
        }

        func found(_ stamp: String, at path: String) {
            state.withLock { state in
                state.unseen.remove(path)
                for request in requests[path] ?? [] {
                    if request.stamp == stamp { state.changed.remove(request) } else { state.changed.insert(request) }
                }
            }
        }
    }

    /// Each look on a thread of its own, since one may hang with its volume.
    private static let queue = DispatchQueue(label: "BackgroundWork.FileMonitor", attributes: .concurrent)

    private let wake: WakeDescriptor
    private var current: (reading: Reading, watcher: FileWatcher?)?

    init(wake: WakeDescriptor) { self.wake = wake }

    deinit { end() }

    var sight: FileSight { current?.reading.sight ?? FileSight() }

    /// Watches these files from now on, and compares each with what it was; none ends the watch.
    func follow(_ files: Set<FileWakeRequest>) {
        end()
        guard !files.isEmpty else { return }
        let reading = Reading(files)
        let look: @Sendable (String) -> Void = { [wake] path in
            Self.queue.async {
                reading.found(FileStamp.stored(path: path), at: path)
                wake.wake()
            }
        }
        let watcher: FileWatcher?
        do {
            watcher = try FileWatcher(changed: look, problem: { AgentLog.write("\($0)") })
        } catch {
            AgentLog.write("changes of files are only seen when a host starts: \(error)")
            watcher = nil
        }
        current = (reading, watcher)
        Task {
            // Watched first, so that a change between the two is told twice rather than never.
            await watcher?.watch(reading.paths)
            for path in reading.paths { look(path) }
        }
    }

    private func end() {
        let watcher = current?.watcher
        current = nil
        guard let watcher else { return }
        // It may hang with a volume that it looks at, and the loop must not.
        Self.queue.async { watcher.stop() }
    }
}
#endif
