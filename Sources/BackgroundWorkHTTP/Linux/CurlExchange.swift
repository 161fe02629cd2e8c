import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// A call's exchange with libcurl, on the network's thread.
final class CurlExchange: ExchangeHandler, ExchangeOwner {
    private static let bufferBytes = 64 << 10
    /// A server is asked whether it wants a longer body before that is sent. Many do not answer, which costs a second.
    private static let mostBytesUnasked: Int64 = 1 << 20

    let call: HTTPCall
    private let hasEnded: () -> Void
    private var exchange: Exchange?
    /// Whether the sink has no room for another piece.
    private var isFull = false

    /// - Parameter hasEnded: called when libcurl has ended it, not when it is stopped.
    init(_ call: HTTPCall, hasEnded: @escaping () -> Void) {
        self.call = call
        self.hasEnded = hasEnded
    }

    func begin(on pool: ExchangePool, cookies: CookieJar?) throws(TransferFailure) {
        let request = call.request
        var plan = RequestPlan(
            method: method, url: request.address, headerLines: lines, options: request.options,
            securityPolicy: request.policy,
            bufferBytes: pool.areMany ? Self.bufferBytes / 4 : Self.bufferBytes, unpacksBody: request.decompresses,
            followsRedirects: request.maximumRedirects > 0)
        plan.maximumRedirects = request.maximumRedirects
        plan.connectTimeout = request.timeouts.connect
        plan.keepsAllHeaders = true
        plan.asksForCompression = request.asksForCompression
        plan.cookies = cookies
        plan.ownOriginHeaders = request.ownOriginHeaders
        let limit = request.bytesPerSecond.map { BandwidthLimit(bytesPerSecond: $0, now: .now) }
        exchange = try pool.begin(plan, for: self, limit: limit)
        call.body?.begin(arrived: { [weak call] in call?.hasMore() })
    }

    private var method: RequestPlan.Method {
        let name = call.request.method
        if let body = call.body { return .send(name, bytes: body.length ?? -1) }
        switch name {
        case "GET": return .get
        case "HEAD": return .head
        // A server may ask for the length of a body that is empty (RFC 9110, section 8.6).
        case "POST", "PUT", "PATCH": return .send(name, bytes: 0)
        default: return .bare(name)
        }
    }

    private var lines: [String] {
        let fields = call.request.fields
        var lines = fields.map { RequestHeaders.line($0.name, $0.value) }
        if let bytes = call.body?.length, bytes <= Self.mostBytesUnasked { lines.append("Expect:") }
        // libcurl would call a body a form.
        if !fields.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
        return lines
    }

    /// Ends it without being told.
    func stop(on pool: ExchangePool) {
        if let exchange { pool.stop(exchange) }
        exchange = nil
    }

    /// The sink has room.
    func hasRoom() {
        isFull = false
        exchange?.goOn()
    }

    /// There is more to send. A full sink stays full.
    func hasMore() { exchange?.goOn() }

    // MARK: Called from inside libcurl

    func receivedHead(of exchange: Exchange) {
        // Whether libcurl goes on with another request is certain for these only; see `receive`.
        switch exchange.headers.status {
        case 200...299:
            // Before a digest, it asks without the body.
            if case .digest = call.request.authentication, call.body != nil { return }
        // It asks again with credentials, or without an expectation.
        case 401, 407, 417: return
        case 400...: break
        default: return
        }
        call.receivedIfFirst { head(of: exchange) }
        call.endOfPieces()
    }

    private func head(of exchange: Exchange) -> HTTPResponseHead {
        HTTPResponseHead(
            status: exchange.headers.status,
            headers: HTTPHeaders(exchange.headers.all.map { .init(name: $0.name, value: $0.value) }),
            url: exchange.effectiveURL, redirects: exchange.redirects)
    }

    func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> BodyAnswer {
        // libcurl keeps the piece, and passes it again.
        if isFull { return .wait }
        call.receivedIfFirst { head(of: exchange) }
        switch call.received(bytes) {
        case .more: return .taken
        case .wait:
            isFull = true
            return .taken
        case .stop: return .breakOff
        }
    }

    func supply(_ space: UnsafeMutableRawBufferPointer, to exchange: Exchange) -> BodySupply {
        switch call.body?.take(into: space) {
        case .bytes(let count):
            call.sent(count)
            return .bytes(count)
        case .wait: return .wait
        case .failed(let error):
            call.finish(error)
            return .breakOff
        case nil: return .bytes(0)
        }
    }

    func rewind(to offset: Int64, for exchange: Exchange) -> Bool {
        guard let body = call.body else { return offset == 0 }
        guard body.rewind(to: offset) else {
            call.finish(
                HTTPError.invalid(
                    "the server asks for the body again, after a redirect or for an authentication, and a stream is read "
                        + "once; send bytes or a file", call.request.url))
            return false
        }
        call.rewound(to: offset)
        return true
    }

    // MARK: Called by the pool

    func afterTurn() { call.endOfPieces() }

    func ended(_ exchange: Exchange, code: CURLcode) {
        self.exchange = nil
        hasEnded()
        if let error = error(of: exchange, code) {
            call.finish(error)
            return
        }
        call.receivedIfFirst { head(of: exchange) }
        call.finish(nil)
    }

    private func error(of exchange: Exchange, _ code: CURLcode) -> HTTPError? {
        let url = call.request.url
        if exchange.hasStalled {
            return .timeout("no byte moved for", call.request.timeouts.request, url)
        }
        if let failure = exchange.failure { return HTTPError(failure) }
        if code == CURLE_OK {
            return exchange.headers.hasInvalidLength ? HTTPError(.invalidLength(of: exchange.headers, url)) : nil
        }
        if let address = exchange.decisiveRefusal(of: code) {
            return HTTPError(.refusedAddress(address, redirects: exchange.redirects, url))
        }
        switch code {
        case CURLE_TOO_MANY_REDIRECTS:
            return HTTPError(
                .forbiddenRedirect(
                    "the server redirected more than \(call.request.maximumRedirects) times", url))
        case CURLE_OPERATION_TIMEDOUT:
            return .timeout("the server could not be reached within", call.request.timeouts.connect, url)
        case CURLE_PARTIAL_FILE:
            return HTTPError(
                kind: .truncated, message: "\(url.label): the response has broken off. Try again.", isRetryable: true)
        default:
            return HTTPError(
                .curl(code, detail: exchange.detail(of: code), redirects: exchange.redirects, url))
        }
    }
}
