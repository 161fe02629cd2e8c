import Synchronization

/// The receivers of a session's events, by the stores whose tasks they are about. They may be replaced while the session
/// lives, and events may come before the receiver of their store.
package final class SessionReceivers: Sendable {
    package typealias Event = @Sendable (any BackgroundSessionReceiver) -> Void

    /// To whom an event goes.
    package enum Route {
        case receiver(any BackgroundSessionReceiver)
        /// The store's receiver is yet to come, or to be reached by the session's queue, if it ever is.
        case later(store: String)
        case nobody
    }

    private struct State: Sendable {
        var byStore: [String: any BackgroundSessionReceiver] = [:]
        /// They get their stores' events when the session's queue has come to them.
        var coming: [String: any BackgroundSessionReceiver] = [:]
        /// The store of the receiver that was given last.
        var newest: String?
        var held: [(store: String, event: Event)] = []
        /// Everything that waited for the process has been told.
        var isTold = false
    }

    private let state = Mutex(State())
    /// More events than this for stores that nobody opens are dropped: their transfers are made anew when somebody does.
    private static let mostHeld = 4096

    private let session: String

    /// - Parameter session: the session's identifier.
    package init(ofSession session: String) { self.session = session }

    /// Passes what is yet to come of a store's events to a receiver, after those that came before it, in their order.
    ///
    /// Another receiver of the store is over at once. Until the session's queue has come to the new one, events are kept
    /// for it, so none of those that wait in the queue overtakes an earlier one. Does not wait for that queue, nor for a
    /// receiver.
    ///
    /// - Parameter submit: puts an operation on the session's queue, or runs it if there are no events yet.
    package func add(
        _ receiver: any BackgroundSessionReceiver, of store: String,
        by submit: (_ operation: @escaping @Sendable () -> Void) -> Void
    ) {
        let earlier = state.withLock { state in
            state.newest = store
            return [state.byStore.removeValue(forKey: store), state.coming.updateValue(receiver, forKey: store)]
        }
        for case let known? in earlier where known !== receiver { known.replaced() }
        submit { self.begin(receiver, of: store) }
    }

    private func begin(_ receiver: any BackgroundSessionReceiver, of store: String) {
        let identifier = session
        let events = state.withLock { state -> [Event] in
            // Replaced before its time, or the session is over.
            guard state.coming[store] === receiver else { return [] }
            state.coming[store] = nil
            state.byStore[store] = receiver
            var events = state.held.filter { $0.store == store }.map(\.event)
            state.held.removeAll { $0.store == store }
            if state.isTold { events.append { $0.finishedEvents(ofSession: identifier) } }
            return events
        }
        for event in events { event(receiver) }
    }

    package func removeAll() { state.withLock { $0 = State() } }

    /// Everything that waited for the process has been told: to those that are there, and to those to come.
    package func told() {
        let present = state.withLock { state in
            state.isTold = true
            return Array(state.byStore.values)
        }
        for receiver in present { receiver.finishedEvents(ofSession: session) }
    }

    /// A task without a label, as the ancestor of this package made them, belongs to whoever came last.
    package func route(ofTaskDescribed description: String?) -> Route {
        let labeled = TaskLabel.receivingStore(in: description)
        return state.withLock { state in
            guard let store = labeled ?? state.newest else { return .nobody }
            return state.byStore[store].map(Route.receiver) ?? .later(store: store)
        }
    }

    package func receiver(ofTaskDescribed description: String?) -> (any BackgroundSessionReceiver)? {
        if case .receiver(let receiver) = route(ofTaskDescribed: description) { receiver } else { nil }
    }

    /// Passes an event on, now or when the receiver of its store has come.
    package func pass(_ task: any BackgroundSessionTask, _ event: @escaping Event) {
        switch route(ofTaskDescribed: task.taskDescription) {
        case .receiver(let receiver): event(receiver)
        case .later(let store): hold(event, for: store)
        case .nobody: break
        }
    }

    /// The same for the file of a download, which is removed when this returns: one that has to wait is moved.
    package func pass(_ task: any BackgroundSessionTask, fileAt location: URL) {
        switch route(ofTaskDescribed: task.taskDescription) {
        case .receiver(let receiver): receiver.task(task, finishedDownloadingTo: location)
        case .later(let store):
            let kept = URL(filePath: NSTemporaryDirectory()).appending(path: "BackgroundWork-\(UUID().uuidString)")
            guard (try? FileManager.default.moveItem(at: location, to: kept)) != nil else { return }
            hold(
                {
                    $0.task(task, finishedDownloadingTo: kept)
                    try? FileManager.default.removeItem(at: kept)
                }, for: store)
        case .nobody: break
        }
    }

    /// Keeps an event for the receiver of a store. Calls it at once if that has come in the meantime.
    package func hold(_ event: @escaping Event, for store: String) {
        let receiver = state.withLock { state in
            if state.byStore[store] == nil, state.held.count < Self.mostHeld { state.held.append((store, event)) }
            return state.byStore[store]
        }
        if let receiver { event(receiver) }
    }
}
