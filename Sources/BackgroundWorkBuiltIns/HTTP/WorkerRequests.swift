import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Sends the requests of one run of a worker as its options say: with their headers and credentials, signed, within
/// their time, and once more with a new token when the server answers 401.
///
/// What it throws is a ``TransferFailure``, or a `CancellationError` at once when the task is cancelled.
package final class WorkerRequests: Sendable {
    private let url: String
    private let options: HTTPWorkerOptions
    private let fields: [String: String]
    private let timeout: Duration
    private let sizeField: String
    private let services: BuiltInServices
    private let tokens: BearerTokens?

    /// - Parameters:
    ///   - url: of the work: the client certificate is offered to a token endpoint of the same origin.
    ///   - fields: of its form, which may have secrets.
    ///   - timeout: the worker's default, of a whole request.
    ///   - sizeField: the input's field for the most bytes of a response, for messages.
    package init(
        for url: String, _ options: HTTPWorkerOptions, fields: [String: String] = [:], timeout: Duration,
        sizeField: String = "maxResponseBytes", _ services: BuiltInServices
    ) {
        self.url = url
        self.options = options
        self.fields = fields
        self.timeout = options.timeout ?? timeout
        self.sizeField = sizeField
        self.services = services
        tokens = options.tokenRefresh.map { refresh in
            let transport = services.transport
            let request = refresh.request(for: url, options, timeout: options.timeout ?? timeout)
            return BearerTokens { try await refresh.token(by: transport, request) { services.now } }
        }
    }

    /// What a server's words must not repeat.
    package var secrets: KnownSecrets {
        KnownSecrets(
            of: url, options.transferOptions, fields: fields,
            others: [tokens?.current, options.signing?.key].compactMap { $0 })
    }

    /// Opens a file that a request is to send, where the policy allows it.
    package func open(_ path: String, for request: HTTPRequest) async throws -> SourceFile {
        do {
            return try await SourceFile.open(
                path, for: TransferURL(request.url, method: request.method), policy: services.securityPolicy)
        } catch {
            throw failure(error, of: request)
        }
    }

    /// A request with the options' headers. The caller may change it; credentials, signature and time limits are added
    /// when it is sent.
    package func request(_ url: String, method: String = "GET", body: HTTPBody? = nil) -> HTTPRequest {
        HTTPRequest(url, method: method, headers: HTTPHeaders(options.headers), body: body)
    }

    /// Sends a request and returns the response with its whole body, whatever its status is.
    package func send(
        _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        try await perform(request, status: \.status) { try await $0.send($1, progress: progress) }
    }

    /// Sends a request and returns as soon as the head of the response is there. What the body's stream throws is an
    /// ``HTTPError``: see ``failure(_:of:)``.
    package func stream(
        _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws -> HTTPStreamedResponse {
        try await perform(request, status: \.head.status) { try await $0.stream($1, progress: progress) }
    }

    /// Why a response is no success; `nil` if it is one.
    package func failure(of head: HTTPResponseHead, to request: HTTPRequest) -> TransferFailure? {
        let url = TransferURL(request.url, method: request.method)
        guard var failure = TransferFailure(status: head, now: services.now, url) else { return nil }
        // The first one is answered with a new token.
        if head.status == 401, tokens != nil {
            failure.message =
                "\(url.label): the server answered 401, also to the new token of tokenRefresh. Check what the token "
                + "may do, and tokenPath."
        }
        return failure
    }

    /// An error of the transport in the worker's words; others as they are.
    package func failure(_ error: any Error, of request: HTTPRequest) -> any Error {
        guard let error = error as? HTTPError else { return error }
        var failure = TransferFailure(error)
        if error.kind == .tooLong {
            failure.message =
                "\(TransferURL(request.url, method: request.method).label): the response has more than "
                + "\(request.responseLimit ?? HTTPRequest.usualResponseLimit) bytes. Raise \(sizeField) if a larger one is "
                + "intended."
        }
        return failure
    }

    /// - Parameter status: of the response.
    private func perform<Response: Sendable>(
        _ request: HTTPRequest, status: (Response) -> Int,
        by call: (HTTPTransport, HTTPRequest) async throws -> Response
    ) async throws -> Response {
        let used = tokens?.current
        let response = try await attempt(request, token: used, by: call)
        guard status(response) == 401, let tokens else { return response }
        let token: String
        do { token = try await tokens.newer(than: used) } catch let failure as TransferFailure {
            throw TransferFailure(
                kind: failure.kind,
                message:
                    "\(TransferURL(request.url, method: request.method).label): the server answered 401, and no new "
                    + "token could be fetched: \(failure.message)", isRetryable: failure.isRetryable, statusCode: 401,
                retryAfterMs: failure.retryAfterMs)
        }
        return try await attempt(request, token: token, by: call)
    }

    private func attempt<Response: Sendable>(
        _ request: HTTPRequest, token: String?, by call: (HTTPTransport, HTTPRequest) async throws -> Response
    ) async throws -> Response {
        do {
            var prepared = request
            prepared.timeouts = HTTPTimeouts(whole: timeout)
            prepared.authentication = token.map { .bearer(token: $0) } ?? options.authentication
            prepared.bytesPerSecond = request.bytesPerSecond ?? options.bytesPerSecond
            prepared.tls = options.tls
            prepared.proxy = options.proxy
            if let signing = options.signing { prepared = try await signing.signed(prepared, at: services.clock.now) }
            return try await call(services.transport, prepared)
        } catch {
            throw failure(error, of: request)
        }
    }
}

extension HTTPTimeouts {
    /// For a request that may take this long as a whole.
    fileprivate init(whole: Duration) {
        self.init(connect: min(.seconds(30), whole), request: whole, resource: whole)
    }
}

extension HTTPHeaders {
    /// In the order of their names.
    init(_ headers: [String: String]) {
        self.init(headers.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) })
    }
}

extension TokenRefresh {
    /// Without the credentials of the work, except, at the origin of its URL, its client certificate.
    fileprivate func request(for url: String, _ options: HTTPWorkerOptions, timeout: Duration) -> HTTPRequest {
        let isOwn = RequestOrigin(self.url) == RequestOrigin(url)
        let work = options.transferOptions
        var request = HTTPRequest(self.url, method: method, headers: HTTPHeaders(headers))
        request.body = body.map { .bytes(Data($0.utf8)) }
        request.tls = (isOwn ? work : work.withoutCredentials).tls
        request.proxy = options.proxy
        request.timeouts = HTTPTimeouts(whole: timeout)
        request.responseLimit = Int64(Self.longestAnswer)
        return request
    }

    /// Throws a ``TransferFailure``.
    fileprivate func token(
        by transport: HTTPTransport, _ request: HTTPRequest, _ now: @Sendable () -> WallTime
    ) async throws -> String {
        let url = TransferURL(request.url, method: request.method)
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch let error as HTTPError {
            throw TransferFailure(error)
        }
        if let failure = TransferFailure(status: response.head, now: now(), url) { throw failure }
        return try response.body.withUnsafeBytes { try token(in: $0.bindMemory(to: UInt8.self), url) }
    }
}
