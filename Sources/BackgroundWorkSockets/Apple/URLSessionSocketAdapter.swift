import BackgroundWorkURLSession

/// A real WebSocket task. Foundation on Linux declares them and cannot run them, so nothing in here decides anything.
final class URLSessionSocketAdapter: SessionSocketTask {
    private let task: URLSessionWebSocketTask

    init(_ task: URLSessionWebSocketTask) { self.task = task }

    func resume() { task.resume() }

    func send(_ content: WebSocketContent, completed: @escaping @Sendable ((any Error)?) -> Void) {
        task.send(content.taskMessage, completionHandler: completed)
    }

    func receive(completed: @escaping @Sendable (Result<WebSocketContent, any Error>) -> Void) {
        task.receive { completed($0.map(WebSocketContent.init)) }
    }

    func ping(answered: @escaping @Sendable ((any Error)?) -> Void) { task.sendPing(pongReceiveHandler: answered) }

    func close(code: Int, reason: Data) { task.cancel(with: WebSocketCloseCode.taskCode(code), reason: reason) }

    func cancel() { task.cancel() }

    var closeCodeNumber: Int { task.closeCode.rawValue }

    var closeReasonBytes: Data? { task.closeReason }

    var handshake: SessionHandshake? { SessionHandshake(task.response) }
}
