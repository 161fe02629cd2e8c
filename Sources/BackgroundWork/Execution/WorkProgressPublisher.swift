import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Publishes and stores the newest progress of each run, at most four times a second.
final class WorkProgressPublisher: Sendable {
    private struct State {
        var newest: [RunKey: TaskProgressEvent] = [:]
        var changed: Set<RunKey> = []
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
            defer { state.isFlushing = true }
            return !state.isFlushing
        }
        if mustFlush { Task { await flush() } }
    }

    /// The run has ended; later reports are ignored.
    func remove(_ key: RunKey) {
        state.withLock { state in
            state.newest[key] = nil
            state.changed.remove(key)
        }
    }

    private func flush() async {
        while let changed = takeChanged() {
            publish(changed.map(\.value))
            // A report that could not be written is replaced by the next one; nothing depends on it.
            try? await store.write { transaction in
                for (key, event) in changed { try transaction.saveProgress(event.progress, of: key) }
            }
            try? await clock.sleep(for: Self.pause)
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
