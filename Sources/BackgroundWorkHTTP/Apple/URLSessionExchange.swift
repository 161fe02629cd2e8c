import BackgroundWorkModel
import BackgroundWorkTransfers
import BackgroundWorkURLSession
import Synchronization

/// A call's task in a URL session. Told of the session's events, one at a time.
final class URLSessionExchange: Sendable {
    let call: HTTPCall
    private let content: UploadContent?
    private let specification: TransferSpecification
    private let hasEnded: @Sendable () -> Void
    private let redirects = Mutex(0)
    private let backlog = Mutex(Backlog())

    /// What the sink has no room for. A session's task cannot be made to wait: its data tasks start over when they are
    /// resumed (https://developer.apple.com/documentation/foundation/urlsessiontask/suspend()).
    private struct Backlog {
        /// Whether the sink has no room.
        var isWaiting = false
        /// Has bytes only while it waits.
        var file: OverflowFile?
        /// The task has ended, which is told after all bytes.
        var end: (response: URLResponse?, error: (any Error)?)?
    }

    /// - Parameter hasEnded: called once, when the task has ended and all that it has received was taken.
    init(_ call: HTTPCall, _ content: UploadContent?, hasEnded: @escaping @Sendable () -> Void) {
        self.call = call
        self.content = content
        self.hasEnded = hasEnded
        specification = call.request.specification
    }

    func task(for request: URLRequest, in session: URLSession) -> URLSessionTask {
        switch content {
        case .bytes(let bytes): session.uploadTask(with: request, from: bytes)
        case .file(let path, _): session.uploadTask(with: request, fromFile: URL(filePath: path))
        case nil: session.dataTask(with: request)
        }
    }

    func received(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return }
        call.receivedIfFirst { HTTPResponseHead(response, redirects: redirects.withLock { $0 }) }
        call.endOfPieces()
    }

    func received(_ data: Data, _ task: URLSessionTask) {
        let isWanted = backlog.withLock { backlog in
            guard backlog.isWaiting else { return pass(data, &backlog) }
            do {
                let file = try backlog.file ?? OverflowFile()
                backlog.file = file
                try data.withUnsafeBytes(file.append)
                return !call.isEnded
            } catch {
                call.finish(HTTPError(fileError: error, call.request.url))
                return false
            }
        }
        call.endOfPieces()
        if !isWanted { task.cancel() }
    }

    /// Whether more is wanted.
    private func pass(_ data: Data, _ backlog: inout Backlog) -> Bool {
        let answer = data.withUnsafeBytes { call.received($0) }
        backlog.isWaiting = answer == .wait
        return answer != .stop
    }

    /// The sink has room, or the call has ended. On the session's queue.
    func goOn() {
        let end = backlog.withLock { backlog in
            backlog.isWaiting = false
            do {
                while !backlog.isWaiting, !call.isEnded, let file = backlog.file, !file.isEmpty {
                    _ = pass(try file.next(), &backlog)
                }
            } catch {
                call.finish(HTTPError(fileError: error, call.request.url))
            }
            return takeEnd(&backlog)
        }
        call.endOfPieces()
        if let end { conclude(end.response, end.error) }
    }

    private func takeEnd(_ backlog: inout Backlog) -> (response: URLResponse?, error: (any Error)?)? {
        guard call.isEnded || !backlog.isWaiting else { return nil }
        defer { backlog.end = nil }
        return backlog.end
    }

    /// The redirect's request; `nil` makes the redirect the response. A call that ends here lets its task end by itself: it
    /// waits for this answer.
    func redirected(to request: URLRequest) async -> URLRequest? {
        let count = redirects.withLock { $0 + 1 }
        let prepared = call.request
        if prepared.maximumRedirects == 0 { return nil }
        guard count <= prepared.maximumRedirects else {
            call.finish(
                HTTPError(.forbiddenRedirect("the server redirected more than \(count - 1) times", prepared.url)))
            return nil
        }
        guard
            let next = RedirectRules.request(
                request, from: specification, ownOriginHeaders: prepared.ownOriginHeaders)
        else {
            call.finish(
                HTTPError(
                    .forbiddenRedirect(
                        "the server redirected to an address that is neither https nor allowed http", prepared.url)))
            return nil
        }
        var target = specification
        target.url = next.url?.absoluteString ?? target.url
        do { try await DestinationCheck(resolver: .system).check(target, redirects: count) } catch {
            call.finish((error as? DestinationCheck.Refused).map { HTTPError($0.failure) } ?? error)
            return nil
        }
        redirects.withLock { $0 = count }
        return next
    }

    func answer(to challenge: URLAuthenticationChallenge) -> TLSAnswer {
        if let credential = specification.credential(for: challenge) { return .use(credential) }
        let answer = specification.answer(to: challenge)
        if case .refuse(let reason) = answer {
            call.finish(
                HTTPError(kind: .network, message: "\(call.request.url.label): \(reason)", isRetryable: false))
        }
        return answer
    }

    func completed(_ response: URLResponse?, _ error: (any Error)?) {
        let end = backlog.withLock { backlog in
            backlog.end = (response, error)
            return takeEnd(&backlog)
        }
        if let end { conclude(end.response, end.error) }
    }

    private func conclude(_ response: URLResponse?, _ error: (any Error)?) {
        defer { hasEnded() }
        content?.remove()
        if let error {
            let isTimeout = (error as NSError).code == NSURLErrorTimedOut
            call.finish(
                isTimeout
                    ? HTTPError.timeout("no byte moved for", call.request.timeouts.request, call.request.url)
                    : HTTPError(.loading(error, of: specification)))
            return
        }
        received(response)
        call.finish(nil)
    }
}

extension HTTPResponseHead {
    fileprivate init(_ response: HTTPURLResponse, redirects: Int) {
        let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HTTPHeaders.Field(name: name, value: value)
        }
        self.init(
            status: response.statusCode, headers: HTTPHeaders(fields.sorted { $0.name < $1.name }),
            url: response.url?.absoluteString ?? "", redirects: redirects)
    }
}
