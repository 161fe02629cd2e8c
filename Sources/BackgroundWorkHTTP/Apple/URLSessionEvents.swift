import BackgroundWorkURLSession
import Synchronization

/// Passes the session's events to the exchanges, on the session's queue.
final class URLSessionEvents: NSObject, URLSessionDataDelegate, Sendable {
    private let routes: URLSessionRoutes

    init(_ routes: URLSessionRoutes) { self.routes = routes }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        routes.exchange(of: dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        routes.exchange(of: dataTask)?.received(data, dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { routes.exchange(of: task)?.call.sent(Int(bytesSent)) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let exchange = routes.exchange(of: task) else { return completionHandler(nil) }
        Task {
            let next = await exchange.redirected(to: request)
            // One that has ended meanwhile, for its time was over or it was cancelled, does not go on.
            if next == nil || task.state == .running || task.state == .suspended { completionHandler(next) }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch routes.exchange(of: task)?.answer(to: challenge) ?? .byDefault {
        case .use(let credential): completionHandler(.useCredential, credential)
        case .byDefault: completionHandler(.performDefaultHandling, nil)
        case .refuse: completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        routes.take(task)?.completed(task.response, error)
    }
}

/// Which exchange a task of the session belongs to.
final class URLSessionRoutes: Sendable {
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func take(_ task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }
}
