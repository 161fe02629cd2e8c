import Dispatch
import Synchronization

@testable import BackgroundWorkURLSession

/// A system's daemon whose sessions a test controls. It outlives the services that use it, as processes come and go.
final class ScriptedSessions: BackgroundSessionProvider {
    let outlivesProcess = true
    private let sessions = Mutex<[String: ScriptedSession]>([:])

    func session(
        _ identifier: String, of store: String, receiver: any BackgroundSessionReceiver
    ) -> any BackgroundSession {
        let session = self[identifier]
        session.state.withLock { $0.receiver = receiver }
        return session
    }

    subscript(_ identifier: String) -> ScriptedSession {
        sessions.withLock { sessions in
            let session = sessions[identifier] ?? ScriptedSession()
            sessions[identifier] = session
            return session
        }
    }
}

/// A session whose tasks do what the test says.
final class ScriptedSession: BackgroundSession {
    struct State: Sendable {
        var receiver: (any BackgroundSessionReceiver)?
        var tasks: [ScriptedTask] = []
        var nextTask = 1
        /// What happens while the tasks are being listed.
        var whileListing: (@Sendable () -> Void)?
    }

    let state = Mutex(State())

    func allTasks(_ completion: @escaping @Sendable ([any BackgroundSessionTask]) -> Void) {
        let listed = tasks.filter { $0.contents.withLock { !$0.isOver } }
        guard let event = state.withLock({ $0.whileListing.take() }) else { return completion(listed) }
        DispatchQueue.global().async {
            event()
            completion(listed)
        }
    }

    func download(_ request: URLRequest) -> any BackgroundSessionTask { add(ScriptedTask.Origin.request(request)) }
    func download(resuming data: Data) -> any BackgroundSessionTask { add(.data(data)) }
    func upload(_ request: URLRequest, fromFile file: URL) -> any BackgroundSessionTask { add(.upload(request, file)) }

    private func add(_ origin: ScriptedTask.Origin) -> ScriptedTask {
        state.withLock { state in
            let task = ScriptedTask(state.nextTask, origin)
            state.nextTask += 1
            state.tasks.append(task)
            return task
        }
    }

    var tasks: [ScriptedTask] { state.withLock { $0.tasks } }

    /// Forgets a task, as the system does with those of a device that was restored.
    func lose(_ task: ScriptedTask) { state.withLock { state in state.tasks.removeAll { $0 === task } } }

    /// Begins with low numbers again.
    func restartNumbers() { state.withLock { $0.nextTask = 1 } }

    /// Delivers the file of a download, and removes it when the receiver has returned.
    func deliver(_ content: [UInt8], of task: ScriptedTask, status: Int = 200, headers: [String: String] = [:]) throws {
        task.answer(status, headers)
        let file = FileManager.default.temporaryDirectory.appending(path: "scripted-\(UUID().uuidString)")
        try Data(content).write(to: file)
        receiver?.task(task, finishedDownloadingTo: file)
        try? FileManager.default.removeItem(at: file)
    }

    func move(_ bytes: Int64, of total: Int64 = -1, _ task: ScriptedTask) {
        receiver?.task(task, hasTransferred: bytes, of: total)
    }

    func complete(_ task: ScriptedTask, _ error: (any Error)? = nil) {
        task.contents.withLock { $0.isOver = true }
        receiver?.task(task, completedWith: error)
    }

    func finishEvents(_ identifier: String) { receiver?.finishedEvents(ofSession: identifier) }

    var receiver: (any BackgroundSessionReceiver)? { state.withLock { $0.receiver } }
}

final class ScriptedTask: BackgroundSessionTask {
    enum Origin: Sendable {
        case request(URLRequest)
        case data(Data)
        case upload(URLRequest, URL)
    }

    struct State: Sendable {
        var description: String?
        var response: URLResponse?
        var earliestBeginDate: Date?
        var bytesToSend: Int64 = -1
        var bytesToReceive: Int64 = -1
        var priority: Float = 0.5
        /// Created suspended; calls of `suspend` and `resume` are nestable.
        var suspensions = 1
        var isCancelled = false
        var isOver = false
        /// What a cancellation passes on, and when.
        var resumeData: Data?
        var passed: [@Sendable (Data?) -> Void] = []
    }

    let taskIdentifier: Int
    let origin: Origin
    let contents = Mutex(State())

    init(_ identifier: Int, _ origin: Origin) {
        taskIdentifier = identifier
        self.origin = origin
    }

    var originalRequest: URLRequest? {
        switch origin {
        case .request(let request), .upload(let request, _): request
        case .data: nil
        }
    }
    var state: URLSessionTask.State {
        contents.withLock {
            $0.isCancelled ? .canceling : $0.isOver ? .completed : $0.suspensions == 0 ? .running : .suspended
        }
    }
    var isRunning: Bool { contents.withLock { $0.suspensions == 0 && !$0.isCancelled } }
    var isCancelled: Bool { contents.withLock { $0.isCancelled } }

    var taskDescription: String? {
        get { contents.withLock { $0.description } }
        set { contents.withLock { $0.description = newValue } }
    }
    var response: URLResponse? { contents.withLock { $0.response } }
    var earliestBeginDate: Date? {
        get { contents.withLock { $0.earliestBeginDate } }
        set { contents.withLock { $0.earliestBeginDate = newValue } }
    }
    var countOfBytesClientExpectsToSend: Int64 {
        get { contents.withLock { $0.bytesToSend } }
        set { contents.withLock { $0.bytesToSend = newValue } }
    }
    var countOfBytesClientExpectsToReceive: Int64 {
        get { contents.withLock { $0.bytesToReceive } }
        set { contents.withLock { $0.bytesToReceive = newValue } }
    }
    var priority: Float {
        get { contents.withLock { $0.priority } }
        set { contents.withLock { $0.priority = newValue } }
    }

    func resume() { contents.withLock { $0.suspensions = max(0, $0.suspensions - 1) } }
    func suspend() { contents.withLock { $0.suspensions += 1 } }
    func cancel() {
        contents.withLock {
            $0.isCancelled = true; $0.isOver = true
        }
    }
    func cancel(keepingData completion: @escaping @Sendable (Data?) -> Void) {
        cancel()
        contents.withLock { $0.passed.append(completion) }
    }

    /// Calls the completion handlers of cancellations.
    func passData() {
        let (handlers, data) = contents.withLock { state in
            defer { state.passed = [] }
            return (state.passed, state.resumeData)
        }
        for handler in handlers { handler(data) }
    }

    func answer(_ status: Int, _ headers: [String: String]) {
        let url = URL(string: "https://example.com/file") ?? URL(filePath: "/")
        let response = HTTPURLResponse(
            url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        contents.withLock { $0.response = response }
    }
}
