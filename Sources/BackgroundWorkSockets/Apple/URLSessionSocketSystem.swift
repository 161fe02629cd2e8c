import BackgroundWorkSystem
import BackgroundWorkURLSession
import Dispatch
import Synchronization

/// The tasks of an ephemeral `URLSession`, which is made for the first one.
final class URLSessionSocketSystem: SessionSocketSystem {
    private struct State: Sendable {
        var session: URLSession?
        var isClosed = false
    }

    private let events = URLSessionSocketEvents()
    /// For files that are read before a connection is made.
    private let files = DispatchQueue(label: "BackgroundWork.Sockets.Files", attributes: .concurrent)
    private let state = Mutex(State())

    func check(_ socket: PreparedSocket) async throws {
        let specification = socket.http.specification
        if let (field, reason) = TransferCapabilities.urlSession(with: SessionTLS.features).refusal(of: specification) {
            throw WebSocketError.invalid("\(field): \(reason)", socket.url)
        }
        do {
            try await DestinationCheck(resolver: .system).check(specification)
        } catch let refused as DestinationCheck.Refused {
            throw WebSocketError(refused.failure, of: TransferURL(socket.http.address), socket.url)
        }
        let tls = socket.http.tls
        let problem = await withCheckedContinuation { continuation in
            files.async {
                do {
                    try SessionTLS.check(tls)
                    continuation.resume(returning: nil as String?)
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        }
        if let problem { throw WebSocketError.invalid(problem, socket.url) }
    }

    func task(for socket: PreparedSocket, telling channel: SessionChannel) throws -> any SessionSocketTask {
        guard let request = socket.loadable else { throw WebSocketError.invalid("its URL cannot be read", socket.url) }
        let task = state.withLock { state -> URLSessionWebSocketTask? in
            if state.isClosed { return nil }
            let session = state.session ?? Self.session(events)
            state.session = session
            return session.webSocketTask(with: request)
        }
        guard let task else { throw CancellationError() }
        task.maximumMessageSize = socket.maximumMessageBytes
        events.add(channel, socket, for: task)
        return URLSessionSocketAdapter(task)
    }

    private static func session(_ events: URLSessionSocketEvents) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        // The transport has limits of its own, and an open connection may be silent.
        configuration.timeoutIntervalForRequest = 7 * 86_400
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return URLSession(configuration: configuration, delegate: events, delegateQueue: queue)
    }

    func failure(_ error: any Error, of socket: PreparedSocket) -> WebSocketError {
        let known = error as NSError
        if known.domain == NSPOSIXErrorDomain, known.code == Int(EMSGSIZE) {
            return .tooLong(limit: socket.maximumMessageBytes, socket.url)
        }
        return WebSocketError(
            .loading(error, of: socket.http.specification), of: TransferURL(socket.http.address), socket.url)
    }

    func close() {
        let session = state.withLock { state in
            state.isClosed = true
            defer { state.session = nil }
            return state.session
        }
        session?.invalidateAndCancel()
    }
}

/// What opens connections here.
typealias PlatformEngine = SessionEngine

extension SessionEngine {
    convenience init() { self.init(URLSessionSocketSystem()) }
}
