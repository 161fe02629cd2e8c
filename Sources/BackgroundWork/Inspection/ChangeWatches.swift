import Synchronization

/// The tasks that wait for changes of items.
final class ChangeWatches: Sendable {
    /// One waiting task.
    struct Watch: Sendable {
        fileprivate var number: Int
        /// `nil`: of all items.
        fileprivate var id: String?
        var signal: WakeSignal
    }

    private struct State {
        var next = 0
        var watches: [String: [Int: WakeSignal]] = [:]
        var ofAll: [Int: WakeSignal] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter signal: several watches of one task may share it.
    func watch(_ id: String, signal: WakeSignal = WakeSignal()) -> Watch {
        state.withLock { state in
            state.next += 1
            let watch = Watch(number: state.next, id: id, signal: signal)
            state.watches[id, default: [:]][watch.number] = watch.signal
            return watch
        }
    }

    /// For tasks that wait for the change of any item.
    func watchAll() -> Watch {
        state.withLock { state in
            state.next += 1
            let watch = Watch(number: state.next, id: nil, signal: WakeSignal())
            state.ofAll[watch.number] = watch.signal
            return watch
        }
    }

    func end(_ watch: Watch) {
        state.withLock { state in
            guard let id = watch.id else {
                state.ofAll[watch.number] = nil
                return
            }
            state.watches[id]?[watch.number] = nil
            if state.watches[id]?.isEmpty ?? false { state.watches[id] = nil }
        }
        watch.signal.raise()
    }

    /// The state of these items has changed.
    func changed(_ ids: [String]) {
        if ids.isEmpty { return }
        let signals = state.withLock { state in
            let ofThese =
                state.watches.isEmpty ? [] : ids.flatMap { id in state.watches[id].map { Array($0.values) } ?? [] }
            return ofThese + state.ofAll.values
        }
        for signal in signals { signal.raise() }
    }

    /// The state of any item may have changed.
    func anythingChanged() {
        let signals = state.withLock { state in state.watches.values.flatMap(\.values) + state.ofAll.values }
        for signal in signals { signal.raise() }
    }
}
