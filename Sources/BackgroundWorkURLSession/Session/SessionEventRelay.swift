/// A session's delegate: passes the events of each task to the receiver of its store, which may come after them.
final class SessionEventRelay: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
    private let identifier: String
    private let receivers = SessionReceivers()

    init(identifier: String) { self.identifier = identifier }

    /// - Returns: what is to be called on the session's queue.
    func add(
        _ receiver: any BackgroundSessionReceiver, of store: String
    ) -> [@Sendable () -> Void] {
        let identifier = identifier
        var calls = receivers.add(receiver, of: store).map { event in { @Sendable in event(receiver) } }
        if receivers.isTold { calls.append { receiver.finishedEvents(ofSession: identifier) } }
        return calls
    }

    private func receiver(of task: URLSessionTask) -> (any BackgroundSessionReceiver)? {
        receivers.receiver(ofTaskDescribed: task.taskDescription)
    }

    /// Passes an event on, now or when the receiver of its store has come.
    private func pass(_ task: URLSessionTask, _ event: @escaping SessionReceivers.Event) {
        switch receivers.route(ofTaskDescribed: task.taskDescription) {
        case .receiver(let receiver): event(receiver)
        case .later(let store): receivers.hold(event, for: store)
        case .nobody: break
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        switch receivers.route(ofTaskDescribed: downloadTask.taskDescription) {
        case .receiver(let receiver): receiver.task(downloadTask, finishedDownloadingTo: location)
        case .later(let store):
            // The file goes when this returns.
            let kept = URL(filePath: NSTemporaryDirectory()).appending(path: "BackgroundWork-\(UUID().uuidString)")
            guard (try? FileManager.default.moveItem(at: location, to: kept)) != nil else { return }
            receivers.hold(
                {
                    $0.task(downloadTask, finishedDownloadingTo: kept)
                    try? FileManager.default.removeItem(at: kept)
                }, for: store)
        case .nobody: break
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        receiver(of: downloadTask)?.task(downloadTask, hasTransferred: totalBytesWritten, of: totalBytesExpectedToWrite)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { receiver(of: task)?.task(task, hasTransferred: totalBytesSent, of: totalBytesExpectedToSend) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pass(dataTask) { $0.task(dataTask, received: data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        pass(task) { $0.task(task, completedWith: error) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(receiver(of: task)?.task(task, redirectedTo: request) ?? nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let answer: ChallengeAnswer =
            switch receivers.route(ofTaskDescribed: task.taskDescription) {
            case .receiver(let receiver): receiver.task(task, received: challenge)
            // Its TLS options hold, whether or not somebody is there to tell.
            case .later: TaskLabel(task.taskDescription)?.specification.answer(to: challenge).answer ?? .refuse
            case .nobody: .byDefault
            }
        switch answer {
        case .use(let credential): completionHandler(.useCredential, credential)
        case .byDefault: completionHandler(.performDefaultHandling, nil)
        case .refuse: completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    /// Only background sessions call this.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        for receiver in receivers.told() { receiver.finishedEvents(ofSession: identifier) }
    }
}
