import BackgroundWorkURLSession
import Synchronization

/// A task of the simulated daemon, as the app has it.
final class SimulatedSessionTask: BackgroundSessionTask {
    let taskIdentifier: Int
    private let session: SimulatedSession
    private let record: Mutex<TaskRecord>

    init(_ record: TaskRecord, in session: SimulatedSession) {
        taskIdentifier = record.number
        self.session = session
        self.record = Mutex(record)
    }

    /// Takes over what only the daemon knows.
    func update(_ newest: TaskRecord) {
        record.withLock { record in
            record.response = newest.response
            if newest.state == URLSessionTask.State.completed.rawValue { record.state = newest.state }
        }
    }

    var response: URLResponse? { record.withLock { $0.response }?.response }

    var originalRequest: URLRequest? {
        record.withLock { $0.url }.flatMap { URL(string: $0) }.map { URLRequest(url: $0) }
    }

    var state: URLSessionTask.State { record.withLock { URLSessionTask.State(rawValue: $0.state) } ?? .completed }

    var taskDescription: String? {
        get { record.withLock { $0.description } }
        set { change(.description(newValue)) { $0.description = newValue } }
    }

    var earliestBeginDate: Date? {
        get { record.withLock { $0.earliestBeginDate } }
        set { change(.earliestBeginDate(newValue)) { $0.earliestBeginDate = newValue } }
    }

    var countOfBytesClientExpectsToSend: Int64 {
        get { record.withLock { $0.bytesToSend } }
        set { change(.bytesToSend(newValue)) { $0.bytesToSend = newValue } }
    }

    var countOfBytesClientExpectsToReceive: Int64 {
        get { record.withLock { $0.bytesToReceive } }
        set { change(.bytesToReceive(newValue)) { $0.bytesToReceive = newValue } }
    }

    var priority: Float {
        get { record.withLock { $0.priority } }
        set { change(.priority(newValue)) { $0.priority = newValue } }
    }

    private func change(_ change: TaskChange, _ body: (inout TaskRecord) -> Void) {
        record.withLock { body(&$0) }
        session.tell { .change(session: $0, task: taskIdentifier, change: change) }
    }

    func resume() {
        if taskIdentifier < 0 { return session.fail(self) }
        record.withLock { $0.state = URLSessionTask.State.running.rawValue }
        session.tell { .resume(session: $0, task: taskIdentifier) }
    }

    func suspend() {
        record.withLock { $0.state = URLSessionTask.State.suspended.rawValue }
        session.tell { .suspend(session: $0, task: taskIdentifier) }
    }

    func cancel() {
        record.withLock { $0.state = URLSessionTask.State.canceling.rawValue }
        session.tell { .cancel(session: $0, task: taskIdentifier, keepingData: false) }
    }

    func cancel(keepingData completion: @escaping @Sendable (Data?) -> Void) {
        record.withLock { $0.state = URLSessionTask.State.canceling.rawValue }
        session.ask {
            .cancel(session: $0, task: taskIdentifier, keepingData: true)
        } then: { reply in
            guard case .data(let data) = reply else { return completion(nil) }
            completion(data)
        }
    }
}
