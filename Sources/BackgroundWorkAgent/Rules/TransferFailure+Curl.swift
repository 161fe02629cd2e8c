#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkCurl

extension TransferFailure {
    /// Sorts libcurl's result codes (https://curl.se/libcurl/c/libcurl-errors.html).
    static func curl(_ code: CURLcode, detail: String, redirects: Int, _ url: TransferURL) -> TransferFailure {
        switch code {
        case CURLE_URL_MALFORMAT:
            return .invalid("the URL is malformed (\(detail.printable))", url)
        // Of other schemes the first URL is checked before, so it is where a redirect leads, or no answer of HTTP at all.
        case CURLE_UNSUPPORTED_PROTOCOL where redirects > 0 && !detail.contains("HTTP/0.9"):
            return .forbiddenRedirect("the server redirected to an address that is neither https nor allowed http", url)
        case CURLE_UNSUPPORTED_PROTOCOL:
            return .network(
                "what the server sent is no answer of HTTP (\(detail.printable)). Try again when the server is back.",
                url)
        case CURLE_TOO_MANY_REDIRECTS:
            return .forbiddenRedirect("the server redirected more than \(CurlRequest.maximumRedirects) times", url)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return .network(
                "the server's public key is none of the pinned ones. Trying again does not help: pin the new key if it "
                    + "can be trusted.",
                isRetryable: false, url)
        case CURLE_SSL_CERTPROBLEM:
            return .network(
                "the client's certificate or key cannot be used (\(detail)). Check the files and the password.",
                isRetryable: false, url)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS:
            return .network(
                "the server's certificate is not trusted (\(detail)). Trying again does not help: renew the "
                    + "certificate, or install its authority on this machine.",
                isRetryable: false, url)
        default:
            return .network("\(detail). Try again when the network or the server is back.", url)
        }
    }
}
#endif
