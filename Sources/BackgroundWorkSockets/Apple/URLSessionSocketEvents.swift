import BackgroundWorkTransfers
import BackgroundWorkURLSession
import Synchronization

/// Passes a session's events to the connections, on the session's queue.
final class URLSessionSocketEvents: NSObject, URLSessionWebSocketDelegate, Sendable {
    private struct Route: Sendable {
        let channel: SessionChannel
        let socket: PreparedSocket
    }

    private let routes = Mutex<[Int: Route]>([:])

    func add(_ channel: SessionChannel, _ socket: PreparedSocket, for task: URLSessionTask) {
        let route = Route(channel: channel, socket: socket)
        routes.withLock { $0[task.taskIdentifier] = route }
    }

    private func route(of task: URLSessionTask) -> Route? { routes.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) { route(of: webSocketTask)?.channel.opened(subprotocol: `protocol`) }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) { route(of: webSocketTask)?.channel.closed(code: closeCode.rawValue, reason: reason) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let route = route(of: task)
        switch route?.socket.http.specification.answer(to: challenge) ?? .byDefault {
        case .use(let credential): completionHandler(.useCredential, credential)
        case .byDefault: completionHandler(.performDefaultHandling, nil)
        case .refuse(let reason):
            if let route {
                route.channel.cut(
                    WebSocketError(
                        kind: .network, message: "\(route.socket.url.label): \(reason)", isRetryable: false))
            }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        routes.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.channel.completed(error)
    }
}
