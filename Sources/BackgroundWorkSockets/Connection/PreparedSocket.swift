import BackgroundWorkFoundation

/// A request that was checked, with what the transport adds to it.
struct PreparedSocket: Sendable {
    /// As a request of HTTP, by whose rules it was checked and is dialed.
    let http: PreparedRequest
    /// As it was given.
    let address: String
    /// As messages show it.
    let url: TransferURL
    let subprotocols: [String]
    let compression: WebSocketCompression?
    let maximumMessageBytes: Int
    let timeouts: WebSocketTimeouts
    let clock: any WorkClock
    /// In none of its errors.
    let secrets: KnownSecrets

    /// Throws a ``WebSocketError`` of the kind `invalid` or `refused`.
    init(_ request: WebSocketRequest, _ configuration: WebSocketTransport.Configuration) throws(WebSocketError) {
        address = request.url
        url = TransferURL(request.url, method: "WebSocket")
        subprotocols = request.subprotocols
        compression = request.compression
        maximumMessageBytes = request.maximumMessageBytes
        timeouts = request.timeouts
        clock = configuration.clock
        try Self.check(request, url)
        var converted = HTTPRequest(try Self.address(of: request.url, url), headers: request.headers)
        converted.tls = request.tls
        converted.proxy = request.proxy
        converted.timeouts = HTTPTimeouts(connect: request.timeouts.connect)
        if case .basic(let user, let password) = request.authentication {
            let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
            converted.headers["Authorization"] = "Basic \(credentials)"
        } else {
            converted.authentication = request.authentication
        }
        var shared = HTTPTransport.Configuration()
        shared.securityPolicy = configuration.securityPolicy
        shared.userAgent = configuration.userAgent
        do throws(HTTPError) {
            http = try PreparedRequest(converted, shared)
        } catch {
            throw WebSocketError(error, of: TransferURL(converted.url), url)
        }
        secrets = KnownSecrets(of: http.specification)
    }

    private static func check(_ request: WebSocketRequest, _ url: TransferURL) throws(WebSocketError) {
        if case .digest = request.authentication {
            throw .invalid("a handshake has no digest authentication; use a token or a password", url)
        }
        for field in request.headers.fields where field.name.lowercased().hasPrefix("sec-websocket-") {
            throw .invalid("its header \"\(field.name)\" is written by the transport itself; leave it out", url)
        }
        guard request.subprotocols.allSatisfy(HeaderSyntax.isToken),
            Set(request.subprotocols).count == request.subprotocols.count
        else { throw .invalid("its subprotocols are not different tokens", url) }
        if let compression = request.compression, !compression.isValid {
            throw .invalid("its compression has window bits outside of 9 to 15, or 8 to 15 of the server", url)
        }
        guard request.maximumMessageBytes > 0 else { throw .invalid("its maximumMessageBytes is not above 0", url) }
        guard request.timeouts.connect > .zero, request.timeouts.close > .zero else {
            throw .invalid("a time limit is not above 0", url)
        }
        guard !URLParts(request.url).hasUser else {
            throw .invalid("its URL has a user or a password, which belong into its authentication", url)
        }
        guard !request.url.utf8.contains(UInt8(ascii: "#")) else {
            throw .invalid("its URL has a fragment, which no WebSocket has", url)
        }
    }

    private static func address(of text: String, _ url: TransferURL) throws(WebSocketError) -> String {
        if let address = httpAddress(of: text) { return address }
        throw .invalid("its URL begins neither with ws:// nor with wss://", url)
    }

    /// The address of HTTP that is dialed for one of WebSockets (RFC 6455, section 3); `nil` if it is none.
    static func httpAddress(of text: String) -> String? {
        for (scheme, other) in [("ws", "http"), ("wss", "https")] {
            let mark = scheme + "://"
            guard text.prefix(mark.count).lowercased() == mark else { continue }
            return other + "://" + text.dropFirst(mark.count)
        }
        return nil
    }
}
