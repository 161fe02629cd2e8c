/// Scheme, host and port of a URL (RFC 6454): what credentials belong to.
struct RequestOrigin: Sendable, Hashable {
    let scheme: String
    private let host: String

    init(_ address: String) {
        let url = TransferURL(address)
        scheme = url.scheme
        let standard = scheme == "https" ? ":443" : ":80"
        host = url.host.hasSuffix(standard) ? String(url.host.dropLast(standard.count)) : url.host
    }

    /// Whether a step from here to there leaves TLS behind.
    func leavesTLS(for other: RequestOrigin) -> Bool { scheme == "https" && other.scheme != "https" }
}
