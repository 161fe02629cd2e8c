import BackgroundWorkDevice
import BackgroundWorkModel
import Synchronization

/// Takes the completion handlers that the system gives a process for its sessions, and passes each one to the owners of
/// its session, which may come later: UIKit gives it while the app is launching.
final class SessionEventDispatch: Sendable {
    static let shared = SessionEventDispatch(clock: SystemWorkClock())

    private struct WeakOwner: Sendable {
        weak var owner: (any SessionEventOwner)?
    }

    private struct State: Sendable {
        var owners: [WeakOwner] = []
        /// Handlers without an owner, by number.
        var waiting: [Int: String] = [:]
        var nextNumber = 0
        /// What nobody was there to be told.
        var untold: [String] = []
    }

    private let clock: any WorkClock
    private let state = Mutex(State())
    private let handlers = SessionHandlers()
    /// For how long a handler waits for an owner: the system suspends a process, or ends it, after about 30 seconds.
    private static let longestWait = Duration.seconds(20)

    init(clock: any WorkClock) { self.clock = clock }

    /// From now on handlers are offered to this owner too, those that wait as well. It is not retained.
    func add(_ owner: any SessionEventOwner) {
        let (waiting, untold) = state.withLock { state in
            state.owners.removeAll { $0.owner == nil }
            state.owners.append(WeakOwner(owner: owner))
            defer { state.untold = [] }
            return (state.waiting, state.untold)
        }
        for message in untold { owner.report(.unclaimedSession, message) }
        for (number, session) in waiting.sorted(by: { $0.key < $1.key }) {
            Task { await offer(number, session) }
        }
    }

    /// Calls the handler once, on the main actor, and never before this has returned.
    @MainActor
    func handleEvents(ofSession session: String, then handler: @escaping () -> Void) {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.waiting[state.nextNumber] = session
            return state.nextNumber
        }
        handlers.keep(handler, number)
        Task {
            await offer(number, session)
            guard state.withLock({ $0.waiting[number] != nil }) else { return }
            try? await clock.sleep(for: Self.longestWait)
            giveUp(number, session)
        }
    }

    /// Gives a handler that waits to all owners of its session, if there is one.
    private func offer(_ number: Int, _ session: String) async {
        var owners: [any SessionEventOwner] = []
        for owner in state.withLock({ $0.owners.compactMap(\.owner) }) where await owner.owns(session: session) {
            owners.append(owner)
        }
        if !owners.isEmpty { await bind(number, session, to: owners) }
    }

    @MainActor
    private func bind(_ number: Int, _ session: String, to owners: [any SessionEventOwner]) {
        guard state.withLock({ $0.waiting.removeValue(forKey: number) != nil }) else { return }
        var left = owners.count
        for owner in owners {
            owner.handleEvents(ofSession: session) { [handlers] in
                left -= 1
                if left == 0 { handlers.call([number]) }
            }
        }
        Task {
            try? await clock.sleep(for: Self.longestWait)
            // The owners keep what they have not processed.
            guard left > 0 else { return }
            let message =
                "What the session \(session) brought was not processed within \(Self.longestWait); its handler was "
                + "called, and the rest is processed when that is possible. Is the scheduler started?"
            for owner in owners { owner.report(.deliveryFailure, message) }
            handlers.call([number])
        }
    }

    @MainActor
    private func giveUp(_ number: Int, _ session: String) {
        let message =
            "The system has handed over the session \(session), and within \(Self.longestWait) there was no scheduler, "
            + "Downloader or Uploader that uses it. Its handler was called; what it brought is processed when there is "
            + "one. Create it while the app is launching, also when it is launched in the background."
        let owners: [any SessionEventOwner]? = state.withLock { state in
            guard state.waiting.removeValue(forKey: number) != nil else { return nil }
            let owners = state.owners.compactMap(\.owner)
            if owners.isEmpty { state.untold.append(message) }
            return owners
        }
        guard let owners else { return }
        for owner in owners { owner.report(.unclaimedSession, message) }
        handlers.call([number])
    }
}
