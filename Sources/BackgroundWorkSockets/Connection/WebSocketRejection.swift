/// What a server has answered that does not open a WebSocket.
public struct WebSocketRejection: Sendable, Hashable {
    /// Its status; never 101.
    public let status: Int
    /// Its headers.
    public let headers: HTTPHeaders
    /// The beginning of its body as text, at most ``bodyLimit`` bytes, without control characters; on Apple's platforms
    /// always empty. Log it only if you know what your server writes.
    public let body: String
    /// How long the server asks to wait (`Retry-After`, seconds or a date), from its answer on.
    public let retryAfter: Duration?

    /// 4 KiB.
    public static let bodyLimit = 4096

    init(status: Int, headers: HTTPHeaders, body: String, now: WallTime) {
        self.status = status
        self.headers = headers
        self.body = body
        retryAfter = headers.values(of: "Retry-After").first.flatMap { RetryAfter.milliseconds($0, now: now) }
            .map { .milliseconds($0) }
    }

    private init(_ other: WebSocketRejection, body: String) {
        (status, headers, retryAfter) = (other.status, other.headers, other.retryAfter)
        self.body = body
    }

    func hiding(_ secrets: KnownSecrets) -> WebSocketRejection {
        WebSocketRejection(self, body: secrets.hidden(in: body))
    }

    var isRetryable: Bool { [408, 429, 500, 502, 503, 504].contains(status) }

    var advice: String {
        switch status {
        case 200...299: "It does not speak WebSocket at this address; check the path."
        case 300...399:
            "Redirects are not followed; use "
                + (headers["Location"].map { "the address that it names, \(Self.shown($0))." } ?? "another address.")
        case 400, 426: "Check the address, the subprotocols, and whether a proxy in front of it passes on Upgrade."
        case 401: "Check or renew the token."
        case 403: "The token, or the header Origin, does not allow it."
        case 404, 410: "Check the path."
        case 407: "Check the proxy's user and password."
        case 408: "Try again."
        case 429: "Connect less often; try again \(later)"
        case 500...599: "The server, or what it stands behind, has failed; try again \(later)"
        default: "Check the request; the rejection's body may say what is wrong."
        }
    }

    /// As a request needs it.
    private static func shown(_ location: String) -> String {
        let address = ShownURL.text(location)
        for (scheme, other) in [("http://", "ws://"), ("https://", "wss://")]
        where address.lowercased().hasPrefix(scheme) { return other + address.dropFirst(scheme.count) }
        return address
    }

    private var later: String { retryAfter.map { "after \($0)." } ?? "later." }
}

extension WebSocketRejection: CustomReflectable {
    /// Without the body and the headers, where a server may have written anything.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": status, "retryAfter": retryAfter as Any])
    }
}
