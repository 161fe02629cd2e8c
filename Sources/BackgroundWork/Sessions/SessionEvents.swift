import Synchronization

/// Tracks which outcomes of each session are being processed, and calls the handlers of a session when the outcomes
/// that they wait for have been processed.
///
/// A handler waits for the outcomes that are known when it is given, or when the daemon and the session have delivered
/// all waiting ones; not for later ones, so that a busy session does not delay it forever.
final class SessionEvents: Sendable {
    private struct Waiting: Sendable {
        var session: String
        /// Whether its session still has something to tell.
        var isDelivered: Bool
        /// `nil` until it is known what the daemon and the session have.
        var outcomes: Set<Int>?
    }

    private struct State: Sendable {
        var nextNumber = 0
        /// Outcomes that are being processed, by session.
        var processing: [String: Set<Int>] = [:]
        var handlers: [Int: Waiting] = [:]
        var isKnown = false
        var isOver = false

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }

        /// The handlers that have no outcomes left to wait for.
        mutating func takeSatisfied() -> [Int] {
            for (number, handler) in handlers where isKnown && handler.isDelivered && handler.outcomes == nil {
                handlers[number]?.outcomes = processing[handler.session] ?? []
            }
            let satisfied = handlers.filter { $0.value.outcomes?.isEmpty ?? false }.keys.sorted()
            for number in satisfied { handlers[number] = nil }
            return satisfied
        }
    }

    private let state = Mutex(State())
    private let handlers = SessionHandlers()
    private let settle: (@MainActor @Sendable () async -> Void)?

    /// - Parameter settle: the remaining work for processed outcomes before a handler is called: the process may be
    ///   suspended after the call.
    init(settle: (@MainActor @Sendable () async -> Void)? = nil) { self.settle = settle }

    deinit { call(state.withLock { $0.handlers.keys.sorted() }) }

    /// An outcome has arrived. Returns a number for ``end(_:of:)``.
    func begin(of session: String) -> Int {
        state.withLock { state in
            let number = state.number()
            state.processing[session, default: []].insert(number)
            return number
        }
    }

    /// An outcome has been processed, or was left to a later connection.
    func end(_ outcome: Int, of session: String) {
        let satisfied = state.withLock { state in
            state.processing[session]?.remove(outcome)
            if state.processing[session]?.isEmpty ?? false { state.processing[session] = nil }
            for (number, handler) in state.handlers where handler.session == session {
                state.handlers[number]?.outcomes?.remove(outcome)
            }
            return state.takeSatisfied()
        }
        call(satisfied)
    }

    /// A daemon is about to deliver its outcomes.
    func connecting() { state.withLock { $0.isKnown = false } }

    /// All waiting outcomes have been delivered, or the daemon cannot be reached.
    func known() {
        let satisfied = state.withLock { state in
            state.isKnown = true
            return state.takeSatisfied()
        }
        call(satisfied)
    }

    /// No more outcomes will be processed.
    func finish() {
        let rest = state.withLock { state in
            state.isOver = true
            defer { state.handlers = [:] }
            return state.handlers.keys.sorted()
        }
        call(rest)
    }

    /// - Parameter delivered: returns when the session has nothing more to tell; `nil` if that is known already.
    @MainActor
    func wait(
        for session: String, delivered: (@Sendable () async -> Void)? = nil, then handler: @escaping () -> Void
    ) {
        let number = state.withLock { $0.number() }
        handlers.keep(handler, number)
        let satisfied = state.withLock { state in
            state.handlers[number] = Waiting(
                session: session, isDelivered: delivered == nil, outcomes: state.isOver ? [] : nil)
            return state.takeSatisfied()
        }
        call(satisfied)
        guard let delivered else { return }
        Task { [weak self] in
            await delivered()
            self?.delivered(number)
        }
    }

    private func delivered(_ number: Int) {
        let satisfied = state.withLock { state in
            state.handlers[number]?.isDelivered = true
            return state.takeSatisfied()
        }
        call(satisfied)
    }

    /// Never from within the call that gave the handler, nor under the lock.
    private func call(_ numbers: [Int]) {
        if numbers.isEmpty { return }
        let (handlers, settle) = (handlers, settle)
        Task { @MainActor in
            await settle?()
            handlers.call(numbers)
        }
    }
}

/// The completion handlers that are waiting, by number. They stay on the main actor, since they need not be sendable.
@MainActor
final class SessionHandlers {
    private var handlers: [Int: () -> Void] = [:]

    nonisolated init() {}

    func keep(_ handler: @escaping () -> Void, _ number: Int) { handlers[number] = handler }

    /// Each is called at most once.
    func call(_ numbers: [Int]) {
        for number in numbers { handlers.removeValue(forKey: number)?() }
    }
}
