import BackgroundWorkURLSession
import Dispatch
import Synchronization

/// A session whose tasks are the simulated daemon's.
final class SimulatedSession: BackgroundSession {
    private struct State: Sendable {
        var tasks: [Int: SimulatedSessionTask] = [:]
        /// Of tasks that are created without a daemon.
        var nextLostTask = -1
        var isOver = false
    }

    private let identifier: String
    private let connection: DaemonConnection
    private let receivers: SessionReceivers
    /// On which the receivers are called, one event after the other.
    private let queue = DispatchQueue(label: "BackgroundWork.SimulatedSession")
    private let state = Mutex(State())

    init(_ identifier: String, _ connection: DaemonConnection) {
        self.identifier = identifier
        self.connection = connection
        receivers = SessionReceivers(ofSession: identifier)
    }

    func add(_ receiver: any BackgroundSessionReceiver, of store: String) {
        receivers.add(receiver, of: store) { queue.async(execute: $0) }
    }

    /// Receives nothing more.
    func end() {
        state.withLock { $0.isOver = true }
        receivers.removeAll()
    }

    // MARK: - Tasks

    func allTasks(_ completion: @escaping @Sendable ([any BackgroundSessionTask]) -> Void) {
        connection.ask(.allTasks(session: identifier)) { [self] reply in
            guard case .tasks(let records) = reply else { return completion([]) }
            completion(records.map(task))
        }
    }

    func download(_ request: URLRequest) -> any BackgroundSessionTask { make(.download(RequestRecord(request))) }

    func download(resuming data: Data) -> any BackgroundSessionTask { make(.resumed(data)) }

    func upload(_ request: URLRequest, fromFile file: URL) -> any BackgroundSessionTask {
        make(.upload(RequestRecord(request), file: file.path(percentEncoded: false)))
    }

    private func make(_ origin: TaskOrigin) -> SimulatedSessionTask {
        if case .tasks(let records) = connection.ask(.create(session: identifier, origin: origin)),
            let record = records.first
        {
            return task(record)
        }
        let number = state.withLock { state in
            defer { state.nextLostTask -= 1 }
            return state.nextLostTask
        }
        return task(TaskRecord(number: number))
    }

    /// The one object of a task.
    private func task(_ record: TaskRecord) -> SimulatedSessionTask {
        state.withLock { state in
            let task = state.tasks[record.number] ?? SimulatedSessionTask(record, in: self)
            state.tasks[record.number] = task
            task.update(record)
            return task
        }
    }

    func tell(_ request: (_ session: String) -> AppRequest) { connection.tell(request(identifier)) }

    func ask(_ request: (_ session: String) -> AppRequest, then: @escaping DaemonConnection.Answer) {
        connection.ask(request(identifier), then: then)
    }

    /// A task that was created without a daemon fails as Foundation says it.
    func fail(_ task: SimulatedSessionTask) {
        queue.async { [self] in
            let error = NSError(domain: NSURLErrorDomain, code: NSURLErrorBackgroundSessionWasDisconnected)
            receivers.receiver(ofTaskDescribed: task.taskDescription)?.task(task, completedWith: error)
        }
    }

    // MARK: - Events

    func receive(_ message: EventMessage) {
        queue.async { [self] in
            if state.withLock({ $0.isOver }) { return }
            if case .progress = message.event {
            } else {
                connection.tell(.began(session: identifier, event: message.number))
            }
            deliver(message)
            connection.tell(.handled(session: identifier, event: message.number))
        }
    }

    private func deliver(_ message: EventMessage) {
        guard let task = message.task.map(task) else {
            return receivers.told()
        }
        switch message.event {
        case .progress(let bytes, let total):
            receivers.receiver(ofTaskDescribed: task.taskDescription)?.task(task, hasTransferred: bytes, of: total)
        case .downloaded(let file): receivers.pass(task, fileAt: URL(filePath: file))
        case .received(let data): receivers.pass(task) { $0.task(task, received: data) }
        case .completed(let error):
            state.withLock { _ = $0.tasks.removeValue(forKey: task.taskIdentifier) }
            receivers.pass(task) { $0.task(task, completedWith: error?.error) }
        case .challenge(let space, let failures):
            let receiver = receivers.receiver(ofTaskDescribed: task.taskDescription)
            var (user, password): (String?, String?)
            if case .use(let credential) = receiver?.task(task, received: .simulated(space, failures: failures)) {
                (user, password) = (credential.user, credential.password)
            }
            connection.tell(
                .answer(session: identifier, event: message.number, user: user, password: password))
        case .finishedEvents: break
        }
    }
}

extension URLAuthenticationChallenge {
    fileprivate static func simulated(_ space: ProtectionSpaceRecord, failures: Int) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: space.space, proposedCredential: nil, previousFailureCount: failures,
            failureResponse: nil, error: nil, sender: UnusedSender())
    }
}

/// A challenge of a URL session is answered by what its delegate returns, and never by its sender.
private final class UnusedSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
