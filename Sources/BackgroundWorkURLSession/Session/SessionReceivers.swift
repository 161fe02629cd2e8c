import Synchronization

/// The receivers of a session's events, by the stores whose tasks they are about. They may be replaced while the session
/// lives, and events may come before the receiver of their store.
package final class SessionReceivers: Sendable {
    package typealias Event = @Sendable (any BackgroundSessionReceiver) -> Void

    /// To whom an event goes.
    package enum Route {
        case receiver(any BackgroundSessionReceiver)
        /// The store's receiver is yet to come, if it ever does.
        case later(store: String)
        case nobody
    }

    private struct State: Sendable {
        var byStore: [String: any BackgroundSessionReceiver] = [:]
        var newest: (any BackgroundSessionReceiver)?
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

    /// The receiver is replaced if its store had another one, which is over then.
    ///
    /// - Returns: what came for its store before it, in that order. To be called on the session's queue.
    @discardableResult
    package func add(_ receiver: any BackgroundSessionReceiver, of store: String) -> [Event] {
        let identifier = session
        let (replaced, events) = state.withLock { state in
            let replaced = state.byStore.updateValue(receiver, forKey: store)
            state.newest = receiver
            var events = state.held.filter { $0.store == store }.map(\.event)
            state.held.removeAll { $0.store == store }
            if state.isTold { events.append { $0.finishedEvents(ofSession: identifier) } }
            return (replaced, events)
        }
        if let replaced, replaced !== receiver { replaced.replaced() }
        return events
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
        let store = TaskLabel.receivingStore(in: description)
        return state.withLock { state in
            guard let store else { return state.newest.map(Route.receiver) ?? .nobody }
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
