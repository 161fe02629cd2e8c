import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkURLSession
import Dispatch
import Synchronization

/// An app's connection to a `SimulatedSystem`, which launches, suspends and ends it. A process has one.
public final class SimulatedSystemConnection: Sendable {
    private struct State: Sendable {
        var permitted: Set<String>?
        var handlers: [String: @Sendable (LaunchedTask) -> Void] = [:]
        var tasks: [Int64: LaunchedTask] = [:]
        var calls: [Int64: CheckedContinuation<LaunchRequestError?, Never>] = [:]
        var activities: [Int64: @Sendable (Bool) -> Void] = [:]
        /// Activities whose block has been called.
        var begun: Set<Int64> = []
        var next: Int64 = 1
        var isLost = false
    }

    private let socket: DaemonSocket
    private let state = Mutex(State())
    private let sending = Mutex(())
    package let backgroundChanges: AsyncStream<Bool>
    private let background: AsyncStream<Bool>.Continuation

    /// Connects to the system that listens at a path. Blocks until it has answered; throws an error that says why when
    /// there is none.
    public init(socketPath: String) throws {
        socket = try DaemonSocket.connected(to: socketPath)
        (backgroundChanges, background) = AsyncStream<Bool>.makeStream()
        try socket.send(Frames.bytes(of: SystemRequest.hello(process: getpid())))
        let answered = DispatchSemaphore(value: 0)
        SystemThread.start { [self] in
            Frames.read(SystemMessage.self, from: socket) { message in
                received(message)
                if case .permitted = message { answered.signal() }
            }
            lost()
            answered.signal()
        }
        answered.wait()
    }

    private func tell(_ request: SystemRequest) {
        do {
            let bytes = try Frames.bytes(of: request)
            try sending.withLock { _ in try socket.send(bytes) }
        } catch {
            socket.shutDown()
        }
    }

    private func lost() {
        let calls = state.withLock { state in
            state.isLost = true
            defer { state.calls = [:] }
            return Array(state.calls.values)
        }
        for call in calls { call.resume(returning: .unavailable) }
    }

    private func received(_ message: SystemMessage) {
        switch message {
        case .permitted(let identifiers): state.withLock { $0.permitted = Set(identifiers) }
        case .submitted(let call, let refusal):
            state.withLock { $0.calls.removeValue(forKey: call) }?.resume(
                returning: refusal.map(LaunchRequestError.init))
        case .run(let window, let identifier, let seconds): run(window, identifier, seconds)
        case .expire(let window): state.withLock { $0.tasks[window] }?.expire()
        case .background(let isInBackground): background.yield(isInBackground)
        case .activityGranted(let number): call(number, isExpired: false)
        case .activityExpired(let number): call(number, isExpired: true)
        }
    }

    private func run(_ window: Int64, _ identifier: String, _ seconds: Double?) {
        let task = LaunchedTask(identifier: identifier, timeLimit: seconds.map { .seconds($0) }) {
            [weak self] success in
            self?.state.withLock { _ = $0.tasks.removeValue(forKey: window) }
            self?.tell(.completed(window: window, success: success))
        }
        let handler = state.withLock { state in
            state.tasks[window] = task
            return state.handlers[identifier]
        }
        handler?(task)
    }

    /// Calls an activity's block on a thread of its own. It has ended when its first call has returned.
    private func call(_ number: Int64, isExpired: Bool) {
        SystemThread.start { [self] in
            let (block, isFirst) = state.withLock { state in
                (state.activities[number], state.begun.insert(number).inserted)
            }
            guard let block else { return }
            block(isExpired)
            guard isFirst else { return }
            state.withLock { state in
                state.activities[number] = nil
                state.begun.remove(number)
            }
            tell(.activityEnded(number))
        }
    }
}

extension SimulatedSystemConnection: ExpiringActivities {
    package func perform(_ block: @escaping @Sendable (_ isExpired: Bool) -> Void) {
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.activities[state.next] = block
            return state.next
        }
        tell(.beginActivity(number))
    }
}

extension SimulatedSystemConnection: LaunchRequestScheduler {
    package func register(_ identifier: String, launched: @escaping @Sendable (LaunchedTask) -> Void) -> Bool {
        let isPermitted = state.withLock { state in
            guard state.permitted?.contains(identifier) ?? false else { return false }
            state.handlers[identifier] = launched
            return true
        }
        if isPermitted { tell(.register(identifier: identifier)) }
        return isPermitted
    }

    package func submit(_ request: LaunchRequest) async throws(LaunchRequestError) {
        let error = await withCheckedContinuation { continuation in
            let number = state.withLock { state -> Int64? in
                if state.isLost { return nil }
                defer { state.next += 1 }
                state.calls[state.next] = continuation
                return state.next
            }
            guard let number else { return continuation.resume(returning: .unavailable) }
            tell(.submit(call: number, request: SimulatedSystem.PendingLaunch(request)))
        }
        if let error { throw error }
    }

    package func cancel(_ identifier: String) async { tell(.cancel(identifier: identifier)) }
}

extension WorkScheduler.Configuration {
    /// Has the app launched for due work, and its locks let go before suspensions, by a ``SimulatedSystem``, with the
    /// code that iOS runs. Registers the handlers: call it where the app would register its own.
    ///
    /// - Parameter identifier: takes the place of ``WorkScheduler/Configuration/backgroundTaskIdentifier``.
    @MainActor
    public mutating func useSimulatedSystem(_ system: SimulatedSystemConnection, identifier: String) {
        launch(by: system, identifier: identifier)
        suspend(by: system)
    }
}

extension SimulatedSystem.PendingLaunch {
    init(_ request: LaunchRequest) {
        self.init(
            identifier: request.identifier, isRefresh: request.kind == .refresh,
            needsNetwork: request.kind.needsNetwork,
            needsPower: request.kind.needsPower, earliest: request.earliest)
    }
}

extension LaunchRequestError {
    init(_ refusal: SimulatedSystem.Refusal) {
        self =
            switch refusal {
            case .unavailable: .unavailable
            case .tooManyPendingTaskRequests: .tooManyPending
            case .notPermitted: .notPermitted
            }
    }
}
