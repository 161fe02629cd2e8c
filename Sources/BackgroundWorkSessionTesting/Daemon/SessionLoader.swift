import BackgroundWorkURLSession

/// The daemon's own URL session, by which it carries out its apps' tasks.
final class SessionLoader: NSObject, URLSessionDataDelegate {
    /// What happens to a request, in order. Numbers are those of ``start(_:sending:)``.
    enum Event: Sendable {
        case answered(ResponseRecord)
        case received(Data)
        case sent(Int64, of: Int64)
        case challenged(
            ProtectionSpaceRecord, failures: Int,
            answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
        case completed(ErrorRecord?)
    }

    private let handle: @Sendable (Int, Event) -> Void

    init(_ handle: @escaping @Sendable (Int, Event) -> Void) { self.handle = handle }

    /// Foundation's session, which keeps this object until it is invalidated.
    func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "BackgroundWork.SimulatedDaemon.Loading"
        return URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = ResponseRecord(response) { handle(dataTask.taskIdentifier, .answered(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        handle(dataTask.taskIdentifier, .received(data))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { handle(task.taskIdentifier, .sent(totalBytesSent, of: totalBytesExpectedToSend)) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        handle(task.taskIdentifier, .completed(error.map { ErrorRecord($0) }))
    }

    /// Passwords are the app's to answer. Of the others the system's own answer is taken.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        let passwords = [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest]
        guard passwords.contains(space.authenticationMethod) else {
            return completionHandler(.performDefaultHandling, nil)
        }
        handle(
            task.taskIdentifier,
            .challenged(
                ProtectionSpaceRecord(space), failures: challenge.previousFailureCount, answer: completionHandler))
    }
}
