import BackgroundWorkExchange
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// Fetches a new token for a transfer whose token was rejected.
final class TokenRequest: ExchangeHandler, ExchangeOwner {
    private let refresh: TokenRefresh
    private let url: TransferURL
    private let ended: (Result<String, TransferFailure>) -> Void
    private let body: [UInt8]
    private var sent = 0
    private var answer: [UInt8] = []
    private var exchange: Exchange?

    /// `ended` receives the token, or the failure.
    init(_ refresh: TokenRefresh, ended: @escaping (Result<String, TransferFailure>) -> Void) {
        self.refresh = refresh
        self.ended = ended
        url = TransferURL(refresh.url, method: refresh.method)
        body = Array((refresh.body ?? "").utf8)
    }

    /// Under the transfer's own policy and timeouts, but with none of its credentials except, at the origin of the
    /// transfer's URL, its client certificate.
    func begin(for transfer: TransferSpecification, on exchanges: ExchangePool) throws(TransferFailure) {
        let isOwn = RequestOrigin(refresh.url) == RequestOrigin(transfer.url)
        var options = isOwn ? transfer.options : transfer.options.withoutCredentials
        options.headers = refresh.headers
        options.authentication = nil
        let method: RequestPlan.Method =
            if refresh.body != nil {
                .send(refresh.method, bytes: Int64(body.count))
            } else if refresh.method == "GET" {
                .get
            } else {
                .bare(refresh.method)
            }
        let lines = try RequestHeaders.lines(options, own: [], token: nil, url: url)
        exchange = try exchanges.begin(
            RequestPlan(
                method: method, url: refresh.url, headerLines: lines, options: options,
                securityPolicy: transfer.securityPolicy, bufferBytes: 16 << 10, unpacksBody: true), for: self)
    }

    func stop(on exchanges: ExchangePool) {
        if let exchange { exchanges.stop(exchange) }
        exchange = nil
    }

    func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> BodyAnswer {
        guard answer.count + bytes.count <= TokenRefresh.longestAnswer else { return .breakOff }
        answer.append(contentsOf: bytes)
        return .taken
    }

    func supply(_ space: UnsafeMutableRawBufferPointer, to exchange: Exchange) -> BodySupply {
        let piece = body[sent...].prefix(space.count)
        space.copyBytes(from: piece)
        sent += piece.count
        return .bytes(piece.count)
    }

    func rewind(to offset: Int64, for exchange: Exchange) -> Bool {
        guard (0...Int64(body.count)).contains(offset) else { return false }
        sent = Int(offset)
        return true
    }

    func afterTurn() {}

    func ended(_ exchange: Exchange, code: CURLcode) {
        self.exchange = nil
        ended(result(of: exchange, code: code))
    }

    private func result(of exchange: Exchange, code: CURLcode) -> Result<String, TransferFailure> {
        if let failure = exchange.failure { return .failure(failure) }
        guard code == CURLE_OK else {
            if let refusal = exchange.decisiveRefusal(of: code) {
                return .failure(.refusedAddress(refusal, redirects: exchange.redirects, url))
            }
            return .failure(.curl(code, detail: exchange.detail(of: code), redirects: exchange.redirects, url))
        }
        guard (200...299).contains(exchange.headers.status) else {
            return .failure(.status(of: exchange.headers, now: .now(), url))
        }
        do throws(TransferFailure) {
            return .success(
                try answer.withUnsafeBufferPointer { answer throws(TransferFailure) in
                    try refresh.token(in: answer, url)
                })
        } catch {
            return .failure(error)
        }
    }
}
