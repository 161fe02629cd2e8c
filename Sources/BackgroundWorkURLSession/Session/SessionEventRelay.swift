/// A session's delegate: passes the events of each task to the receiver of its store.
final class SessionEventRelay: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
    private let identifier: String
    private let receivers = SessionReceivers()

    init(identifier: String) { self.identifier = identifier }

    func add(_ receiver: any BackgroundSessionReceiver, of store: String) { receivers.add(receiver, of: store) }

    private func receiver(of task: URLSessionTask) -> (any BackgroundSessionReceiver)? {
        receivers.receiver(ofTaskDescribed: task.taskDescription)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) { receiver(of: downloadTask)?.task(downloadTask, finishedDownloadingTo: location) }

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
        receiver(of: dataTask)?.task(dataTask, received: data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        receiver(of: task)?.task(task, completedWith: error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(receiver(of: task)?.task(task, redirectedTo: request) ?? nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch receiver(of: task)?.task(task, received: challenge) ?? .byDefault {
        case .use(let credential): completionHandler(.useCredential, credential)
        case .byDefault: completionHandler(.performDefaultHandling, nil)
        case .refuse: completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    /// Only background sessions call this.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        for receiver in receivers.all { receiver.finishedEvents(ofSession: identifier) }
    }
}
