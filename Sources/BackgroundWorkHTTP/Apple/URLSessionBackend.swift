import BackgroundWorkTransfers
import BackgroundWorkURLSession
import Dispatch
import Synchronization

/// Sends requests by an ephemeral `URLSession`, which is made for the first one.
final class URLSessionBackend: HTTPBackend {
    private struct State: Sendable {
        var queue: RequestQueue
        var session: URLSession?
        var isClosed = false
    }

    static let limitsSpeed = false

    private let configuration: HTTPTransport.Configuration
    private let routes = URLSessionRoutes()
    /// For files that are read before a request begins.
    private let files = DispatchQueue(label: "BackgroundWork.HTTP.Files", attributes: .concurrent)
    /// Of the session's events, one at a time.
    private let queue = DispatchQueue(label: "BackgroundWork.HTTP.Events")
    private let events = OperationQueue()
    private let state: Mutex<State>

    init(_ configuration: HTTPTransport.Configuration) {
        self.configuration = configuration
        events.underlyingQueue = queue
        events.maxConcurrentOperationCount = 1
        state = Mutex(
            State(
                queue: RequestQueue(most: configuration.maximumRequests, perHost: configuration.maximumRequestsPerHost))
        )
    }

    func begin(_ call: HTTPCall) {
        if configuration.bytesPerSecond != nil {
            call.finish(
                HTTPError.invalid(
                    "a URL session has no limit of speed; leave the transport's bytesPerSecond out on this platform",
                    call.request.url))
            return
        }
        let specification = call.request.specification
        if let (field, reason) = TransferCapabilities.urlSession(with: SessionTLS.features).refusal(of: specification) {
            call.finish(HTTPError.invalid("\(field): \(reason)", call.request.url))
            return
        }
        // Until it has a task. A call must not keep its backend.
        call.control(stop: { [weak self] in self?.state.withLock { $0.queue.gaveUp(call) } }, proceed: {})
        state.withLock { $0.queue.add(call) }
        call.limitTime()
        startReady()
    }

    private func startReady() {
        for call in state.withLock({ $0.isClosed ? [] : $0.queue.takeReady() }) {
            Task {
                do {
                    try await DestinationCheck(resolver: .system).check(call.request.specification)
                    files.async { [self] in start(call) }
                } catch {
                    call.finish((error as? DestinationCheck.Refused).map { HTTPError($0.failure) } ?? error)
                    ended(call)
                }
            }
        }
    }

    /// On the queue of files.
    private func start(_ call: HTTPCall) {
        var content: UploadContent?
        do {
            try SessionTLS.check(call.request.tls)
            let request: URLRequest
            (request, content) = try call.loadable()
            let exchange = URLSessionExchange(call, content) { [weak self] in self?.ended(call) }
            guard let task = task(of: exchange, for: request) else { throw CancellationError() }
            routes.add(exchange, for: task)
            let goOn: @Sendable () -> Void = { [queue] in queue.async { exchange.goOn() } }
            call.control(
                stop: {
                    task.cancel()
                    goOn()
                }, proceed: goOn)
            task.resume()
        } catch {
            content?.remove()
            call.finish((error as? UnusableTLSFile).map { HTTPError.invalid("\($0)", call.request.url) } ?? error)
            ended(call)
        }
    }

    private func ended(_ call: HTTPCall) {
        state.withLock { $0.queue.ended(call) }
        startReady()
    }

    /// `nil` when the transport was closed: a session that was invalidated must not be asked for a task.
    private func task(of exchange: URLSessionExchange, for request: URLRequest) -> URLSessionTask? {
        state.withLock { state in
            if state.isClosed { return nil }
            if let session = state.session { return exchange.task(for: request, in: session) }
            let session = URLSession(
                configuration: configuration.sessionConfiguration, delegate: URLSessionEvents(routes),
                delegateQueue: events)
            state.session = session
            return exchange.task(for: request, in: session)
        }
    }

    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.session?.invalidateAndCancel()
            return state.queue.takeAll()
        }
        for call in waiting { call.finish(CancellationError()) }
    }
}

extension HTTPTransport.Configuration {
    fileprivate var sessionConfiguration: URLSessionConfiguration {
        let session = URLSessionConfiguration.ephemeral
        session.urlCache = nil
        session.requestCachePolicy = .reloadIgnoringLocalCacheData
        session.urlCredentialStorage = nil
        session.httpMaximumConnectionsPerHost = max(1, maximumRequestsPerHost)
        session.httpShouldSetCookies = keepsCookies
        if !keepsCookies {
            session.httpCookieStorage = nil
            session.httpCookieAcceptPolicy = .never
        }
        return session
    }
}

/// What carries requests here.
typealias PlatformBackend = URLSessionBackend
