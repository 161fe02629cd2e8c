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

    private let configuration: HTTPTransport.Configuration
    private let routes = URLSessionRoutes()
    /// For files that are read before a request begins.
    private let files = DispatchQueue(label: "BackgroundWork.HTTP.Files", attributes: .concurrent)
    private let state: Mutex<State>

    init(_ configuration: HTTPTransport.Configuration) {
        self.configuration = configuration
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
        do {
            try SessionTLS.check(call.request.tls)
            let (request, content) = try call.loadable()
            let exchange = URLSessionExchange(call, content) { [weak self] in self?.ended(call) }
            guard let session = session() else { throw CancellationError() }
            let task = exchange.task(for: request, in: session)
            routes.add(exchange, for: task)
            call.control(stop: { task.cancel() }, proceed: { exchange.proceed(task) })
            task.resume()
        } catch let error as UnusableTLSFile {
            call.finish(HTTPError.invalid("\(error)", call.request.url))
            ended(call)
        } catch {
            call.finish(error)
            ended(call)
        }
    }

    private func ended(_ call: HTTPCall) {
        state.withLock { $0.queue.ended(call) }
        startReady()
    }

    private func session() -> URLSession? {
        state.withLock { state in
            if state.isClosed { return nil }
            if let session = state.session { return session }
            let session = URLSession(
                configuration: configuration.sessionConfiguration, delegate: URLSessionEvents(routes),
                delegateQueue: nil)
            state.session = session
            return session
        }
    }

    func close() {
        let (session, waiting) = state.withLock { state in
            state.isClosed = true
            return (state.session, state.queue.takeAll())
        }
        for call in waiting { call.finish(CancellationError()) }
        session?.invalidateAndCancel()
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
