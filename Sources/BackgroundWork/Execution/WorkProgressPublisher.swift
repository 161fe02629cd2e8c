import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Publishes and stores the newest progress of each run, at most four times a second.
final class WorkProgressPublisher: Sendable {
    private struct State {
        var newest: [RunKey: TaskProgressEvent] = [:]
        /// To be published.
        var changed: Set<RunKey> = []
        /// Reported since their last write began.
        var unwritten: Set<RunKey> = []
        var isFlushing = false
    }

    private static let pause = Duration.milliseconds(250)

    private let state = Mutex(State())
    private let store: WorkStore
    private let clock: any WorkClock
    private let publish: @Sendable ([TaskProgressEvent]) -> Void

    init(store: WorkStore, clock: any WorkClock, publish: @escaping @Sendable ([TaskProgressEvent]) -> Void) {
        self.store = store
        self.clock = clock
        self.publish = publish
    }

    /// The newest progress of everything that runs.
    var newest: [TaskProgressEvent] { state.withLock { Array($0.newest.values) } }

    func report(_ event: TaskProgressEvent, of key: RunKey) {
        let mustFlush = state.withLock { state in
            state.newest[key] = event
            state.changed.insert(key)
            state.unwritten.insert(key)
            defer { state.isFlushing = true }
            return !state.isFlushing
        }
        if mustFlush { Task { await flush() } }
    }

    /// The run has ended: its newest report, if it was not written yet, is written ahead of its result. Later reports are
    /// ignored.
    func remove(_ key: RunKey) {
        let last = state.withLock { state in
            let newest = state.newest.removeValue(forKey: key)
            state.changed.remove(key)
            return state.unwritten.remove(key) == nil ? nil : newest
        }
        guard let last else { return }
        publish([last])
        store.write({ try $0.saveProgress(last.progress, of: key) }, settled: { _ in })
    }

    private func flush() async {
        while let changed = takeChanged() {
            publish(changed.map(\.value))
            // A report that could not be written is replaced by the next one; nothing depends on it.
            try? await store.write { transaction in
                for (key, event) in changed where self.beginsWriting(key) {
                    try transaction.saveProgress(event.progress, of: key)
                }
            }
            try? await clock.sleep(for: Self.pause)
        }
    }

    /// Whether the run's reports are still to be written: what has ended has its last one already.
    private func beginsWriting(_ key: RunKey) -> Bool {
        state.withLock { state in
            if !state.changed.contains(key) { state.unwritten.remove(key) }
            return state.newest[key] != nil
        }
    }

    private func takeChanged() -> [(key: RunKey, value: TaskProgressEvent)]? {
        state.withLock { state in
            let changed = state.changed.compactMap { key in state.newest[key].map { (key: key, value: $0) } }
            state.changed = []
            if changed.isEmpty { state.isFlushing = false }
            return changed.isEmpty ? nil : changed
        }
    }
}
