import Synchronization

/// Creates Foundation's sessions.
package struct URLSessionProvider: BackgroundSessionProvider {
    package let outlivesProcess: Bool
    private let sessions: URLSessions
    private let configuration: @Sendable (_ identifier: String) -> URLSessionConfiguration

    /// - Parameters:
    ///   - outlivesProcess: whether the configurations are those of background sessions.
    ///   - sessions: those that there are already.
    ///   - configuration: called for an identifier that is not among them.
    package init(
        outlivesProcess: Bool, sessions: URLSessions = URLSessions(),
        configuration: @escaping @Sendable (_ identifier: String) -> URLSessionConfiguration
    ) {
        self.outlivesProcess = outlivesProcess
        self.sessions = sessions
        self.configuration = configuration
    }

    package func session(
        _ identifier: String, of store: String, receiver: any BackgroundSessionReceiver
    ) -> any BackgroundSession {
        sessions.session(identifier, of: store, receiver: receiver) { configuration(identifier) }
    }
}

/// Foundation's sessions, one for each identifier, as long as this object exists.
package final class URLSessions: Sendable {
    private let sessions = Mutex<[String: FoundationSession]>([:])

    package init() {}

    fileprivate func session(
        _ identifier: String, of store: String, receiver: any BackgroundSessionReceiver,
        _ configuration: () -> URLSessionConfiguration
    ) -> FoundationSession {
        let (session, isNew) = sessions.withLock { sessions in
            if let known = sessions[identifier] { return (known, false) }
            // Its events may come at once, so their receiver is there first.
            let events = SessionEventRelay(identifier: identifier)
            events.receivers.add(receiver, of: store) { $0() }
            let session = FoundationSession(events, configuration())
            sessions[identifier] = session
            return (session, true)
        }
        if !isNew { session.add(receiver, of: store) }
        return session
    }

    /// Without this a session keeps its delegate, and itself, for ever.
    deinit {
        sessions.withLock { sessions in for session in sessions.values { session.session.invalidateAndCancel() } }
    }
}

/// Foundation's session behind the protocol.
private final class FoundationSession: BackgroundSession {
    let events: SessionEventRelay
    let session: URLSession

    init(_ events: SessionEventRelay, _ configuration: URLSessionConfiguration) {
        self.events = events
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "BackgroundWork.URLSession"
        session = URLSession(configuration: configuration, delegate: events, delegateQueue: queue)
    }

    func add(_ receiver: any BackgroundSessionReceiver, of store: String) {
        events.receivers.add(receiver, of: store) { session.delegateQueue.addOperation($0) }
    }

    func allTasks(_ completion: @escaping @Sendable ([any BackgroundSessionTask]) -> Void) {
        session.getAllTasks { completion($0) }
    }

    func download(_ request: URLRequest) -> any BackgroundSessionTask { session.downloadTask(with: request) }

    func download(resuming data: Data) -> any BackgroundSessionTask { session.downloadTask(withResumeData: data) }

    func upload(_ request: URLRequest, fromFile file: URL) -> any BackgroundSessionTask {
        session.uploadTask(with: request, fromFile: file)
    }
}

extension URLSessionTask: BackgroundSessionTask {
    package func cancel(keepingData completion: @escaping @Sendable (Data?) -> Void) {
        guard let download = self as? URLSessionDownloadTask else {
            cancel()
            return completion(nil)
        }
        download.cancel(byProducingResumeData: completion)
    }
}
