import BackgroundWorkModel
import BackgroundWorkTransfers

/// One HTTP request as it is to be made.
package struct RequestPlan {
    package enum Method: Equatable {
        case get
        case head
        /// With a body of `bytes` bytes that the exchange's handler supplies.
        case send(String, bytes: Int64)
        /// Without a body.
        case bare(String)

        /// Whether it cannot break the syntax of the request.
        var isValid: Bool {
            switch self {
            case .get, .head: true
            case .send(let name, _), .bare(let name): HeaderSyntax.isToken(name)
            }
        }

        var name: String {
            switch self {
            case .get: "GET"
            case .head: "HEAD"
            case .send(let name, _), .bare(let name): name
            }
        }

        var sendsBody: Bool { if case .send = self { true } else { false } }
    }

    package var method = Method.get
    package var url: String
    package var headerLines: [String]
    package var options: TransferOptions
    package var securityPolicy: SecurityPolicy
    package var bufferBytes: Int
    /// Whether a compressed body, which was not requested, is decompressed.
    package var unpacksBody = false
    /// Whether redirects are followed; a request that creates or changes something on the server should get the
    /// redirect as its response.
    package var followsRedirects = true
    package var maximumRedirects = CurlRequest.maximumRedirects
    /// How long dialing may take; `nil` for as long as a stall.
    package var connectTimeout: Duration?
    /// Whether all headers of the response are kept, not only those that transfers use.
    package var keepsAllHeaders = false
    /// Whether the server is asked to compress; the body is decompressed whatever the status.
    package var asksForCompression = false
    /// Header fields, in lower case, that go to the first origin only, beside those whose names speak of a secret.
    package var ownOriginHeaders: Set<String> = []
    /// Whether only the connection is made, by HTTP/1.1's rules, and nothing is sent over it. The exchange ends when it
    /// stands; it stays until the exchange is removed, and is used for nothing else.
    package var connectsOnly = false
    /// Where cookies are kept; `nil` for none.
    package var cookies: CookieJar?

    package init(
        method: Method = .get, url: String, headerLines: [String], options: TransferOptions,
        securityPolicy: SecurityPolicy, bufferBytes: Int, unpacksBody: Bool = false, followsRedirects: Bool = true
    ) {
        self.method = method
        self.url = url
        self.headerLines = headerLines
        self.options = options
        self.securityPolicy = securityPolicy
        self.bufferBytes = bufferBytes
        self.unpacksBody = unpacksBody
        self.followsRedirects = followsRedirects
    }

    /// The proxy's URL; `nil` to dial the server itself.
    package var proxy: String? { if case .url(let url) = options.proxy { url } else { nil } }
}

/// The header lines of a request, in the form libcurl takes them.
package enum RequestHeaders {
    /// To libcurl "Name:" means to leave the header out, and "Name;" to send it without a value.
    package static func line(_ name: String, _ value: String) -> String {
        value.isEmpty ? "\(name);" : "\(name): \(value)"
    }

    /// The agent's headers take precedence over the client's of the same name, so that each is sent once.
    ///
    /// - Parameters:
    ///   - own: The headers that the agent sets for the transfer.
    ///   - token: A bearer token that replaces the authorization that the client gave. Throws an `.invalid` failure for
    ///     a header that would break the syntax of the request.
    package static func lines(
        _ options: TransferOptions, own: [(name: String, value: String)], token: String?, url: TransferURL
    ) throws(TransferFailure) -> [String] {
        for (name, value) in own where !HeaderSyntax.isOneLine(value) {
            throw .invalid("the header \"\(name)\" contains characters that are not allowed in a header", url)
        }
        var lines = own.map { "\($0.name): \($0.value)" }
        var taken = Set(own.map { $0.name.lowercased() }).union(["range", "if-range", "accept-encoding"])
        if let token {
            guard HeaderSyntax.isOneLine(token) else {
                throw .invalid("the token contains characters that are not allowed in a header", url)
            }
            lines.append("Authorization: Bearer \(token)")
            taken.insert("authorization")
        }
        var namesUserAgent = false
        for (name, value) in options.headers.sorted(by: { $0.key < $1.key }) {
            guard HeaderSyntax.isToken(name), HeaderSyntax.isOneLine(value) else {
                throw .invalid(
                    "the header \"\(name.printable)\" contains characters that are not allowed in a header", url)
            }
            guard !HeaderSyntax.isTransportOwned(name) else {
                throw .invalid("the header \"\(name)\" is written by the transport itself; it cannot be given", url)
            }
            let lowercased = name.lowercased()
            if taken.contains(lowercased) { continue }
            if lowercased == "user-agent" { namesUserAgent = true }
            lines.append(line(name, value))
        }
        if !namesUserAgent { lines.append("User-Agent: BackgroundWork/1") }
        return lines
    }
}
