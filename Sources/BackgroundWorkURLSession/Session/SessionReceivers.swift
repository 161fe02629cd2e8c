import Synchronization

/// The receivers of a session's events, by the stores whose tasks they are about. They may be replaced while the session
/// lives.
package final class SessionReceivers: Sendable {
    private struct State: Sendable {
        var byStore: [String: any BackgroundSessionReceiver] = [:]
        var newest: (any BackgroundSessionReceiver)?
    }

    private let state = Mutex(State())

    package init() {}

    package func add(_ receiver: any BackgroundSessionReceiver, of store: String) {
        state.withLock { state in
            state.byStore[store] = receiver
            state.newest = receiver
        }
    }

    package func removeAll() { state.withLock { $0 = State() } }

    package var all: [any BackgroundSessionReceiver] { state.withLock { Array($0.byStore.values) } }

    /// The one of the store in the task's label, or the one that was added last.
    package func receiver(ofTaskDescribed description: String?) -> (any BackgroundSessionReceiver)? {
        let store = TaskLabel.reference(in: description)?.store
        return state.withLock { state in store.flatMap { state.byStore[$0] } ?? state.newest }
    }
}
