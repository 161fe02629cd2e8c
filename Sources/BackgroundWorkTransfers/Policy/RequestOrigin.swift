/// Scheme, host and port of a URL (RFC 6454): what credentials belong to.
package struct RequestOrigin: Sendable, Hashable {
    package let scheme: String
    private let host: String
    private let port: String

    package init(_ address: String) {
        let url = URLParts(address)
        (scheme, host, port) = (url.scheme, url.host, url.port)
    }

    /// Whether a redirect from this origin to the other one leaves TLS.
    package func leavesTLS(for other: RequestOrigin) -> Bool { scheme == "https" && other.scheme != "https" }
}
