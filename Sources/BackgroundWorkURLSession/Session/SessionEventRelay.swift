/// A session's delegate: passes the events of each task to the receiver of its store, which may come after them.
final class SessionEventRelay: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
    let receivers: SessionReceivers

    init(identifier: String) { receivers = SessionReceivers(ofSession: identifier) }

    private func receiver(of task: URLSessionTask) -> (any BackgroundSessionReceiver)? {
        receivers.receiver(ofTaskDescribed: task.taskDescription)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) { receivers.pass(downloadTask, fileAt: location) }

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
        receivers.pass(dataTask) { $0.task(dataTask, received: data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        receivers.pass(task) { $0.task(task, completedWith: error) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let next: URLRequest? =
            switch receivers.route(ofTaskDescribed: task.taskDescription) {
            case .receiver(let receiver): receiver.task(task, redirectedTo: request)
            case .later: RedirectRules.request(request, ofTaskDescribed: task.taskDescription)
            case .nobody: nil
            }
        completionHandler(next)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let answer: ChallengeAnswer =
            switch receivers.route(ofTaskDescribed: task.taskDescription) {
            case .receiver(let receiver): receiver.task(task, received: challenge)
            case .later where TaskLabel.reference(in: task.taskDescription) == nil: .byDefault
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
        receivers.told()
    }
}
